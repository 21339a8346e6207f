"""The claims of a page in one line each, by verdict: where to look one up."""

import re

MARK = "<!-- claims -->"
CLAIM = re.compile(
    r"^/// claim \| (?P<title>[^\n]+)\n    attrs: \{id: (?P<id>[\w-]+)\}\n+"
    r"\*\*(?P<verdict>\w+)\.\*\*",
    re.MULTILINE,
)


def render_claim_list(text: str) -> str:
    """Return a list for each verdict, in the order in which they are met."""
    found: dict[str, list[str]] = {}
    for claim in CLAIM.finditer(text):
        found.setdefault(claim["verdict"], []).append(f"- [{claim['title']}](#{claim['id']})")
    return "\n\n".join("\n".join([f"{verdict}:", "", *lines]) for verdict, lines in found.items())
