"""Measure how strong the cards are, and keep it in `docs/reference/strength.json`.

    uv run python docs/_hooks/measure.py            # pages with a card that has changed
    uv run python docs/_hooks/measure.py --all      # every page, which takes minutes

A fault is put into the lines that a card shows, and its own verification should notice:
`engine/faults.py` says which there are, `engine/strength.py` what counts as noticed.
"""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from engine.dependencies import Package
from engine.places import DOCS, PACKAGE
from engine.texts import read
from pages import rules, strength
from pages.strength import Record


def measured(page: Path) -> dict[str, Record]:
    """Return the strength of each card of a page."""
    package = Package(PACKAGE)
    return dict(strength.measured(rules.pages(package).parse(page), package))


def _told(record: Record) -> dict[str, Any]:
    """Return what is kept of a card, without what there is none of."""
    told = {key: value for key, value in asdict(record).items() if value != {}}
    told["strictness"] = {key: value for key, value in told["strictness"].items() if value}
    return told


def main() -> None:
    """Measure, print, and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="measure every card again")
    arguments = parser.parse_args()
    package, chapters = Package(PACKAGE), sorted((DOCS / "chapters").glob("*.md"))
    known, asked = strength.stored(), partial(strength.changed, package=package)
    pages = chapters if arguments.all else asked(chapters)
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:  # each begins with nothing loaded
        for page, found in zip(pages, pool.map(measured, pages), strict=True):
            for name, record in found.items():
                print(f"{page.stem:14} {name:32} {record}", flush=True)
            known |= found
    there = [name for page in chapters for name in strength.keys(read(page), package)]
    kept = {name: _told(known[name]) for name in there}
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    strength.STORED.write_text(f"{text}\n", "utf-8")
    noticed = sum(record["noticed"] for record in kept.values())
    faults = sum(record["faults"] for record in kept.values())
    print(f"{len(kept)} cards, {noticed} of {faults} faults noticed: {noticed / faults:.1%}")


if __name__ == "__main__":
    main()
