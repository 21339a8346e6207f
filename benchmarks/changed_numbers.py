r"""Which numbers in the prose of pages could be wrong and nobody would notice?

    uv run python -m benchmarks.changed_numbers [PAGE ...] [--list]

The last digit of each number in prose is changed, one at a time, and the rules that look at
numbers are run. `--list` prints each number that can change unnoticed, with its line: if it is a
result, its sentence needs a check. Left out are years, versions, sections of papers, formulas
with letters, displayed formulas, and lines that link the source that they quote.
"""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/_hooks"))

from sybil import Document

from check import plain_equations, prose_numbers, prose_tables
from check.fences import blank_out, find_fences, keep_prose
from check.formulas import DISPLAY
from check.page_source import FRONT_MATTER, read_page
from check.paths import DOCS
from check.prose_numbers import EXEMPT_FOLDERS, NOT_A_RESULT, SOURCE_LINK, YEARS

FORMULA = re.compile(r"\$[^$\n]*[A-Za-z\\^][^$\n]*\$")  # with letters
STATEMENT = re.compile(r"^/// statement.*?^///$", re.MULTILINE | re.DOTALL)
DIGITS = re.compile(r"(?<![\w.:/#\\-])\d+(?:[ ,]\d{3})*(?:\.\d+)?(?![\w/]|[.:-]\d)")


def complaints(path: Path, text: str) -> set[str]:
    """Return what the rules that look at numbers say of a page."""
    found = {message for _, message in prose_numbers.find_unsupported(text)}
    for rule in (prose_tables, plain_equations):
        found |= {region.parsed for region in rule.parse(Document(text, str(path)))}
    return found


def numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers in the prose of a page, in order."""
    visible = keep_prose(text)
    for pattern in (FRONT_MATTER, STATEMENT, DISPLAY, FORMULA):
        visible = pattern.sub(lambda match: blank_out(match[0]), visible)
    place = 0
    for line in visible.split("\n"):
        said = NOT_A_RESULT.sub(lambda match: blank_out(match[0]), line)
        if not SOURCE_LINK.search(line) and not line.startswith(("///", "    attrs", "{", "<")):
            for match in DIGITS.finditer(visible, place, place + len(line)):
                kept = said[match.start() - place : match.end() - place].strip()
                if kept and not (match[0].isdigit() and int(match[0]) in YEARS):
                    yield match
        place += len(line) + 1


def change(text: str, place: int) -> str:
    """Return a text with the digit that ends at a place one larger, 9 becoming 8."""
    digit = text[place - 1]
    return text[: place - 1] + ("8" if digit == "9" else str(int(digit) + 1)) + text[place:]


def unnoticed(path: Path) -> tuple[list[re.Match[str]], int]:
    """Return the numbers of a page whose last digit can change unnoticed, and how many it has."""
    text = read_page(path)
    before = complaints(path, text)
    every = [*numbers(text)]
    return [one for one in every if complaints(path, change(text, one.end())) <= before], len(every)


def pages() -> list[Path]:
    """Return the pages that give results."""
    found = (page for page in sorted(DOCS.rglob("*.md")) if page.parent.name not in EXEMPT_FOLDERS)
    return [
        page for page in found if any(f.language == "pycon" for f in find_fences(read_page(page)))
    ]


def main() -> int:
    """Print a line for each page."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("pages", nargs="*", type=Path)
    asked.add_argument("--list", action="store_true")
    options = asked.parse_args()
    for page in [path.resolve() for path in options.pages] or pages():
        left, total = unnoticed(page)
        print(f"{page.relative_to(ROOT)}: {total - len(left)} of {total} noticed")
        if options.list:
            text = read_page(page)
            for match in left:
                line = text.count("\n", 0, match.start()) + 1
                print(f"  {line}: {match[0]:>8}  {text.splitlines()[line - 1][:150]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
