"""What the book costs as it grows: the site and the tests with 1, 2 and 4 times its chapters.

    uv run python benchmarks/site.py            # cold and warm build, one edit
    uv run python benchmarks/site.py --tests    # and all tests, which takes long

A copy of the project gets copies of every chapter, with ids, code and figures of their own,
so that nothing is kept from one for another. Printed are seconds of wall time and of CPU, and
their ratios to the book as it is: a cold build should grow as the book does, a warm one and
an edit hardly. Run it on a machine that does nothing else.
"""

import argparse
import contextlib
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
NOT_COPIED = shutil.ignore_patterns(".*_cache", ".cache", ".git", ".venv", "__pycache__", "site")
EDITED = "docs/chapters/relative.md"
ADDRESS = "chapters/relative/"
EDITS = 5
LONGEST = 900  # seconds that an edit may take

OWN_IDS = re.compile(r"\b(eq|fig|explore)-(?=[a-z])")
FIGURE = re.compile(r"^(```\{\.python \.figure[^\n]*\n)", re.MULTILINE)
ENTRY = re.compile(r"^(?=\[{1,2}[\w-]+\]{1,2}$)", re.MULTILINE)
UNIQUE = re.compile(r"^(?:questions|mirrors):\n(?: +[^\n]*\n)+", re.MULTILINE)


def grown(folder: Path, times: int) -> Path:
    """Return a copy of the project in a folder with so many times its chapters."""
    copy = folder / f"posenc-{times}"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    settings = copy / "mkdocs.yml"
    nav = settings.read_text("utf-8")
    for chapter in sorted((copy / "docs/chapters").glob("*.md")):
        line = f"      - chapters/{chapter.name}\n"
        more = ""
        for number in range(2, times + 1):
            twin = chapter.with_name(f"{chapter.stem}{number}.md")
            twin.write_text(twin_of(chapter.read_text("utf-8"), number), "utf-8")
            list_twin(copy, chapter.stem, number)
            more += line.replace(chapter.name, twin.name)
        nav = nav.replace(line, line + more)
    settings.write_text(nav, "utf-8")
    return copy


def twin_of(text: str, number: int) -> str:
    """Return a chapter with ids, code and figures of its own."""
    text = with_own_ids(UNIQUE.sub("", text), number)
    text = text.replace("data-explorer: copy", "data-explorer: ")
    text = re.sub(rf"id: explore-copy{number}-([\w-]+)", r"id: explore-\1", text)
    text = re.sub(r"^title: (.*)$", rf"title: \1 {number}", text, count=1, flags=re.MULTILINE)
    text = FIGURE.sub(rf"\1# copy {number}\n", text)
    return text.replace("```pycon\n", f"```pycon\n>>> copy_number = {number}\n", 1)


def list_twin(copy: Path, stem: str, number: int) -> None:
    """Copy the entries of a chapter in `docs/reference/*.toml` for its twin."""
    text = (copy / f"docs/chapters/{stem}.md").read_text("utf-8")
    for file in (copy / "docs/reference").glob("*.toml"):
        listed = file.read_text("utf-8")
        for entry in ENTRY.split(listed)[1:]:
            said = re.search(r'^(?:\[|id = "|equation = ")((?:eq|fig)-[\w-]+)["\]]$', entry, re.M)
            chapter = f"[[{stem}]]" in entry or f'page = "docs/chapters/{stem}.md"' in entry
            # Where it stands, or is drawn; a link to it looks otherwise.
            states = said and re.search(rf"(?:id: | #){said[1]}(?![\w-])", text)
            if chapter or states:
                own = with_own_ids(entry, number).replace(f"[[{stem}]]", f"[[{stem}{number}]]")
                listed += "\n" + own.replace(f"/{stem}.md", f"/{stem}{number}.md")
        file.write_text(listed, "utf-8")


def with_own_ids(text: str, number: int) -> str:
    """Return a text that names the equations, figures and explorers of a twin."""
    return OWN_IDS.sub(rf"\1-copy{number}-", text)


def timed(folder: Path, *words: str) -> tuple[float, float]:
    """Return seconds of wall time and of CPU that a command takes; it must succeed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, env=environment(folder), capture_output=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{(done.stdout + done.stderr).decode()}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a command that uses the package of a folder."""
    return {**os.environ, "PYTHONPATH": str(folder), "NO_MKDOCS_2_WARNING": "1"}


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a book, and yield its address as soon as it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "serve", "--livereload", "-a", address],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        seen(f"http://{address}/{ADDRESS}", "")
        yield f"http://{address}/"
    finally:
        server.terminate()
        server.wait()


def seen(address: str, text: str) -> float:
    """Return after how many seconds a page shows a text."""
    start = time.perf_counter()
    while time.perf_counter() - start < LONGEST:
        with contextlib.suppress(OSError), urllib.request.urlopen(address) as page:
            if text in page.read().decode():
                return time.perf_counter() - start
        time.sleep(0.02)
    raise SystemExit(f"{address} did not come to show {text!r}")


def edit(folder: Path) -> float:
    """Return the median of some edits of a sentence: file written to page served."""
    page = folder / EDITED
    text = page.read_text("utf-8")
    found = []
    with served(folder) as site:
        for number in range(EDITS):
            time.sleep(2)  # the server has settled; an edit while it builds would wait for that
            mark = f"Edited for the {number}th time."
            page.write_text(text.rstrip("\n") + f"\n\n{mark}\n", "utf-8")
            found.append(seen(f"{site}{ADDRESS}", mark))
    page.write_text(text, "utf-8")
    return median(found)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tests", action="store_true", help="run all tests of each size, too")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    first: dict[str, float] = {}
    print(f"{'':24}{'chapters':>9}{'wall, s':>9}{'CPU, s':>9}{'ratio':>7}")

    def told(what: str, times: int, wall: float, cpu: float | None = None) -> None:
        ratio = wall / first.setdefault(what, wall)
        spent = f"{cpu:9.1f}" if cpu is not None else " " * 9
        print(f"{what:24}{times:>8}x{wall:9.1f}{spent}{ratio:7.2f}", flush=True)

    for times in arguments.times:
        with tempfile.TemporaryDirectory() as folder:
            copy = grown(Path(folder), times)
            told("cold build", times, *timed(copy, "mkdocs", "build", "--strict"))
            told("warm build", times, *timed(copy, "mkdocs", "build", "--strict"))
            told("edit of a sentence", times, edit(copy))
            if arguments.tests:
                told("tests of the pages", times, *timed(copy, "pytest", "-q", "docs"))


if __name__ == "__main__":
    main()
