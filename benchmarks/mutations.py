r"""How many changed lines do chapters and tests notice?

    uv run --with cosmic-ray==8.7.0 python -m benchmarks.mutations [--sample 200] [--json FILE]

Cosmic Ray says what can be changed in the lines that cards show, and how: of the maintained tools
it is the one whose changes can be had as text, without its runner, which knows no pages. Of all
changes of each module a part is drawn, in proportion and always the same. Each is put in place in
a fork, where its card and what follows on the page run; if these hold, then from their beginning
all chapters that rest on the changed function. The tests in the folder of its module judge what is
left, and every fifth change whatever the chapters said. To crash, to warn or to be endless is to be
noticed, too; how many chapters notice by an answer or an assertion stands apart.

What cannot be noticed, since nothing is computed otherwise, is listed with its reason in
`benchmarks/equivalent.toml`, and not counted.
"""

import importlib
import math
import os
import random
import re
import resource
import signal
import sys
import tomllib
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any

import pytest
from sybil import Document, Example
from sybil.example import SybilFailure

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/_hooks"))  # the engine that runs pages

from benchmarks.timing import Line, missed, parser, show, store
from browser import mutants
from browser.mutants import Fault
from check import cards, code_blocks, doctests
from check.package import find_dependents
from check.page_check import reset_state
from check.page_source import read_page
from check.paths import DOCS
from render import rules

SEED = 24  # no change of this sample was looked at before it was first tried
MEMORY = 6 * 2**30  # bytes that a changed function may take
PATIENCE = 180  # seconds for what runs in a fork, which take a few on a machine that is idle
START = ""  # stands for the beginning of a page in place of a card

SURVIVED, ENDLESS = "survived", "endless"
VALUE, CRASH = "value", "crash"  # what comes of a page: another answer, or an exception
FAILED = "failed"  # what comes of tests
UNASKED = ""
EVERY = 5  # of the changes that are tried, one of so many is judged by tests in any case

RUN = (doctests.evaluate, code_blocks.run_python)
CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Place:
    """Something that an operator of Cosmic Ray changes, in a line that a card shows."""

    file: str  # posenc/core/frequencies.py
    line: int
    function: str
    operator: str
    occurrence: int
    page: Path
    card: str


@dataclass
class Mutant:
    """A changed function, and who notices that."""

    place: Place
    was: str
    now: str
    chapters: str = SURVIVED
    tests: str = UNASKED

    @property
    def definition(self) -> tuple[str, str]:
        """Return the module, and the function or the class in it, as the engine names them."""
        module = self.place.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return module, self.place.function.partition(".")[0]


def tool(name: str) -> Any:
    """Import a part of Cosmic Ray, or say how to get it."""
    try:
        return importlib.import_module(f"cosmic_ray.{name}")
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}; it is installed on request:\n\n{__doc__}") from error


def shown() -> dict[str, dict[int, tuple[Path, str]]]:
    """Return the lines that cards show, by file, with the first card that shows each."""
    found: dict[str, dict[int, tuple[Path, str]]] = defaultdict(dict)
    for page in CHAPTERS:
        for card in cards.find_cards(read_page(page)):
            for lines in mutants.shown(card.support.text):
                for line in range(lines.first, lines.last + 1):
                    found[lines.file].setdefault(line, (page, card.id))
    return dict(found)


def places(file: str, lines: dict[int, tuple[Path, str]]) -> Iterator[Place]:
    """Yield what can be changed in some lines of a file, within its functions."""
    text = (ROOT / file).read_text("utf-8")
    inside = {
        line: name
        for outer, name in mutants.functions(mutants.parsed(text))
        for line in range(outer.body[0].lineno, outer.end_lineno + 1)  # type: ignore[attr-defined]
    }
    trees, plugins = tool("ast"), tool("plugins")
    nodes = [*trees.ast_nodes(trees.get_ast(text))]
    for name in sorted(plugins.operator_names()):
        if plugins.get_operator(name).arguments():
            continue  # asks for names of variables
        operator = plugins.get_operator(name)()
        spots = (spot for node in nodes for spot in operator.mutation_positions(node))
        for occurrence, ((line, _), _) in enumerate(spots):
            if line in lines and line in inside:
                yield Place(file, line, inside[line], name, occurrence, *lines[line])


def drawn(known: Iterable[Place], size: int) -> list[Place]:
    """Return every so manieth of all places, those of a module in a random order."""
    rng = random.Random(SEED)
    mixed = sorted(((place.file, rng.random()), place) for place in known)
    if len(mixed) <= size:
        return [place for _, place in mixed]
    step = len(mixed) / size
    return [mixed[int((number + 0.5) * step)][1] for number in range(size)]


def changed(place: Place) -> Fault | None:
    """Return a function with one thing changed; nothing where it comes to the same code."""
    path = ROOT / place.file
    text = path.read_text("utf-8")
    operator = tool("plugins").get_operator(place.operator)()
    new = tool("mutating").mutate_code(text, operator, place.occurrence)
    codes: list[CodeType | None] = []
    for version in (text, new):
        try:
            codes.append(mutants.compiled(mutants.parsed(version), str(path), place.function))
        except SyntaxError:
            return None
    before, after = codes
    if before is None or after is None or before == after:
        return None
    if before.co_freevars != after.co_freevars:
        return None
    was, now = _differing(text, new)
    return Fault(place.file, place.line, was, now, place.function, after)


def _differing(old: str, new: str) -> tuple[str, str]:
    """Return what stands where two texts begin to differ: a line each."""
    one, other = old.splitlines(), new.splitlines()
    for a, b in zip(one, other, strict=False):
        if a.split() != b.split():
            return a.strip(), b.strip()
    return "", ""


def by_page(page: Path, asked: dict[str, dict[int, Place]]) -> dict[int, str]:
    """Return what comes of changes on a page, each put in place before the card that it is of."""
    document = rules.build_page_rules().parse(page)
    page_cards = [*cards.find_cards(document.text)]
    reset_state(document.namespace)
    run = _run_of(document)
    came = {number: judged(place, run) for number, place in asked.get(START, {}).items()}
    last = max((n for n, card in enumerate(page_cards) if card.id in asked), default=-1)
    page_cards = page_cards[: last + 1]
    for first, example in enumerate(run):
        while page_cards and example.region.start >= page_cards[0].start:
            for number, place in asked.get(page_cards.pop(0).id, {}).items():
                came[number] = judged(place, run[first:])
        if not page_cards:
            break
        wrong = outcome([example])
        assert wrong is None, f"{page}:{example.line}: the page does not hold: {wrong}"
    return came


def _run_of(document: Document) -> list[Example]:
    return [example for example in document if example.region.evaluator in RUN]


def judged(place: Place, run: list[Example]) -> str:
    """Return what comes of a change in a fork that runs examples."""
    told, endless = forked(partial(_on_page, made(place), run), PATIENCE)
    return ENDLESS if endless else told[-1] if told else CRASH


def forked(judged: Callable[[], Iterable[object]], patience: int) -> tuple[list[str], bool]:
    """Return what is said in a fork, line by line, and whether it had to be stopped."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), os.fdopen(writes, "w", buffering=1) as pipe:
            signal.alarm(patience)
            for said in judged():
                print(said, file=pipe)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        told = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    return told, os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM


def outcome(run: list[Example]) -> Exception | None:
    """Return the first thing that goes wrong in some examples."""
    for example in run:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                example.evaluate()
        except SybilFailure as failure:
            crashed = "Traceback (most recent call last)" in failure.result
            asserted = "AssertionError" in failure.result
            return RuntimeError(failure.result) if crashed and not asserted else failure
        except Exception as error:
            return error
    return None


def made(place: Place) -> Fault:
    """Return a change that is known to be one."""
    fault = changed(place)
    assert fault is not None, f"{place} changes nothing"
    return fault


def _on_page(fault: Fault, run: list[Example]) -> Iterator[str]:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    fault.put({})
    error = outcome(run)
    if error is None:
        yield SURVIVED
    else:
        yield VALUE if isinstance(error, SybilFailure | AssertionError) else CRASH


def by_tests(asked: dict[int, tuple[Place, list[Path]]]) -> dict[int, str]:
    """Return what comes of changes in files of tests."""
    came, hold = {}, dict[Path, list[str]]()
    with TemporaryDirectory() as folder:
        os.environ["POSENC_CACHE"] = folder
        for number, (place, files) in asked.items():
            for file in files[:1]:  # which mostly notices
                if file not in hold:
                    hold[file], _ = forked(partial(_in_pytest, None, [file]), PATIENCE)
                if hold[file] != ["0"]:
                    raise RuntimeError(f"{file} does not hold as it is: pytest says {hold[file]}")
            run = partial(_in_pytest, made(place), files)
            told, endless = forked(run, PATIENCE) if files else (["0"], False)
            came[number] = ENDLESS if endless else SURVIVED if told == ["0"] else FAILED
            print(f"tests of {number:3} {place.file:40} {came[number]}", flush=True)
    return came


def nearest(mutant: Mutant) -> list[Path]:
    """Return the test files that use a changed function, nearest first, and all refusals."""
    path = Path(mutant.place.file)
    module = path.stem.strip("_")
    beside = ROOT / "tests/package" / path.parent.relative_to("posenc")
    files = sorted(beside.rglob("test_*.py"), key=lambda file: (module not in file.stem, file))
    found = [file for file in files if uses(file.read_text("utf-8"), mutant)]
    return [*found, ROOT / "tests/package/test_refused_arguments.py"]


def uses(text: str, mutant: Mutant) -> bool:
    """Return whether code names a changed function, or anything that depends on it."""
    return not find_dependents(mutant.definition[1]).isdisjoint(re.findall(r"\w+", text))


def _in_pytest(fault: Fault | None, files: list[Path]) -> Iterator[str]:
    """Yield the exit code of pytest with a fault in place; the first failure ends it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if fault:
        fault.put({})
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
        words = ["-n", "0", "-x", "-q", "-p", "no:cacheprovider"]
        code = pytest.main([*words, *map(str, files)])
    yield str(int(code))


def judge_by_chapters(changes: list[Mutant]) -> None:
    """Have the card of each change judge it, then its page, then each chapter that rests on it."""
    asked: dict[Path, dict[str, dict[int, Place]]] = defaultdict(lambda: defaultdict(dict))
    for number, mutant in enumerate(changes):
        asked[mutant.place.page][mutant.place.card][number] = mutant.place
    for page, of_cards in asked.items():
        _told(changes, alone(by_page, page, dict(of_cards)), page.stem)
    for page in CHAPTERS:
        text = read_page(page)
        left = {
            number: mutant.place
            for number, mutant in enumerate(changes)
            if mutant.chapters == SURVIVED and uses(text, mutant)
        }
        if left:
            _told(changes, alone(by_page, page, {START: left}), f"{page.stem}, all of it")


def judge_by_tests(changes: list[Mutant]) -> None:
    """Have tests judge what no chapter notices, and every so manieth change whatever they said."""
    asked = {
        number: (mutant.place, nearest(mutant))
        for number, mutant in enumerate(changes)
        if number % EVERY == EVERY // 2 or mutant.chapters == SURVIVED
    }
    for number, came in alone(by_tests, asked).items():
        changes[number].tests = came


def alone(call: Callable[..., dict[int, str]], *args: Any) -> dict[int, str]:
    """Return what a function returns in a process of its own, which may fork."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *args).result()


def _told(changes: list[Mutant], came: dict[int, str], where: str) -> None:
    for number, said in came.items():
        changes[number].chapters = said
    noticed = sum(said != SURVIVED for said in came.values())
    print(f"{where:28} notices {noticed} of {len(came)}", flush=True)


def interval(noticed: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, in per cent, by Wilson."""
    z, p = 1.959964, noticed / of
    middle, width = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return tuple(100 * (middle + sign * width) / (1 + z * z / of) for sign in (-1, 1))  # type: ignore[return-value]


def reasons() -> dict[tuple[str, ...], str]:
    """Return why some changes cannot be noticed, by file, function, and the line before and now."""
    told = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", [])
    return {tuple(one[key] for key in ("file", "function", "was", "now")): one["reason"]
            for one in told}  # fmt: skip


def key(mutant: Mutant) -> tuple[str, ...]:
    """Return how a change is named in the list of those that cannot be noticed."""
    return mutant.place.file, mutant.place.function, mutant.was, mutant.now


def results(changes: list[Mutant], known: int) -> list[Line]:
    """Return the shares that are noticed, of the changes that can be."""
    why = reasons()
    counted = [one for one in changes if key(one) not in why]
    lines: list[Line] = [
        {"what": "changes of lines that cards show", "measured": known, "goal": ""},
        {"what": "of these tried", "measured": len(changes), "goal": ""},
        {"what": "of these without effect, for a reason", "measured": len(changes) - len(counted),
         "goal": ""},
    ]  # fmt: skip
    told = [one for one in changes[EVERY // 2 :: EVERY] if key(one) not in why]
    both = [(one.chapters, one.tests) for one in counted]
    shares = (
        ("noticed by chapters", [one.chapters != SURVIVED for one in counted], "≥ 98"),
        ("by an answer or an assertion of them", [one.chapters == VALUE for one in counted], ""),
        ("noticed by tests", [one.tests != SURVIVED for one in told], ""),
        ("noticed by either", [pair != (SURVIVED, SURVIVED) for pair in both], "≥ 98"),
    )
    for what, noticed, goal in shares:
        low, high = interval(sum(noticed), len(noticed))
        said = f"{what}, % of {len(noticed)} ({low:.1f} to {high:.1f} with 95 % confidence)"
        lines.append({"what": said, "measured": 100 * sum(noticed) / len(noticed), "goal": goal})
    for file in sorted({one.place.file for one in counted}):
        own = [one.chapters != SURVIVED for one in counted if one.place.file == file]
        said = f"`{file}`, noticed by chapters, % of {len(own)}"
        lines.append({"what": said, "measured": 100 * sum(own) / len(own), "goal": ""})
    return lines


def survivors(changes: list[Mutant]) -> Iterator[dict[str, Any]]:
    """Yield a row for each change that chapters do not notice."""
    why = reasons()
    for one in changes:
        if one.chapters == SURVIVED:
            yield {
                "not noticed by chapters": f"`{one.place.file}`, `{one.place.function}`",
                "line": f"`{one.was}`",
                "changed": f"`{one.now}`",
                "tests": "no" if one.tests == SURVIVED else "notice",
                "why": why.get(key(one), ""),
            }


def sample(size: int, only: str = "") -> tuple[list[Mutant], int]:
    """Return the changes that are tried, and of how many they are drawn."""
    known = [
        place
        for file, lines in shown().items()
        if file.startswith(only)
        for place in places(file, lines)
    ]
    made = ((place, changed(place)) for place in drawn(known, size))
    return [Mutant(place, fault.was, fault.now) for place, fault in made if fault], len(known)


def main() -> int:
    """Print all, and store it where that is asked for."""
    asked = parser(__doc__)
    asked.add_argument("--sample", type=int, default=200, help="how many changes are tried")
    asked.add_argument("--only", default="", help="files of the package that begin so")
    options = asked.parse_args()
    changes, known = sample(options.sample, options.only)
    judge_by_chapters(changes)
    judge_by_tests(changes)
    for row in survivors(changes):
        print("\n    ".join(row.values()))
    lines = [show(line) for line in results(changes, known)]
    store(
        options.json,
        lines,
        table=[*survivors(changes)],
        packages=("numpy", "cosmic-ray"),
        command=f"uv run --with cosmic-ray==8.7.0 python -m benchmarks.mutations "
        f"--sample {options.sample}",
    )
    return missed(lines)


if __name__ == "__main__":
    sys.exit(main())
