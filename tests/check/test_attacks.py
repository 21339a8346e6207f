"""Isolation: side effects of page code are reported and undone."""

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
from tests.checking import check_page
from tests.nav import CHAPTERS

FILE = ROOT / "written-by-a-page.txt"

# The second line of a page's code, and the message for it.
ATTACKS = {
    "os.chdir('/')": "it changes the working folder",
    "os.environ['POSENC_ATTACK'] = '1'": "it changes the environment",
    "sys.path.append('/')": "it changes sys.path",
    "sys.stderr = None": "it changes the standard streams",
    "sys.setrecursionlimit(5000)": "it changes the recursion limit",
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
    "open('written-by-a-page.txt', 'w')": "a page must not change a file of the project",
    "os.mkdir('written-by-a-page.txt')": "a page must not change a file of the project",
    "os.remove('written-by-a-page.txt')": "a page must not change a file of the project",
}
IMPORTS = "import builtins, math, matplotlib, numpy as np, os, posenc, signal, sys, threading"


def write_page(folder: Path, *lines: str, prompts: bool) -> Path:
    """Return a page with a fence of Python, or with a session."""
    prefix = ">>> " if prompts else ""
    code = "\n".join(f"{prefix}{line}" for line in lines)
    file = folder / "page.md"
    file.write_text(f"```{'pycon' if prompts else 'python'}\n{code}\n```\n", "utf-8")
    return file


@pytest.mark.parametrize("prompts", [True, False], ids=["prompts", "fence"])
@pytest.mark.parametrize(("line", "message"), ATTACKS.items())
def test_side_effects_are_reported_at_their_line_and_undone(tmp_path, line, message, prompts):
    before = Path.cwd(), {**os.environ}, matplotlib.rcParams["font.size"], posenc.inv_freq, np.pi

    (failure,) = check_page(write_page(tmp_path, IMPORTS, line, "x = 1", prompts=prompts)).failures

    if prompts or message.startswith(("Sys", "EOF", "comp", "waits", "a page")):
        assert failure.line == 3
    assert message in failure.message
    after = Path.cwd(), {**os.environ}, matplotlib.rcParams["font.size"], posenc.inv_freq, np.pi
    assert after == before
    assert not FILE.exists()


def test_a_running_thread_is_reported(tmp_path, monkeypatch):
    end = threading.Event()
    monkeypatch.setattr(threading.main_thread(), "end", end, raising=False)
    waits = "t = threading.Thread(target=threading.main_thread().end.wait)"
    try:
        failures = check_page(
            write_page(tmp_path, IMPORTS, waits, "t.start()", "x = 1", prompts=True)
        ).failures
    finally:
        end.set()

    assert [failure.line for failure in failures] == [4]
    assert failures[0].message.endswith(" is still running; join it")


def test_other_threads_are_accepted(tmp_path, monkeypatch):
    pool = "from concurrent.futures import ThreadPoolExecutor as Pool; pool = Pool(1)"
    joined = "t = threading.Thread(target=print); t.start(); t.join()"
    result = "pool.submit(sum, [1]).result()"
    main = threading.main_thread()
    turn, started, end = threading.Event(), threading.Event(), threading.Event()
    monkeypatch.setattr(main, "turn", turn, raising=False)
    monkeypatch.setattr(main, "started", started, raising=False)

    def server() -> None:  # starts a thread while the page runs
        turn.wait()
        threading.Thread(target=end.wait).start()
        started.set()

    other = threading.Thread(target=server)
    other.start()
    try:
        wait = "m = threading.main_thread(); m.turn.set(); m.started.wait()"
        lines = [IMPORTS, pool, joined, f"x = {result}", wait]
        assert check_page(write_page(tmp_path, *lines, prompts=False)).failures == []
    finally:
        turn.set()
        end.set()
        other.join()


def find_failure(folder: Path, code: str) -> Failure:
    (failure,) = check_page(write_page(folder, *code.split("\n"), prompts=False)).failures
    return failure


def test_an_endless_loop_is_stopped_at_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation, "MAX_COMPUTING", 0.2)
    failure = find_failure(
        tmp_path,
        "x = 0\nwhile True:\n    try:\n        x += 1\n    except Exception:\n        pass",
    )

    assert failure.line in (3, 4, 5)
    assert failure.message.startswith("check.isolation.EndlessError: computes for more than 0.2 s")


def test_endless_waiting_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation, "MAX_WAITING", 0.2)
    failure = find_failure(tmp_path, "import threading\nthreading.Event().wait()")

    # The line is checked above: under load, the signal may come before the wait begins.
    assert "waits for more than 0.2 s" in failure.message


def test_endless_output_is_stopped(tmp_path):
    for prompts in (True, False):
        file = write_page(tmp_path, "x = 1", "while True: print('more')", prompts=prompts)
        (failure,) = check_page(file).failures
        assert failure.line == 3
        assert "prints more than 1000000 characters" in failure.message


@pytest.mark.parametrize("in_cache", [True, False])
def test_files_in_caches_and_outside_the_project_may_be_written(tmp_path, in_cache):
    other = (ROOT / ".cache" if in_cache else tmp_path) / f"by-{tmp_path.name}.txt"
    other.parent.mkdir(exist_ok=True)
    try:
        code = f"open({str(other)!r}, 'w').close()"
        assert check_page(write_page(tmp_path, code, prompts=False)).failures == []
        assert other.exists()
    finally:
        other.unlink(missing_ok=True)


def test_a_seed_does_not_affect_other_pages(tmp_path):
    seeded = write_page(
        tmp_path, "import random, numpy as np", "np.random.seed(1); random.seed(1)", prompts=False
    )
    drawn = set()
    for _ in range(2):
        assert check_page(seeded).failures == []
        unseeded = tmp_path / "other.md"
        unseeded.write_text("```python\nimport random, numpy as np\n```\n", "utf-8")
        assert check_page(unseeded).failures == []
        drawn.add((random.random(), float(np.random.rand())))  # noqa: NPY002

    assert len(drawn) == 2


@pytest.mark.thorough  # runs two pages twice
def test_reports_do_not_depend_on_the_order_of_pages():
    pages = [ROOT / f"docs/chapters/{name}.md" for name in CHAPTERS[:2]]

    def reports(order: list[Path]) -> dict[str, tuple[object, ...]]:
        by_name = {path.stem: check_page(path) for path in order}
        return {
            name: (report.examples, report.failures, [one.svg for _, one in report.drawings])
            for name, report in by_name.items()
        }

    assert reports(pages) == reports(pages[::-1])


def test_the_last_value_of_a_prompt_may_be_any_object(tmp_path):
    """Python stores it in builtins; some objects, such as tensors, cannot be compared."""
    loud = "{'__eq__': lambda a, b: 1 / 0, '__repr__': lambda a: 'loud'}"
    lines = [f"Loud = type('Loud', (), {loud})", "Loud()\nloud", "Loud()\nloud"]

    assert check_page(write_page(tmp_path, *lines, prompts=True)).failures == []
