"""Call every public function with hostile arguments; each call must return or be refused.

    uv run [--with numba==0.68.1] python -m tests.fuzz --minutes 10 [--json FILE]

Calls are the examples in docstrings with some arguments replaced: by values that aren't numbers, by
huge sizes, by arrays of other shapes, types and layouts, with extreme values. NumPy's warnings
count as errors. A call must return a result without NaN, or raise a TypeError or ValueError in the
package itself, within seconds and without modifying its arguments. An exception from a function
among the arguments must come out unchanged, or as the cause of an explanation, as in `compare`.

If numba is installed, the functions of `posenc.numba` must return the same bits, or raise the same
error, as those of `posenc`.
"""

import contextlib
import dis
import doctest
import functools
import inspect
import itertools
import random
import resource
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any
from unittest import mock

import numpy as np

import posenc
from benchmarks.timing import Line, list_measured_packages, make_parser, store_lines
from posenc.core import checks, memory
from tests.hostile import Array, change_argument, change_layout, share_memory, spoil

SECONDS = 20  # for one call
MEMORY = 8 * 2**30  # bytes
GOAL = 300_000  # calls, in ten minutes
MACHINE = 2**26  # simulated memory of the machine in bytes, so that no call takes long
CACHE = 2**8  # simulated size of the cache in bytes, so that small and large arrays occur
PACKAGE = str(Path(posenc.__file__).parent)

# These give numbers that a law, an exercise or a caller's function decides, or hold state.
SKIPPED = {"Comparison", "Identity", "RopeParameters", "ScoreWaves"}

MOVES = {"convert_layout", "convert_weights"}  # they only move values, including NaN

# Look at each offset up to the largest, or at each channel of a function, as they say.
SEARCHES = {"first_alias", "nearest_alias", "identify", "compare"}


@dataclass(frozen=True)
class Call:
    """A call of a public function."""

    name: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    package: ModuleType = posenc

    @property
    def function(self) -> Callable[..., Any]:
        """Return the function or class."""
        found: Callable[..., Any] = getattr(self.package, self.name)
        return found

    @property
    def arrays(self) -> list[Array]:
        """Return the arrays among the arguments."""
        given = (*self.args, *self.options.values())
        return [value for value in given if isinstance(value, np.ndarray)]

    def __call__(self) -> Any:
        """Make the call and return the result."""
        return self.function(*self.args, **self.options)


# What makes a call with what is drawn.
Maker = Callable[[random.Random], Call]


def list_packages() -> list[ModuleType]:
    """Return `posenc`, and `posenc.numba` if numba is installed."""
    return [posenc, *([import_module("posenc.numba")] if find_spec("numba") else [])]


def list_makers(package: ModuleType) -> list[Maker]:
    """Return functions that make calls: variations of examples, and two generators."""
    return [
        *(functools.partial(make_hostile, call=call) for call in list_examples(package)),
        *(
            functools.partial(draw_argument, package, draw, way)
            for draw in (sinusoidal_positional_encoding, rotate_pairs)
            for way in (make_hostile, make_tame, make_tame)
        ),
    ]


def draw_argument(
    package: ModuleType,
    draw: Callable[[ModuleType, random.Random], Call],
    way: Callable[[random.Random, Call], Call],
    rng: random.Random,
) -> Call:
    """Return a variation of an example."""
    return way(rng, draw(package, rng))


def list_examples(package: ModuleType = posenc) -> Iterator[Call]:
    """Yield the calls of public functions in their docstrings."""
    for name in package.__all__:
        function = getattr(package, name)
        if name in SKIPPED:
            continue
        calls: list[Call] = []
        setattr(package, name, _record_calls(Call(name, (), {}, package), function, calls))
        try:
            for test in doctest.DocTestFinder(recurse=False).find(function, name, globs={}):
                runner = doctest.DocTestRunner(verbose=False)
                # What an example defines is called once more, and needs its names.
                runner.run(test, out=lambda _: None, clear_globs=False)
        finally:
            setattr(package, name, function)
        assert calls, f"{name} has no example that calls it"
        yield from calls[:6]


def _record_calls(
    call: Call, function: Callable[..., Any], calls: list[Call]
) -> Callable[..., Any]:
    def record(*args: Any, **options: Any) -> Any:
        calls.append(replace(call, args=args, options=options))
        return function(*args, **options)

    return record


def sinusoidal_positional_encoding(package: ModuleType, rng: random.Random) -> Call:
    """Return a call for a table of random size and first position."""
    length, pairs = rng.choice([0, 1, 3, 130, 400]), rng.randint(1, 6)
    starts = [0, rng.randint(-500, 500), rng.randint(-(2**53), 2**53), 2**53 - length]
    options: dict[str, Any] = {
        "start": rng.choice(starts),
        "base": 10.0 ** rng.uniform(0.1, 300),
        "layout": rng.choice(["interleaved", "half"]),
        "exponent": rng.choice(["paper", "tensor2tensor"]),
        "dtype": rng.choice(["f8", "f4", "f2"]),
    }
    if rng.randrange(2):
        options["inv_freq"] = change_layout(rng, np.array([10.0 ** rng.uniform(-30, 15)] * pairs))
    return Call("sinusoidal_positional_encoding", (length, 2 * pairs), options, package)


def rotate_pairs(package: ModuleType, rng: random.Random) -> Call:
    """Return a call that rotates an x with random axes, type and layout by a random table."""
    axes = tuple(rng.choice([1, 2, 3, 3, 0, 5]) for _ in range(rng.randint(0, 4)))
    if not rng.randrange(20):
        axes = (3, 2500)  # more than is turned at a time
    pairs = rng.randint(1, 6)
    numbers = np.random.default_rng(rng.getrandbits(32))
    dtype = rng.choice(["f8", "f4", "f4", "f2"])
    options: dict[str, Any] = {
        "layout": rng.choice(["interleaved", "half"]),
        "rotary_dim": rng.choice([None, 2 * pairs]),
        "compute_dtype": "f8" if dtype == "f8" else rng.choice(["f8", "f4"]),
    }
    shape = axes
    if len(axes) > 1:
        options["seq_axis"] = rng.choice([-2, -3])
        shape = axes if options["seq_axis"] == -2 else (*axes[:-2], axes[-1], axes[-2])
    shared = rng.choice([shape, shape[-1:], (shape[0], shape[-1]) if len(axes) > 2 else shape])
    x = numbers.normal(size=(*axes, 2 * pairs + rng.choice([0, 0, 1, 4]))).astype(dtype)
    cos, sin = numbers.normal(size=(2, *shared, pairs)).astype(rng.choice(["f8", "f4"]))
    arrays = tuple(change_layout(rng, array) for array in (x, cos, sin))
    return Call("rotate_pairs", arrays, options, package)


def make_hostile(rng: random.Random, call: Call) -> Call:
    """Return a call with one to three arguments replaced or added."""
    places = list_argument_keys(call)
    new = call
    for place in rng.sample(places, min(len(places), rng.choice([1, 1, 1, 2, 3]))):
        if place == "out" and rng.randrange(5):
            new = add_out(rng, new, replace(call, package=posenc)())
        else:
            new = replace_argument(new, place, change_argument(rng, get_argument(new, place)))
    return new


def make_tame(rng: random.Random, call: Call) -> Call:
    """Return a call with plausible arguments, so that most calls return a result."""
    if rng.randrange(4):
        call = add_out(rng, call, replace(call, package=posenc)())
    if call.arrays and not rng.randrange(4):
        spoil(rng, rng.choice(call.arrays))
    return call


def add_out(rng: random.Random, call: Call, answer: Array) -> Call:
    """Return a call with an `out` that fits the result and may share memory with an argument."""
    out = np.full(answer.shape, 7, rng.choice([answer.dtype] * 4 + [answer.dtype.newbyteorder()]))
    given = [place for place in list_argument_keys(call) if _is_mappable(get_argument(call, place))]
    if given and rng.randrange(2):
        place = rng.choice(given)
        value, out = share_memory(rng, get_argument(call, place), out)
        return replace_argument(replace_argument(call, place, value), "out", out)
    return replace_argument(call, "out", change_layout(rng, out))


def _is_mappable(value: Any) -> bool:
    return isinstance(value, np.ndarray) and not value.dtype.hasobject


def list_argument_keys(call: Call) -> list[int | str]:
    """Return the positions and names of all arguments that a call has or could have."""
    known = [p.name for p in inspect.signature(call.function).parameters.values()]
    return [*range(len(call.args)), *known[len(call.args) :]]


def get_argument(call: Call, place: int | str) -> Any:
    """Return an argument by position or name; None if the call doesn't have it."""
    return call.args[place] if isinstance(place, int) else call.options.get(place)


def replace_argument(call: Call, place: int | str, value: Any) -> Call:
    """Return a call with one argument replaced or added."""
    if isinstance(place, str):
        return replace(call, options=call.options | {place: value})
    return replace(call, args=(*call.args[:place], value, *call.args[place + 1 :]))


class Stuck(BaseException):
    """Raised when a call takes too long."""


def _stop(_: int, __: FrameType | None) -> None:
    raise Stuck


def judge_call(make: Callable[[], Call]) -> str:
    """Return "answered", "refused" or "handed on"; raise AssertionError for anything else.

    A call of `posenc.numba` is compared with the same call of `posenc`, with new arrays, since both
    calls may write to them.
    """
    call = make()
    kind, result = call_and_check(call)
    if call.package is posenc:
        return kind
    twin = replace(make(), package=posenc)
    _check_alike((kind, result, call), (*call_and_check(twin), twin))
    return f"{kind} alike"


def call_and_check(call: Call) -> tuple[str, Any]:
    """Return the kind of the outcome of a call, and the result or the exception."""
    before = [(array, array.dtype, _read_bytes(array)) for array in call.arrays]
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            answer = call()
    except Exception as raised:
        signal.alarm(0)
        if _is_raised_by_argument(call):
            return "handed on", raised
        if not isinstance(raised, TypeError | ValueError | OSError):
            raise
        _check_refusal(call, raised)
        _check_unchanged(call, before, raised)
        return "refused", raised
    except Stuck:
        if call.name in SEARCHES:
            return "long", None
        raise AssertionError(f"longer than {SECONDS} s") from None
    finally:
        signal.alarm(0)
    _check_unchanged(call, before, None)
    if call.name not in MOVES:
        _check_finite(answer)
    return "answered", answer


def _check_unchanged(
    call: Call, before: list[tuple[Array, np.dtype[Any], bytes]], refusal: Exception | None
) -> None:
    """Raise AssertionError for an array that was modified, unless it shares memory with `out`.

    A refused call may have written to `out` only if it checks values while it rotates them. It
    finds non-finite values before it rotates x in place, but not differences that overflow.
    """
    out = call.options.get("out")
    for array, dtype, old in before:
        if isinstance(out, np.ndarray) and np.may_share_memory(array, out):
            is_only_one = sum(np.may_share_memory(a, out) for a in call.arrays) == 1
            late = "overflow" in str(refusal) or ("must be finite" in str(refusal) and is_only_one)
            if refusal is None or late:
                continue
        assert array.dtype == dtype, "modified the type of an argument"
        assert _read_bytes(array) == old, "modified an argument"


def _check_alike(ours: tuple[str, Any, Call], theirs: tuple[str, Any, Call]) -> None:
    """Raise AssertionError if the outcome differs from that of the same call of `posenc`."""
    (kind, result, call), (twin_kind, expected, twin) = ours, theirs
    assert kind == twin_kind, f"{kind}, but {twin_kind} by posenc: {result!r}, not {expected!r}"
    if isinstance(expected, Exception):
        message, twin_message = (f"{type(e).__name__}: {e}" for e in (result, expected))
        assert message == twin_message, f"another message: {message}, not {twin_message}"
        return
    assert type(result) is type(expected), f"a result of another type: {type(result)}"
    for name in ("dtype", "shape", "strides"):
        one, other = getattr(result, name), getattr(expected, name)
        assert one == other, f"a result with another {name}: {one}, not {other}"
    assert result.tobytes() == expected.tobytes(), "a result with other bits"
    assert (result is call.options.get("out")) == (expected is twin.options.get("out")), "not out"
    for one, other in zip(call.arrays, twin.arrays, strict=True):
        assert _read_base_memory(one) == _read_base_memory(other), (
            "other bits in the memory of an argument"
        )


def _read_base_memory(array: Array) -> bytes:
    """Return the content of the memory that an array is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return b"" if array.dtype.hasobject else _read_bytes(array)


def _read_bytes(array: Array) -> bytes:
    """Return the bytes of an array of any subclass."""
    return array.view(np.ndarray).tobytes()


def _is_raised_by_argument(call: Call) -> bool:
    """Return whether the exception of a call comes from a function among its arguments.

    It is called once more, as before, with each such function watched.
    """
    raised: list[Exception] = []
    args = [_watch(value, raised) for value in call.args]
    options = {name: _watch(value, raised) for name, value in call.options.items()}
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            replace(call, args=tuple(args), options=options)()
    except Exception as error:
        return any(error is one for one in raised)
    return False


def _watch(value: Any, raised: list[Exception]) -> Any:
    """Return a function that records what it raises; any other value unchanged."""
    if not callable(value):
        return value

    @functools.wraps(value, updated=())  # with the signature that is looked at
    def watched(*args: Any, **options: Any) -> Any:
        try:
            return value(*args, **options)
        except Exception as error:
            raised.append(error)
            raise

    return watched


def _check_refusal(call: Call, refusal: Exception) -> None:
    """Raise AssertionError for an exception that the package doesn't raise itself."""
    trace = refusal.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
    if isinstance(refusal, OSError):
        assert call.name in ("compare", "rope_parameters", "model_positions"), "it takes no path"
        return
    if trace.tb_frame.f_code is Call.__call__.__code__:  # an argument missing or given twice
        return
    assert file.startswith(PACKAGE), f"{type(refusal).__name__} from {file}:{line}: {refusal}"
    # Not by the line alone: in it, a message may be made that cannot be.
    raises = trace.tb_frame.f_code.co_code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    assert raises, f"from NumPy or Python at {file}:{line}: {refusal!r}"
    assert type(refusal) in (TypeError, ValueError), f"{type(refusal)} is no plain refusal"


def _check_finite(answer: Any) -> None:
    """Raise AssertionError for a NaN in a result."""
    if isinstance(answer, tuple | list):
        for part in answer:
            _check_finite(part)
    elif isinstance(answer, np.ndarray | np.floating | float):
        array = np.asarray(answer)
        assert array.dtype.kind != "f" or not np.isnan(array).any(), "NaN in the answer"


def run_cases(
    numbers: Iterable[int], tried: Iterable[ModuleType]
) -> tuple[Counter[str], dict[str, str]]:
    """Run a case for each number; return the counts of outcomes, and the failures."""
    known = [list_makers(package) for package in tried]
    counts: Counter[str] = Counter()
    failures: dict[str, str] = {}
    for case in numbers:
        turn, package = divmod(case, len(known))
        make = functools.partial(make_call, case, known[package][turn % len(known[package])])
        try:
            counts[judge_call(make)] += 1
        except Exception as failure:
            counts["failed"] += 1
            call = make()
            # The first line tells kinds apart; one of a kind is enough.
            message = f"{call.package.__name__}.{call.name}: {type(failure).__name__}: {failure}"
            failures.setdefault(
                message.partition("\n")[0][:160], f"case {case}: {format_call(call)}"
            )
    return counts, failures


def _measure_memory() -> int:
    return MACHINE


@contextlib.contextmanager
def simulate_small_machine() -> Iterator[None]:
    """Let the package believe in a small machine, so that it takes all of its code paths."""
    patches = [mock.patch.object(memory, "machine_memory", _measure_memory)]
    if find_spec("numba"):
        patches.append(mock.patch("posenc.numba.machine.LARGE", CACHE))
    with contextlib.ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        yield


def make_call(case: int, maker: Maker) -> Call:
    """Return the call of a case: the same one each time, with new arrays."""
    return maker(random.Random(case))


def count_for(minutes: float, start: int = 0) -> Iterator[int]:
    """Yield increasing numbers until the time is up."""
    end = time.monotonic() + 60 * minutes
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count(start))


def format_call(call: Call) -> str:
    """Return the source of a call, shortened if it is long."""
    with np.printoptions(threshold=20):
        args = [checks.describe_value(a) for a in call.args]
        options = [f"{name}={checks.describe_value(value)}" for name, value in call.options.items()]
    return f"{call.name}({', '.join(args + options)})"[:600]


def main() -> None:
    """Run from the command line."""
    asked = make_parser(__doc__)
    asked.add_argument("--minutes", type=float, default=10)
    asked.add_argument("--start", type=int, default=0, help="the number of the first case")
    given_options = asked.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tried = list_packages()
    print("calls of", " and ".join(package.__name__ for package in tried))
    with simulate_small_machine():
        counts, failures = run_cases(count_for(given_options.minutes, given_options.start), tried)
    for what, where in failures.items():
        print(f"{what}\n    {where}")
    print(f"{counts.total()} calls from case {given_options.start} on: {dict(counts)}")
    lines: list[Line] = [
        {"what": "calls", "measured": counts.total(), "goal": f"≥ {GOAL}"},
        {"what": "kinds of failures", "measured": len(failures), "goal": "≤ 0"},
    ]
    table = [{"what came of it": what, "calls": number} for what, number in counts.items()]
    options = f"--minutes {given_options.minutes:g}"
    store_lines(
        given_options.json, lines, table=table, packages=list_measured_packages(), options=options
    )
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
