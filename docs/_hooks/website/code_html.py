"""Code blocks that copy well and leave room for themselves.

Material copies what is visible of a block, and `code.css` hides prompts and answers meanwhile. So
each answer of a session becomes one element, with its line ends: what is copied can run. Each
block also states its number of lines, so that the browser can lay it out when it comes in sight.
"""

import re

SESSION = re.compile(
    r'(?P<head><div class="language-pycon\b[^>]*>.*?<code\b[^>]*>)(?P<lines>.*?)(?P<foot></code>)',
    re.DOTALL,
)
# Lines without a prompt. Pygments closes all its elements at the end of each line.
ANSWER = re.compile(r'(?:^(?!(?:<a [^>]*></a>)?<span class="gp">).*\n)+', re.MULTILINE)
OUTPUT = re.compile(r'<span class="go">([^<]*)</span>')
BLOCK = re.compile(r"<pre><span></span><code(?P<rest>>(?P<lines>.*?)</code></pre>)", re.DOTALL)


def separate_answers(article: str) -> str:
    """Return the HTML of an article with its answers apart and its blocks measured."""
    return BLOCK.sub(_state_lines, SESSION.sub(_join_answers, article))


def _join_answers(session: re.Match[str]) -> str:
    def join(answer: re.Match[str]) -> str:
        return '<span class="go">' + OUTPUT.sub(r"\1", answer[0]) + "</span>"

    return session["head"] + ANSWER.sub(join, session["lines"]) + session["foot"]


def _state_lines(block: re.Match[str]) -> str:
    lines = block["lines"].count("\n")
    return f'<pre><span></span><code style="--lines: {lines}"{block["rest"]}'
