r"""How many changed lines do chapters and tests notice?

    uv run --with cosmic-ray==8.7.0 python -m benchmarks.mutations [--sample 200] [--json FILE]

Cosmic Ray lists what can be changed in the lines that cards show. It is the maintained tool whose
changes can be used as text, without its runner, which can't run pages. We draw a fixed sample of
all changes, in proportion to the changes of each module. Each is applied in a fork that runs its
card and the rest of the page. If these hold, all chapters that depend on the changed function run
from their start. The tests in the folder of its module judge the changes that are left, and every
fifth change in any case. A crash, a warning and an endless loop count as noticed, too; the share
that chapters notice by an answer or an assertion is reported separately.

Changes without effect are listed with the reason in `benchmarks/equivalent.toml`, and not counted.
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
from sybil import Example
from sybil.example import SybilFailure

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/_hooks"))

from benchmarks.timing import Line, count_missed, make_parser, print_line, store_lines
from browser import mutants
from browser.mutants import Mutant
from check import cards, code_blocks, doctests
from check.package import find_dependents
from check.page_check import reset_state
from check.page_source import read_page
from check.paths import DOCS
from render import rules

SEED = 24  # chosen before any change of its sample was looked at
MEMORY = 6 * 2**30  # bytes, for one changed function
TIMEOUT = 180  # seconds for one fork, which takes a few on an idle machine
PAGE_START = ""  # in place of the id of a card

SURVIVED, ENDLESS = "survived", "endless"
VALUE, CRASH = "value", "crash"  # verdicts of a page: another answer, or an exception
FAILED = "failed"  # verdict of tests
NOT_JUDGED = ""
EVERY = 5  # one in so many changes is judged by tests in any case

RUNS_CODE = (doctests.evaluate, code_blocks.run_python)
SCALING = ROOT / "tests/package/scaling"
WITH_TRANSFORMERS = {*SCALING.glob("test_installed_*"), *SCALING.glob("test_*_transformers.py")}
CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Mutation:
    """A change that Cosmic Ray can make in a line that a card shows."""

    file: str  # posenc/core/frequencies.py
    line: int
    function: str
    operator: str
    occurrence: int
    page: Path
    card: str


@dataclass
class Trial:
    """A mutation, the lines that it changes, and the verdicts on it."""

    mutation: Mutation
    was: str
    now: str
    chapters: str = SURVIVED
    tests: str = NOT_JUDGED

    @property
    def key(self) -> tuple[str, ...]:
        """Return the key of this mutation in the list of those without effect."""
        return self.mutation.file, self.mutation.function, self.was, self.now


def import_cosmic_ray(name: str) -> Any:
    """Import a module of Cosmic Ray, or exit and explain how to install it."""
    try:
        return importlib.import_module(f"cosmic_ray.{name}")
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}; run this with Cosmic Ray:\n\n{__doc__}") from error


def find_shown_lines() -> dict[str, dict[int, tuple[Path, str]]]:
    """Return the lines that cards show, by file, with the first page and card of each."""
    shown: dict[str, dict[int, tuple[Path, str]]] = defaultdict(dict)
    for page in CHAPTERS:
        for card in cards.find_cards(read_page(page)):
            for lines in mutants.find_shown_lines(card.support.text):
                for line in range(lines.first, lines.last + 1):
                    shown[lines.file].setdefault(line, (page, card.id))
    return dict(shown)


def list_mutations(file: str, lines: dict[int, tuple[Path, str]]) -> Iterator[Mutation]:
    """Yield the mutations of some lines of a file that are in functions."""
    text = (ROOT / file).read_text("utf-8")
    functions = {
        line: name
        for function, name in mutants.list_functions(mutants.parse_module(text))
        for line in range(function.body[0].lineno, (function.end_lineno or 0) + 1)
    }
    trees, plugins = import_cosmic_ray("ast"), import_cosmic_ray("plugins")
    nodes = [*trees.ast_nodes(trees.get_ast(text))]
    for name in sorted(plugins.operator_names()):
        if plugins.get_operator(name).arguments():
            continue  # it needs names of variables
        operator = plugins.get_operator(name)()
        positions = (each for node in nodes for each in operator.mutation_positions(node))
        for occurrence, ((line, _), _) in enumerate(positions):
            if line in lines and line in functions:
                yield Mutation(file, line, functions[line], name, occurrence, *lines[line])


def draw_sample(mutations: Iterable[Mutation], size: int) -> list[Mutation]:
    """Return a fixed sample with the same share of each file."""
    rng = random.Random(SEED)
    mixed = sorted(((each.file, rng.random()), each) for each in mutations)
    if len(mixed) <= size:
        return [each for _, each in mixed]
    step = len(mixed) / size
    return [mixed[int((number + 0.5) * step)][1] for number in range(size)]


def make_mutant(mutation: Mutation) -> Mutant | None:
    """Return the changed function, or None if its code stays the same."""
    path = ROOT / mutation.file
    text = path.read_text("utf-8")
    operator = import_cosmic_ray("plugins").get_operator(mutation.operator)()
    changed_text = import_cosmic_ray("mutating").mutate_code(text, operator, mutation.occurrence)
    codes: list[CodeType | None] = []
    for version in (text, changed_text):
        try:
            tree = mutants.parse_module(version)
        except SyntaxError:
            return None
        codes.append(mutants.compile_function(tree, str(path), mutation.function))
    old, new = codes
    if old is None or new is None or old == new or old.co_freevars != new.co_freevars:
        return None
    was, now = _find_difference(text, changed_text)
    return Mutant(mutation.file, mutation.line, was, now, mutation.function, new)


def _find_difference(old: str, new: str) -> tuple[str, str]:
    """Return the first line that differs between two texts, of each."""
    for one, other in zip(old.splitlines(), new.splitlines(), strict=False):
        if one.split() != other.split():
            return one.strip(), other.strip()
    return "", ""


def judge_on_page(page: Path, by_card: dict[str, dict[int, Mutation]]) -> dict[int, str]:
    """Return the verdicts of a page on mutations, each applied before its card runs."""
    document = rules.build_page_rules().parse(page)
    page_cards = [*cards.find_cards(document.text)]
    reset_state(document.namespace)
    examples = [each for each in document if each.region.evaluator in RUNS_CODE]
    verdicts = {
        number: judge_by_examples(mutation, examples)
        for number, mutation in by_card.get(PAGE_START, {}).items()
    }
    last = max((n for n, card in enumerate(page_cards) if card.id in by_card), default=-1)
    page_cards = page_cards[: last + 1]
    for first, example in enumerate(examples):
        while page_cards and example.region.start >= page_cards[0].start:
            for number, mutation in by_card.get(page_cards.pop(0).id, {}).items():
                verdicts[number] = judge_by_examples(mutation, examples[first:])
        if not page_cards:
            break
        error = find_error([example])
        assert error is None, f"{page}:{example.line}: the page fails without a change: {error}"
    return verdicts


def judge_by_examples(mutation: Mutation, examples: list[Example]) -> str:
    """Return the verdict of examples on a mutation, in a fork."""
    lines, endless = run_in_fork(
        partial(_run_examples, make_effective_mutant(mutation), examples), TIMEOUT
    )
    return ENDLESS if endless else lines[-1] if lines else CRASH


def run_in_fork(run: Callable[[], Iterable[object]], timeout: int) -> tuple[list[str], bool]:
    """Return what a function yields in a fork, and whether it was stopped by the timeout."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), os.fdopen(writes, "w", buffering=1) as pipe:
            signal.alarm(timeout)
            for value in run():
                print(value, file=pipe)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        lines = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    return lines, os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM


def find_error(examples: list[Example]) -> Exception | None:
    """Return the first failure of some examples; a `SybilFailure` is a wrong answer."""
    for example in examples:
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


def make_effective_mutant(mutation: Mutation) -> Mutant:
    """Return the changed function of a mutation that was tried before."""
    mutant = make_mutant(mutation)
    assert mutant is not None, f"{mutation} changes nothing"
    return mutant


def _run_examples(mutant: Mutant, examples: list[Example]) -> Iterator[str]:
    """Yield the verdict of examples on a mutant."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    mutant.apply()
    error = find_error(examples)
    if error is None:
        yield SURVIVED
    else:
        yield VALUE if isinstance(error, SybilFailure | AssertionError) else CRASH


def judge_with_pytest(trials: dict[int, tuple[Mutation, list[Path]]]) -> dict[int, str]:
    """Return the verdicts of files of tests on mutations."""
    verdicts, exit_codes = {}, dict[Path, list[str]]()
    with TemporaryDirectory() as folder:
        os.environ["POSENC_CACHE"] = folder
        for number, (mutation, files) in trials.items():
            for file in files[:1]:  # the one that notices most often
                if file not in exit_codes:
                    exit_codes[file], _ = run_in_fork(partial(_run_pytest, None, [file]), TIMEOUT)
                if exit_codes[file] != ["0"]:
                    raise RuntimeError(f"{file} fails without a change: {exit_codes[file]}")
            run = partial(_run_pytest, make_effective_mutant(mutation), files)
            lines, endless = run_in_fork(run, TIMEOUT) if files else (["0"], False)
            verdicts[number] = ENDLESS if endless else SURVIVED if lines == ["0"] else FAILED
            print(f"tests of {number:3} {mutation.file:40} {verdicts[number]}", flush=True)
    return verdicts


def find_tests(mutation: Mutation) -> list[Path]:
    """Return the test files that use a changed function, nearest first, and all refusals."""
    path = Path(mutation.file)
    module = path.stem.strip("_")
    folder = ROOT / "tests/package" / path.parent.relative_to("posenc")
    files = sorted(folder.rglob("test_*.py"), key=lambda file: (module not in file.stem, file))
    texts = {file: file.read_text("utf-8") for file in files if file not in WITH_TRANSFORMERS}
    users = [file for file, text in texts.items() if depends_on(text, mutation)]
    return [*users, ROOT / "tests/package/test_refused_arguments.py"]


def depends_on(text: str, mutation: Mutation) -> bool:
    """Return whether code names a changed function, or anything that depends on it."""
    names = find_dependents(mutation.function.partition(".")[0])
    return not names.isdisjoint(re.findall(r"\w+", text))


def _run_pytest(mutant: Mutant | None, files: list[Path]) -> Iterator[str]:
    """Yield the exit code of pytest with a mutant; the first failure ends it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if mutant:
        mutant.apply()
    with Path(os.devnull).open("w") as null, redirect_stdout(null), redirect_stderr(null):
        os.dup2(null.fileno(), 1)
        os.dup2(null.fileno(), 2)
        options = ["-n", "0", "-x", "-q", "-p", "no:cacheprovider"]
        code = pytest.main([*options, *map(str, files)])
    yield str(int(code))


def judge_by_chapters(trials: list[Trial]) -> None:
    """Judge each mutation by its card and page, then by each chapter that depends on it."""
    by_page: dict[Path, dict[str, dict[int, Mutation]]] = defaultdict(lambda: defaultdict(dict))
    for number, trial in enumerate(trials):
        by_page[trial.mutation.page][trial.mutation.card][number] = trial.mutation
    for page, by_card in by_page.items():
        verdicts = run_in_process(judge_on_page, page, dict(by_card))
        _record_verdicts(trials, verdicts, page.stem)
    for page in CHAPTERS:
        text = read_page(page)
        survivors = {
            number: trial.mutation
            for number, trial in enumerate(trials)
            if trial.chapters == SURVIVED and depends_on(text, trial.mutation)
        }
        if survivors:
            verdicts = run_in_process(judge_on_page, page, {PAGE_START: survivors})
            _record_verdicts(trials, verdicts, f"{page.stem}, all of it")


def judge_by_tests(trials: list[Trial]) -> None:
    """Judge by tests what no chapter notices, and every fifth mutation in any case."""
    selected = {
        number: (trial.mutation, find_tests(trial.mutation))
        for number, trial in enumerate(trials)
        if number % EVERY == EVERY // 2 or trial.chapters == SURVIVED
    }
    for number, verdict in run_in_process(judge_with_pytest, selected).items():
        trials[number].tests = verdict


def run_in_process(call: Callable[..., dict[int, str]], *args: Any) -> dict[int, str]:
    """Call a function in a new process, which may fork, and return its result."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *args).result()


def _record_verdicts(trials: list[Trial], verdicts: dict[int, str], where: str) -> None:
    for number, verdict in verdicts.items():
        trials[number].chapters = verdict
    noticed = sum(verdict != SURVIVED for verdict in verdicts.values())
    print(f"{where:28} notices {noticed} of {len(verdicts)}", flush=True)


def compute_interval(noticed: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, in per cent."""
    z, p = 1.959964, noticed / total
    middle = p + z * z / (2 * total)
    width = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    scale = 100 / (1 + z * z / total)
    return scale * (middle - width), scale * (middle + width)


def read_reasons() -> dict[tuple[str, ...], str]:
    """Return the reasons why some mutations have no effect, by their keys."""
    entries = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", [])
    return {
        (entry["file"], entry["function"], entry["was"], entry["now"]): entry["reason"]
        for entry in entries
    }


def summarize(trials: list[Trial], total: int) -> list[Line]:
    """Return the shares of mutations that are noticed, of those that have an effect."""
    reasons = read_reasons()
    counted = [trial for trial in trials if trial.key not in reasons]
    without_effect = len(trials) - len(counted)
    lines: list[Line] = [
        {"what": "changes of lines that cards show", "measured": total, "goal": ""},
        {"what": "of these tried", "measured": len(trials), "goal": ""},
        {"what": "of these without effect, for a reason", "measured": without_effect, "goal": ""},
    ]
    every_fifth = [each for each in trials[EVERY // 2 :: EVERY] if each.key not in reasons]
    both = [(trial.chapters, trial.tests) for trial in counted]
    shares = (
        ("noticed by chapters", [each.chapters != SURVIVED for each in counted], "≥ 98"),
        ("by an answer or an assertion of them", [each.chapters == VALUE for each in counted], ""),
        ("noticed by tests", [each.tests != SURVIVED for each in every_fifth], ""),
        ("noticed by either", [pair != (SURVIVED, SURVIVED) for pair in both], "≥ 98"),
    )
    for name, noticed, goal in shares:
        low, high = compute_interval(sum(noticed), len(noticed))
        what = f"{name}, % of {len(noticed)} ({low:.1f} to {high:.1f} with 95 % confidence)"
        lines.append({"what": what, "measured": 100 * sum(noticed) / len(noticed), "goal": goal})
    for file in sorted({trial.mutation.file for trial in counted}):
        own = [each.chapters != SURVIVED for each in counted if each.mutation.file == file]
        what = f"`{file}`, noticed by chapters, % of {len(own)}"
        lines.append({"what": what, "measured": 100 * sum(own) / len(own), "goal": ""})
    return lines


def list_survivors(trials: list[Trial]) -> Iterator[dict[str, Any]]:
    """Yield a row for each mutation that chapters do not notice."""
    reasons = read_reasons()
    for trial in trials:
        if trial.chapters == SURVIVED:
            yield {
                "not noticed by chapters": f"`{trial.mutation.file}`, `{trial.mutation.function}`",
                "line": f"`{trial.was}`",
                "changed": f"`{trial.now}`",
                "tests": "no" if trial.tests == SURVIVED else "notice",
                "why": reasons.get(trial.key, ""),
            }


def make_trials(size: int, prefix: str = "") -> tuple[list[Trial], int]:
    """Return the mutations that are tried, and the number of those that they are drawn from."""
    mutations = [
        mutation
        for file, lines in find_shown_lines().items()
        if file.startswith(prefix)
        for mutation in list_mutations(file, lines)
    ]
    pairs = ((each, make_mutant(each)) for each in draw_sample(mutations, size))
    trials = [Trial(mutation, mutant.was, mutant.now) for mutation, mutant in pairs if mutant]
    return trials, len(mutations)


def main() -> int:
    """Print all results, and store them if the command line says where."""
    arguments = make_parser(__doc__)
    arguments.add_argument("--sample", type=int, default=200, help="number of changes to try")
    arguments.add_argument("--only", default="", help="how the paths of the files begin")
    options = arguments.parse_args()
    trials, total = make_trials(options.sample, options.only)
    judge_by_chapters(trials)
    judge_by_tests(trials)
    for row in list_survivors(trials):
        print("\n    ".join(row.values()))
    lines = [print_line(line) for line in summarize(trials, total)]
    store_lines(
        options.json,
        lines,
        table=[*list_survivors(trials)],
        packages=("numpy", "cosmic-ray"),
        command=f"uv run --with cosmic-ray==8.7.0 python -m benchmarks.mutations "
        f"--sample {options.sample}",
    )
    return count_missed(lines)


if __name__ == "__main__":
    sys.exit(main())
