"""Pages that attack their neighbours: each is told at its line, and no other page is spoilt."""

import os
import random
import threading
from pathlib import Path

import matplotlib
import numpy as np
import pytest

import posenc
from check import isolation
from check.page_check import Failure
from check.paths import ROOT
from tests.checking import check
from tests.nav import CHAPTERS

MINE = ROOT / "written-by-a-page.txt"

# What a page does in its second line of code, and what is said of that line.
SPOILING = {
    "os.chdir('/')": "it changes the working folder",
    "os.environ['POSENC_ATTACK'] = '1'": "it changes the environment",
    "sys.path.append('/')": "it changes sys.path",
    "sys.stderr = None": "it changes the standard streams",
    "sys.setrecursionlimit(5000)": "it changes the limit of recursion",
    "matplotlib.rcParams['font.size'] = 3": "it changes Matplotlib's settings",
    "posenc.inv_freq = None": "it changes a name of a module",
    "del math.pi": "it changes a name of a module",
    "np.pi = np.ones(3)": "it changes a name of a module",
    "builtins.sum = max": "it changes a name of a module",
    "sys.modules['posenc.core.angles'] = sys": "it changes a name of a module",
    "exit()": "SystemExit",
    "os._exit(0)": "SystemExit: 0",
    "os.kill(os.getpid(), signal.SIGVTALRM)": "computes for more than 120 s",
    "os.kill(os.getpid(), signal.SIGALRM)": "waits for more than 1800 s",
    "input('who? ')": "EOFError",
    "open('written-by-a-page.txt', 'w')": "a page changes no file of the project",
    "os.mkdir('written-by-a-page.txt')": "a page changes no file of the project",
    "os.remove('written-by-a-page.txt')": "a page changes no file of the project",
}
IMPORTS = "import builtins, math, matplotlib, numpy as np, os, posenc, signal, sys, threading"


def page(folder: Path, *lines: str, prompts: bool) -> Path:
    """Return a page with a fence of Python, or of prompts."""
    begins = ">>> " if prompts else ""
    code = "\n".join(f"{begins}{line}" for line in lines)
    file = folder / "page.md"
    file.write_text(f"```{'pycon' if prompts else 'python'}\n{code}\n```\n", "utf-8")
    return file


@pytest.mark.parametrize("prompts", [True, False], ids=["prompts", "fence"])
@pytest.mark.parametrize(("line", "said"), SPOILING.items())
def test_what_would_spoil_other_pages_is_told_at_its_line(tmp_path, line, said, prompts):
    before = Path.cwd(), {**os.environ}, matplotlib.rcParams["font.size"], posenc.inv_freq, np.pi

    (failure,) = check(page(tmp_path, IMPORTS, line, "x = 1", prompts=prompts)).failures

    if prompts or said.startswith(("Sys", "EOF", "comp", "waits", "a page")):
        assert failure.line == 3
    assert said in failure.message
    now = Path.cwd(), {**os.environ}, matplotlib.rcParams["font.size"], posenc.inv_freq, np.pi
    assert now == before
    assert not MINE.exists()


def test_a_thread_that_goes_on_is_told(tmp_path, monkeypatch):
    end = threading.Event()
    monkeypatch.setattr(threading.main_thread(), "end", end, raising=False)
    waits = "t = threading.Thread(target=threading.main_thread().end.wait)"
    try:
        found = check(page(tmp_path, IMPORTS, waits, "t.start()", "x = 1", prompts=True)).failures
    finally:
        end.set()

    assert [failure.line for failure in found] == [4]
    assert found[0].message.endswith(" at work; join it")


def test_threads_that_end_or_wait_in_a_pool_and_those_of_others_are_no_offence(
    tmp_path, monkeypatch
):
    pool = "from concurrent.futures import ThreadPoolExecutor as Pool; pool = Pool(1)"
    ends = "t = threading.Thread(target=print); t.start(); t.join()"
    asked = "pool.submit(sum, [1]).result()"
    main = threading.main_thread()
    turn, begun, end = threading.Event(), threading.Event(), threading.Event()
    monkeypatch.setattr(main, "turn", turn, raising=False)
    monkeypatch.setattr(main, "begun", begun, raising=False)

    def server() -> None:  # begins a thread while the page runs
        turn.wait()
        threading.Thread(target=end.wait).start()
        begun.set()

    beside = threading.Thread(target=server)
    beside.start()
    try:
        served = "m = threading.main_thread(); m.turn.set(); m.begun.wait()"
        lines = [IMPORTS, pool, ends, f"x = {asked}", served]
        assert check(page(tmp_path, *lines, prompts=False)).failures == []
    finally:
        turn.set()
        end.set()
        beside.join()


def ended(folder: Path, code: str) -> Failure:
    (failure,) = check(page(folder, *code.split("\n"), prompts=False)).failures
    return failure


def test_what_never_ends_is_stopped_at_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation, "COMPUTES", 0.2)
    failure = ended(
        tmp_path,
        "x = 0\nwhile True:\n    try:\n        x += 1\n    except Exception:\n        pass",
    )

    assert failure.line in (3, 4, 5)
    assert failure.message.startswith("check.isolation.EndlessError: computes for more than 0.2 s")


def test_what_waits_for_ever_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation, "WAITS", 0.2)
    failure = ended(tmp_path, "import threading\nthreading.Event().wait()")

    # At which line, says the signal above: a machine under load may not have come to the wait.
    assert "waits for more than 0.2 s" in failure.message


def test_what_prints_without_end_is_stopped(tmp_path):
    for prompts in (True, False):
        file = page(tmp_path, "x = 1", "while True: print('more')", prompts=prompts)
        (failure,) = check(file).failures
        assert failure.line == 3
        assert "prints more than 1000000 characters" in failure.message


@pytest.mark.parametrize("inside", [True, False], ids=["in a cache", "elsewhere"])
def test_files_elsewhere_and_in_caches_may_be_written(tmp_path, inside):
    other = (ROOT / ".cache" if inside else tmp_path) / f"by-{tmp_path.name}.txt"
    other.parent.mkdir(exist_ok=True)
    try:
        code = f"open({str(other)!r}, 'w').close()"
        assert check(page(tmp_path, code, prompts=False)).failures == []
        assert other.exists()
    finally:
        other.unlink(missing_ok=True)


def test_a_page_draws_random_numbers_of_its_own(tmp_path):
    seeded = page(
        tmp_path, "import random, numpy as np", "np.random.seed(1); random.seed(1)", prompts=False
    )
    drawn = set()
    for _ in range(2):
        assert check(seeded).failures == []
        unseeded = tmp_path / "other.md"
        unseeded.write_text("```python\nimport random, numpy as np\n```\n", "utf-8")
        assert check(unseeded).failures == []
        drawn.add((random.random(), float(np.random.rand())))  # noqa: NPY002

    assert len(drawn) == 2


@pytest.mark.thorough  # two pages run twice more
def test_pages_in_another_order_give_the_same_reports():
    """Check two pages in one process, one way and the other."""
    pages = [ROOT / f"docs/chapters/{name}.md" for name in CHAPTERS[:2]]

    def reports(order: list[Path]) -> dict[str, tuple[object, ...]]:
        found = {path.stem: check(path) for path in order}
        return {
            name: (report.examples, report.failures, [one.svg for _, one in report.drawings])
            for name, report in found.items()
        }

    assert reports(pages) == reports(pages[::-1])


def test_what_a_prompt_answered_last_may_be_anything(tmp_path):
    """Python keeps it among the builtins; some things, tensors among them, cannot be compared."""
    loud = "{'__eq__': lambda a, b: 1 / 0, '__repr__': lambda a: 'loud'}"
    lines = [f"Loud = type('Loud', (), {loud})", "Loud()\nloud", "Loud()\nloud"]

    assert check(page(tmp_path, *lines, prompts=True)).failures == []
