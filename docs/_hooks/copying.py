"""What the copy button copies: code that runs, without prompts and without output."""

import html
import re

SESSION = re.compile(
    r'<div class="(?P<classes>language-pycon\b[^"]*)">(?P<shown>.*?</code></pre></div>)', re.DOTALL
)
PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)(?P<code>[^\n]*)", re.MULTILINE)


def with_code_to_copy(page: str) -> str:
    """Return the HTML of a page with the bare code as `data-copy`, which Material prefers."""
    return SESSION.sub(_session, page)


def _session(match: re.Match[str]) -> str:
    text = html.unescape(re.sub(r"<[^>]+>", "", match["shown"]))
    code = html.escape("\n".join(PROMPT.findall(text)), quote=True)
    return f'<div class="{match["classes"]}" data-copy="{code}">{match["shown"]}'
