"""What the copy button copies: code that runs, without prompts and without output.

Material copies what is visible of a block, and says so while it does: `code.css` hides
prompts then, and answers. So each answer becomes one element, with the ends of its lines.
"""

import re

SESSION = re.compile(
    r'(?P<head><div class="language-pycon\b[^>]*>.*?<code\b[^>]*>)(?P<lines>.*?)(?P<foot></code>)',
    re.DOTALL,
)
# Lines that no prompt begins. Pygments closes all its elements at the end of each line.
ANSWER = re.compile(r'(?:^(?!(?:<a [^>]*></a>)?<span class="gp">).*\n)+', re.MULTILINE)
OUTPUT = re.compile(r'<span class="go">([^<]*)</span>')


def with_answers_apart(page: str) -> str:
    """Return the HTML of a page with every answer of a session in an element of its own."""
    return SESSION.sub(
        lambda session: session["head"] + ANSWER.sub(_apart, session["lines"]) + session["foot"],
        page,
    )


def _apart(answer: re.Match[str]) -> str:
    return '<span class="go">' + OUTPUT.sub(r"\1", answer[0]) + "</span>"
