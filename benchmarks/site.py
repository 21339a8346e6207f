"""How do build times grow? The site and the tests with 1, 2 and 4 times the chapters.

    uv run python benchmarks/site.py            # cold and warm build, one edit
    uv run python benchmarks/site.py --tests    # and all tests, which take long

Copy the project, and copy each chapter in it with other ids, code and figures, so that the copies
share no cache entries. Print wall time and CPU time in seconds, and their ratios to the original
book. Cold builds should grow linearly, warm builds and edits hardly at all. Use an idle machine.
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
LONGEST = 900  # seconds to wait for an edit

OWN_IDS = re.compile(r"\b(eq|fig|explore)-(?=[a-z])")
FIGURE = re.compile(r"^(```\{\.python \.figure[^\n]*\n)", re.MULTILINE)
ENTRY = re.compile(r"^(?=\[{1,2}[\w-]+\]{1,2}$)", re.MULTILINE)
UNIQUE = re.compile(r"^(?:questions|mirrors):\n(?: +[^\n]*\n)+", re.MULTILINE)


def copy_with_chapters(folder: Path, times: int) -> Path:
    """Return a copy of the project with a multiple of its chapters."""
    copy = folder / f"posenc-{times}"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    settings = copy / "mkdocs.yml"
    nav = settings.read_text("utf-8")
    for chapter in sorted((copy / "docs/chapters").glob("*.md")):
        line = f"      - chapters/{chapter.name}\n"
        more = ""
        for number in range(2, times + 1):
            twin = chapter.with_name(f"{chapter.stem}{number}.md")
            twin.write_text(make_twin(chapter.read_text("utf-8"), number), "utf-8")
            list_twin(copy, chapter.stem, number)
            more += line.replace(chapter.name, twin.name)
        nav = nav.replace(line, line + more)
    settings.write_text(nav, "utf-8")
    return copy


def make_twin(text: str, number: int) -> str:
    """Return a copy of a chapter with other ids and slightly other code."""
    text = replace_ids(UNIQUE.sub("", text), number)
    text = text.replace("data-explorer: copy", "data-explorer: ")
    text = re.sub(rf"id: explore-copy{number}-([\w-]+)", r"id: explore-\1", text)
    text = re.sub(r"^title: (.*)$", rf"title: \1 {number}", text, count=1, flags=re.MULTILINE)
    text = FIGURE.sub(rf"\1# copy {number}\n", text)
    return text.replace("```pycon\n", f"```pycon\n>>> copy_number = {number}\n", 1)


def list_twin(copy: Path, stem: str, number: int) -> None:
    """Copy the entries for a chapter in `docs/reference/*.toml` to its twin."""
    text = (copy / f"docs/chapters/{stem}.md").read_text("utf-8")
    for file in (copy / "docs/reference").glob("*.toml"):
        listed = file.read_text("utf-8")
        for entry in ENTRY.split(listed)[1:]:
            said = re.search(r'^(?:\[|id = "|equation = ")((?:eq|fig)-[\w-]+)["\]]$', entry, re.M)
            chapter = f"[[{stem}]]" in entry or f'page = "docs/chapters/{stem}.md"' in entry
            # Where it stands, or is drawn; a link to it looks otherwise.
            states = said and re.search(rf"(?:id: | #){said[1]}(?![\w-])", text)
            if chapter or states:
                own = replace_ids(entry, number).replace(f"[[{stem}]]", f"[[{stem}{number}]]")
                listed += "\n" + own.replace(f"/{stem}.md", f"/{stem}{number}.md")
        file.write_text(listed, "utf-8")


def replace_ids(text: str, number: int) -> str:
    """Return a text with the ids of equations, figures and explorers replaced by the twin's."""
    return OWN_IDS.sub(rf"\1-copy{number}-", text)


def run_timed(folder: Path, *words: str) -> tuple[float, float]:
    """Run a command that must succeed; return its wall time and CPU time in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=make_environment(folder),
        capture_output=True,
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{(done.stdout + done.stderr).decode()}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_environment(folder: Path) -> dict[str, str]:
    """Return the environment for a command that imports posenc from a folder."""
    return {**os.environ, "PYTHONPATH": str(folder), "NO_MKDOCS_2_WARNING": "1"}


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a book, and yield its address once it responds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "serve", "--livereload", "-a", address],
        cwd=folder,
        env=make_environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_text(f"http://{address}/{ADDRESS}", "")
        yield f"http://{address}/"
    finally:
        server.terminate()
        server.wait()


def wait_for_text(address: str, text: str) -> float:
    """Return the seconds until a page contains a text."""
    start = time.perf_counter()
    while time.perf_counter() - start < LONGEST:
        with contextlib.suppress(OSError), urllib.request.urlopen(address) as page:
            if text in page.read().decode():
                return time.perf_counter() - start
        time.sleep(0.02)
    raise SystemExit(f"{address} did not come to show {text!r}")


def measure_edit(folder: Path) -> float:
    """Return the median time from saving an edited sentence to the new page being served."""
    page = folder / EDITED
    text = page.read_text("utf-8")
    found = []
    with serve(folder) as site:
        for number in range(EDITS):
            time.sleep(2)  # an edit during a build would include the rest of that build
            mark = f"Edited for the {number}th time."
            page.write_text(text.rstrip("\n") + f"\n\n{mark}\n", "utf-8")
            found.append(wait_for_text(f"{site}{ADDRESS}", mark))
    page.write_text(text, "utf-8")
    return median(found)


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tests", action="store_true", help="run all tests of each size, too")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    first: dict[str, float] = {}
    print(f"{'':24}{'chapters':>9}{'wall, s':>9}{'CPU, s':>9}{'ratio':>7}")

    def print_result(what: str, times: int, wall: float, cpu: float | None = None) -> None:
        ratio = wall / first.setdefault(what, wall)
        spent = f"{cpu:9.1f}" if cpu is not None else " " * 9
        print(f"{what:24}{times:>8}x{wall:9.1f}{spent}{ratio:7.2f}", flush=True)

    for times in arguments.times:
        with tempfile.TemporaryDirectory() as folder:
            copy = copy_with_chapters(Path(folder), times)
            print_result("cold build", times, *run_timed(copy, "mkdocs", "build", "--strict"))
            print_result("warm build", times, *run_timed(copy, "mkdocs", "build", "--strict"))
            print_result("edit of a sentence", times, measure_edit(copy))
            if arguments.tests:
                print_result("tests of the pages", times, *run_timed(copy, "pytest", "-q", "docs"))


if __name__ == "__main__":
    main()
