"""The box "Cite this page" with the BibTeX entry of a page, from CITATION.cff."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from check.page_source import get_front_matter
from check.paths import DOCS, ROOT

CITATION = ROOT / "CITATION.cff"


@dataclass(frozen=True)
class Work:
    """The book and its package, as CITATION.cff describes them."""

    title: str
    author: str
    version: str
    year: int


def read_citation() -> Work:
    """Return the content of CITATION.cff."""
    return _parse_citation(CITATION.read_text("utf-8"))


@lru_cache(maxsize=2)
def _parse_citation(text: str) -> Work:
    fields = yaml.safe_load(text)
    names = (
        author.get("name") or f"{author['family-names']}, {author['given-names']}"
        for author in fields["authors"]
    )
    # Braces keep BibTeX from splitting the name of a group into first and last name.
    author = " and ".join(name if ", " in name else f"{{{name}}}" for name in names)
    return Work(fields["title"], author, str(fields["version"]), fields["date-released"].year)


def render_bibtex(page: Path, title: str, chapter: str, url: str) -> str:
    """Return the BibTeX entry of a page; number of the chapter and URL may be empty."""
    work = read_citation()
    path = page.relative_to(DOCS).with_suffix("").parts
    fields = {"author": work.author, "title": f"{{{_escape_latex(title)}}}"}
    if path == ("index",):
        kind, fields["title"] = "misc", f"{{{_escape_latex(work.title)}}}"
    else:
        kind, fields["booktitle"] = "incollection", f"{{{_escape_latex(work.title)}}}"
        fields |= {"chapter": chapter, "publisher": work.author}
    fields |= {"year": str(work.year), "note": f"Version {work.version}", "url": url}
    key = "-".join(["posenc", *(part for part in path if part not in ("index", "chapters"))])
    lines = [f"  {name:9} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _escape_latex(title: str) -> str:
    return re.sub(r"[&%#_$]", r"\\\g<0>", title)


def render_citation_box(path: Path, text: str, chapter: str, url: str) -> str:
    """Return the collapsed box at the end of a page; search leaves it out."""
    title = str(get_front_matter(text).get("title", path.stem))
    return f"""

/// details | Cite this page
    type: cite
    attrs: {{data-search-exclude: ""}}

```bibtex
{render_bibtex(path, title, chapter, url)}
```
///
"""
