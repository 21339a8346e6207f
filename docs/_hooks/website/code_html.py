"""HTML of code blocks: answers of sessions as elements of their own, and the number of lines.

Material's copy button copies the visible text, and `code.css` hides prompts and answers while it
does so. For this each answer has to be one element with its line ends. With the number of lines,
the browser can reserve the height of a block before it renders it.
"""

import re

SESSION = re.compile(
    r'(?P<head><div class="language-pycon\b[^>]*>.*?<code\b[^>]*>)(?P<lines>.*?)(?P<foot></code>)',
    re.DOTALL,
)
# Lines without a prompt. Pygments closes all elements at the end of each line.
ANSWER = re.compile(r'(?:^(?!(?:<a [^>]*></a>)?<span class="gp">).*\n)+', re.MULTILINE)
OUTPUT = re.compile(r'<span class="go">([^<]*)</span>')
BLOCK = re.compile(r"<pre><span></span><code(?P<rest>>(?P<lines>.*?)</code></pre>)", re.DOTALL)


def separate_answers(article: str) -> str:
    """Return the HTML of an article with one element for each answer and the lines of blocks."""
    return BLOCK.sub(_add_line_count, SESSION.sub(_join_answers, article))


def _join_answers(session: re.Match[str]) -> str:
    def join(answer: re.Match[str]) -> str:
        return '<span class="go">' + OUTPUT.sub(r"\1", answer[0]) + "</span>"

    return session["head"] + ANSWER.sub(join, session["lines"]) + session["foot"]


def _add_line_count(block: re.Match[str]) -> str:
    lines = block["lines"].count("\n")
    return f'<pre><span></span><code style="--lines: {lines}"{block["rest"]}'
