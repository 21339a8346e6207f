"""Code as it is shown: answers apart, fewer elements, room before it is laid out.

- Material copies what is visible of a block, and says so while it does: code.css hides prompts
  then, and answers. So what is copied runs; each answer of a session becomes one element, with
  the ends of its lines.
- Pygments makes an element of every token, and half of what a chapter is made of is tokens.
  Names and spaces have the colour of code itself; operators and punctuation have one colour,
  and stand side by side. What is seen is the same.
- Each block says how many lines it has: code.css keeps that room, and the browser lays the code
  out when it comes in sight.
"""

import re

SESSION = re.compile(
    r'(?P<head><div class="language-pycon\b[^>]*>.*?<code\b[^>]*>)(?P<lines>.*?)(?P<foot></code>)',
    re.DOTALL,
)
# Lines that no prompt begins. Pygments closes all its elements at the end of each line.
ANSWER = re.compile(r'(?:^(?!(?:<a [^>]*></a>)?<span class="gp">).*\n)+', re.MULTILINE)
OUTPUT = re.compile(r'<span class="go">([^<]*)</span>')
BARE = re.compile(r'<span class="(?:n|w)">([^<]*)</span>')
SIGNS = re.compile(r'<span class="[op]">[^<]*</span>(?: *<span class="[op]">[^<]*</span>)*')
TAG = re.compile(r"<[^>]+>")
BLOCK = re.compile(r"<pre><span></span><code(?P<rest>>(?P<lines>.*?)</code></pre>)", re.DOTALL)


def shown(page: str) -> str:
    """Return the HTML of a page with its code as readers are to get it."""
    return BLOCK.sub(_with_room, SIGNS.sub(_joined, BARE.sub(r"\1", SESSION.sub(_parted, page))))


def _parted(session: re.Match[str]) -> str:
    return session["head"] + ANSWER.sub(_apart, session["lines"]) + session["foot"]


def _apart(answer: re.Match[str]) -> str:
    return '<span class="go">' + OUTPUT.sub(r"\1", answer[0]) + "</span>"


def _joined(signs: re.Match[str]) -> str:
    return f'<span class="p">{TAG.sub("", signs[0])}</span>'


def _with_room(block: re.Match[str]) -> str:
    lines = block["lines"].count("\n")
    return f'<pre><span></span><code style="--lines: {lines}"{block["rest"]}'
