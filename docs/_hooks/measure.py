"""Measure how strong the cards are, which other answers are blind, and what all are tried on.

    uv run python docs/_hooks/measure.py            # pages where something has changed
    uv run python docs/_hooks/measure.py --all      # every page, which takes minutes

A fault is put into the lines that a card shows, and its own verification should notice:
`engine/faults.py` says which there are, `engine/strength.py` what counts as noticed. What the
package returns to a page is made wrong, and the answers outside of cards should be others:
`engine/blind.py`. What a page gives to the package is counted: `engine/given.py`. All is kept, in
`docs/reference/`, as `strength.json`, `blind.json` and `given.json`.
"""

import argparse
import json
import re
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.dependencies import Package
from engine.places import DOCS, PACKAGE, named
from engine.texts import read
from pages import blind, given, rules, strength
from pages.records import changed
from pages.strength import Record

COUNTS = re.compile(r'\{\s+"[^{}\[\]]*": \d+\s+\}')  # a line is enough for these


def measured(page: Path) -> dict[str, Record]:
    """Return the strength of each card of a page."""
    package = Package(PACKAGE)
    return dict(strength.measured(rules.pages(package).parse(page), package))


def blinds(page: Path) -> blind.Record:
    """Return which answers of a page are blind."""
    package = Package(PACKAGE)
    return blind.measured(rules.pages(package).parse(page), package)


def gives(page: Path) -> given.Record:
    """Return what a page gives to the package."""
    package = Package(PACKAGE)
    return given.measured(rules.pages(package).parse(page), package)


def _told(record: Record) -> dict[str, Any]:
    """Return what is kept of a card, without what there is none of."""
    told = {key: value for key, value in asdict(record).items() if value != {}}
    if not record.fell:
        del told["fell"]
    told["strictness"] = {key: value for key, value in told["strictness"].items() if value}
    return told


def main() -> None:
    """Measure, print, and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="measure every page again")
    every = parser.parse_args().all
    package, chapters = Package(PACKAGE), sorted((DOCS / "chapters").glob("*.md"))
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:  # each begins with nothing loaded
        cards(pool, chapters, package, every=every)
        arguments(pool, given.pages(), package, every=every)
        answers(pool, blind.pages(), package, every=every)


def cards(pool: Executor, chapters: list[Path], package: Package, *, every: bool) -> None:
    """Measure the cards."""
    known = strength.stored()
    pages = chapters if every else strength.changed(chapters, package)
    for page, found in zip(pages, pool.map(measured, pages), strict=True):
        for name, record in found.items():
            print(f"{page.stem:14} {name:32} {record}", flush=True)
        known |= found
    there = [name for page in chapters for name in strength.keys(read(page), package)]
    kept = {name: _told(known[name]) for name in there}
    _keep(strength.STORED, kept)
    noticed = sum(record["noticed"] for record in kept.values())
    faults = sum(record["faults"] for record in kept.values())
    print(f"{len(kept)} cards, {noticed} of {faults} faults noticed: {noticed / faults:.1%}")


def answers(pool: Executor, book: list[Path], package: Package, *, every: bool) -> None:
    """Measure the answers outside of cards."""
    known = blind.stored()
    pages = book if every else changed(book, known, blind.key, package)
    for page, found in zip(pages, pool.map(blinds, pages), strict=True):
        known |= {named(page): found}
        kept = {named(one): asdict(known[named(one)]) for one in book if named(one) in known}
        _keep(blind.STORED, kept)  # at once: whoever stops here has what was measured
        for _, said in blind.wrong(read(page), named(page), found):
            print(f"{page.stem:14} {said}", flush=True)
    judged = sum(one.judged for one in known.values())
    blinds_there = sum(len(one.blind) for one in known.values())
    print(
        f"{judged} answers outside of cards, {blinds_there} blind parts, with a reason or without"
    )


def arguments(pool: Executor, book: list[Path], package: Package, *, every: bool) -> None:
    """Count what pages give to the package."""
    known = given.stored()
    pages = book if every else changed(book, known, blind.key, package)
    for page, found in zip(pages, pool.map(gives, pages), strict=True):
        known |= {named(page): found}
        for said in given.wrong(found):
            print(f"{page.stem:14} {said}", flush=True)
    kept = {named(page): asdict(known[named(page)]) for page in book}
    _keep(given.STORED, kept)
    print(f"{sum(len(one['most']) for one in kept.values())} arguments of {len(kept)} pages")


def _keep(file: Path, kept: dict[str, Any]) -> None:
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    text = COUNTS.sub(lambda found: " ".join(found[0].split()), text)
    file.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
