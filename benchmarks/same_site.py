"""Compare two builds of the site file by file, and show where files differ first.

    uv run python benchmarks/same_site.py before/site after/site

Use it for changes that should not affect readers. The exit code is 1 if anything differs.
"""

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

SHOWN = 100  # characters around the first difference


def find_differences(before: Path, after: Path) -> Iterator[str]:
    """Yield a line for each file that only one build has or that differs."""
    old, new = (
        {path.relative_to(site) for path in site.rglob("*") if path.is_file()}
        for site in (before, after)
    )
    yield from (f"gone: {path}" for path in sorted(old - new))
    yield from (f"new: {path}" for path in sorted(new - old))
    for path in sorted(old & new):
        was, now = (before / path).read_bytes(), (after / path).read_bytes()
        if was != now:
            yield f"other: {path}, {len(was)} bytes, now {len(now)}\n{show_difference(was, now)}"


def show_difference(was: bytes, now: bytes) -> str:
    """Return the text around the first difference of two files."""
    place = next((n for n, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), len(was))
    near = slice(max(place - SHOWN // 2, 0), place + SHOWN)
    old, new = (text[near].decode("utf-8", "replace") for text in (was, now))
    return "\n".join(difflib.ndiff([old], [new]))


def main(before: str, after: str) -> int:
    """Print the differences, and return the exit code."""
    found = list(find_differences(Path(before), Path(after)))
    print("\n".join(found) or "the same bytes in every file")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
