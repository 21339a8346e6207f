"""Labs as pages: what stands around their title, and the list of all of them."""

import re
from collections.abc import Iterable, Iterator
from os.path import relpath
from pathlib import Path

from check import lab_source
from check.page_source import get_front_matter, read_page

MARK = "<!-- labs -->"
TITLE = re.compile(r"^# [^\n]+\n", re.MULTILINE)


def add_lab_head(page: Path, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what is put around the title of a lab: what it is, its question, where to take it."""
    said, title = get_front_matter(text), TITLE.search(text)
    if title:
        links = "".join(
            f'<span><a href="../{page.stem}.{suffix}" download>{name}</a></span>'
            for suffix, name in (("ipynb", "notebook"), ("py", "script"))
        )
        facts = f'<p class="facts"><span>{said.get("minutes")} minutes</span>{links}</p>'
        yield title.start(), title.start(), '<p class="eyebrow">Lab</p>\n\n'
        yield title.end(), title.end(), f"\n{said.get('question')}\n{{ .lead }}\n\n{facts}\n\n"


def render_lab_table(pages: Iterable[Path], page: Path) -> str:
    """Return the labs as a table, in the order of the navigation."""
    rows = ["| lab | its question | minutes |", "| :-- | :-- | --: |"]
    for lab in filter(lab_source.is_lab, pages):
        said, way = get_front_matter(read_page(lab)), relpath(lab.with_suffix(".md"), page.parent)
        rows.append(
            f"| [{said.get('title')}]({way}) | {said.get('question')} | {said.get('minutes')} |"
        )
    return "\n".join(rows)
