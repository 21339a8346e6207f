r"""Count the numbers in prose whose last digit could change without any rule noticing.

    uv run python -m benchmarks.changed_numbers [PAGE ...] [--list]

The last digit of each number in prose is changed, one number at a time, and the rules for numbers
are applied. `--list` prints each number that can change unnoticed, with its line: if it is a
result, its sentence needs a check. Years, versions, sections of papers, formulas with letters,
displayed formulas, and lines that link their source are left out.
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
NUMBER = re.compile(r"(?<![\w.:/#\\-])\d+(?:[ ,]\d{3})*(?:\.\d+)?(?![\w/]|[.:-]\d)")


def find_problems(path: Path, text: str) -> set[str]:
    """Return the messages of the rules for numbers, for a page with this text."""
    messages = {message for _, message in prose_numbers.find_unsupported(text)}
    for rule in (prose_tables, plain_equations):
        messages |= {region.parsed for region in rule.parse(Document(text, str(path)))}
    return messages


def find_numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers in the prose of a page that may be results, in order."""
    visible = keep_prose(text)
    for pattern in (FRONT_MATTER, STATEMENT, DISPLAY, FORMULA):
        visible = pattern.sub(lambda match: blank_out(match[0]), visible)
    start = 0
    for line in visible.split("\n"):
        results = NOT_A_RESULT.sub(lambda match: blank_out(match[0]), line)
        if not SOURCE_LINK.search(line) and not line.startswith(
            ("#", "///", "    attrs", "{", "<")
        ):
            for match in NUMBER.finditer(visible, start, start + len(line)):
                is_result = results[match.start() - start : match.end() - start].strip()
                if is_result and not (match[0].isdigit() and int(match[0]) in YEARS):
                    yield match
        start += len(line) + 1


def change_digit(text: str, end: int) -> str:
    """Return a text with the digit before a position increased by one, or with 8 for 9."""
    digit = text[end - 1]
    return text[: end - 1] + ("8" if digit == "9" else str(int(digit) + 1)) + text[end:]


def find_unnoticed(path: Path) -> tuple[list[re.Match[str]], int]:
    """Return the numbers of a page that can change unnoticed, and the count of all numbers."""
    text = read_page(path)
    before = find_problems(path, text)
    numbers = [*find_numbers(text)]
    unnoticed = [
        number
        for number in numbers
        if find_problems(path, change_digit(text, number.end())) <= before
    ]
    return unnoticed, len(numbers)


def list_pages() -> list[Path]:
    """Return the pages with sessions, in the folders where numbers need evidence."""
    pages = (page for page in sorted(DOCS.rglob("*.md")) if page.parent.name not in EXEMPT_FOLDERS)
    return [
        page
        for page in pages
        if any(fence.language == "pycon" for fence in find_fences(read_page(page)))
    ]


def main() -> int:
    """Print a line for each page."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    for page in [path.resolve() for path in options.pages] or list_pages():
        unnoticed, total = find_unnoticed(page)
        print(f"{page.relative_to(ROOT)}: {total - len(unnoticed)} of {total} noticed")
        if options.list:
            text = read_page(page)
            for match in unnoticed:
                line = text.count("\n", 0, match.start()) + 1
                print(f"  {line}: {match[0]:>8}  {text.splitlines()[line - 1][:150]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
