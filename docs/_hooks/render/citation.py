"""How to cite: the BibTeX of a page, from the file that says how to cite the whole."""

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
    """What CITATION.cff says of the book and the package."""

    title: str
    author: str
    version: str
    year: int


def read_citation() -> Work:
    """Return what CITATION.cff says."""
    return _parse_citation(CITATION.read_text("utf-8"))


@lru_cache(maxsize=2)
def _parse_citation(text: str) -> Work:
    said = yaml.safe_load(text)
    names = (
        author.get("name") or f"{author['family-names']}, {author['given-names']}"
        for author in said["authors"]
    )
    author = " and ".join(f"{{{name}}}" if ", " not in name else name for name in names)
    return Work(said["title"], author, str(said["version"]), said["date-released"].year)


def render_bibtex(page: Path, title: str, chapter: str, url: str) -> str:
    """Return the entry of a page; `chapter` is its number, and may be empty as the URL may."""
    book = read_citation()
    way = page.relative_to(DOCS).with_suffix("").parts
    fields = {"author": book.author, "title": f"{{{_escape_latex(title)}}}"}
    if way == ("index",):
        kind, fields["title"] = "misc", f"{{{_escape_latex(book.title)}}}"
    else:
        kind, fields["booktitle"] = "incollection", f"{{{_escape_latex(book.title)}}}"
        fields |= {"chapter": chapter, "publisher": book.author}
    fields |= {"year": str(book.year), "note": f"Version {book.version}", "url": url}
    key = "-".join(["posenc", *(word for word in way if word not in ("index", "chapters"))])
    lines = [f"  {name:9} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _escape_latex(title: str) -> str:
    """Return a title in which LaTeX sees no commands."""
    return re.sub(r"[&%#_$]", r"\\\g<0>", title)


def render_citation_box(path: Path, text: str, chapter: str, url: str) -> str:
    """Return the foot of a page that says how to cite it, folded, for readers and not search."""
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
