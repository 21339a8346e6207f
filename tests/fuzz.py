"""Every public function with hostile arguments: an answer, or a refusal in our own words.

    uv run python -m tests.fuzz --minutes 10 [--json FILE]

Each function is called as the example in its docstring calls it, with some arguments replaced:
by values that are no numbers, by sizes that fit nowhere, by arrays of other shapes, types and
layouts, with numbers at every end of the range. NumPy's warnings are errors meanwhile. What may
come out is an answer without NaN, or a TypeError or ValueError that the package raises itself;
each within seconds, and without a change to what was given. Functions can be handed in, too, and
what such a function raises belongs to whoever wrote it: the very same exception has to come out.
"""

import contextlib
import copy
import dis
import doctest
import functools
import inspect
import itertools
import math
import random
import resource
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import posenc
from benchmarks.timing import Line, parser, store
from posenc.core import checks

SECONDS = 20  # for one call
MEMORY = 8 * 2**30  # bytes
GOAL = 300_000  # calls, in ten minutes
MACHINE = 2**26  # bytes that a machine has, as the package is told, so that no call is long
PACKAGE = str(Path(posenc.__file__).parent)

# These give numbers that a law, an exercise or a caller's function decides, or hold state.
LEFT_OUT = {"Comparison", "Identity", "RopeParameters", "ScoreWaves"}

MOVES = {"convert_layout", "convert_weights"}  # what is given is handed on, NaN included

# Look at each offset up to the largest, or at each channel of a function, as they say.
SEARCHES = {"first_alias", "nearest_alias", "identify", "compare"}

NUMBERS = [0, 1, -1, 2, 3, 4, 7, 8, 64, 2**10, 2**53, 2**53 + 1, 2**63, 2**64, -(2**63)]
SIZES = [2**45, 2**62, 2**65, 10**400, -(10**5000), 10**5000]
FLOATS = [0.0, -0.0, 0.5, 1.5, 1e-310, 5e-324, 1e-160, 1e154, 1e308, -1e308, 2.0**53, 1 + 1e-15]
NOT_FINITE = [math.nan, math.inf, -math.inf]


class Liar(str):
    """A string that says it equals everything."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


class Masked:
    """What turns into an array with a mask."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.ma.array([1.0, 2.0], mask=[False, True])


OBJECTS: list[Any] = [
    None, True, False, "", "half", "symmetric", "x" * 5000, b"\x04\x04", Liar("half"), (), [], {},
    {"rope_theta": 1e4}, {1: 2}, set(), frozenset({1}), object(), int, id, slice(1), range(3), ...,
    1j, Fraction(1, 3), Fraction(2**53 + 1), Decimal(3), np.timedelta64(10000),
    np.datetime64(3, "s"),    np.float16(60000), np.float32(3e38), np.longdouble(2),
    np.int8(-128), np.uint64(2**64 - 1),
    np.bool_(True), np.str_("half"), np.ma.masked, Masked(), [np.ma.array([1.0, 2.0],
    mask=[False, True])],
    [[1.0], [2.0, 3.0]], [None], ["a"], [[]], [[[]]], [2**62] * 4, [2**63 - 1, 2**63 - 1, 4],
    np.zeros((0,)), np.zeros((0, 4)), np.zeros((2, 0, 4)), np.zeros((1,) * 40), np.zeros((1,) * 64),
    np.array("half"), np.array([1, 2], dtype=object), np.ma.array([1.0], mask=[True]),
    np.array([1 + 2j]), np.array(["a"]), np.zeros(2, dtype="V8"), np.broadcast_to(1.0, (2, 3)),
]  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A call that an example makes."""

    name: str
    args: tuple[Any, ...]
    options: dict[str, Any]

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself, or the class."""
        found: Callable[..., Any] = getattr(posenc, self.name)
        return found


def examples() -> Iterator[Call]:
    """Yield the calls of public functions in their own docstrings."""
    for name in posenc.__all__:
        function = getattr(posenc, name)
        if name in LEFT_OUT:
            continue
        calls: list[Call] = []
        setattr(posenc, name, _recorder(name, function, calls))
        try:
            for test in doctest.DocTestFinder(recurse=False).find(function, name, globs={}):
                runner = doctest.DocTestRunner(verbose=False)
                # What an example defines is called once more, and needs its names.
                runner.run(test, out=lambda _: None, clear_globs=False)
        finally:
            setattr(posenc, name, function)
        assert calls, f"{name} has no example that calls it"
        yield from calls[:6]


def _recorder(name: str, function: Callable[..., Any], calls: list[Call]) -> Callable[..., Any]:
    def record(*args: Any, **options: Any) -> Any:
        calls.append(Call(name, args, options))
        return function(*args, **options)

    return record


SHAPES = [(), (0,), (1,), (2,), (3,), (4,), (1, 4), (2, 3), (3, 4), (4, 4), (2, 2, 4), (0, 4)]
KINDS = ["f8", "f8", "f8", "f4", "f2", ">f8", "i8", "i1", "u8", "u1", "?", "c16", "g", "O", "U1"]
KINDS += ["M8[s]", "m8[s]"]


def number(rng: random.Random) -> Any:
    """Return a number of any kind and at any end, or what is none."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([*NUMBERS, *SIZES])
    if kind == 1:
        return rng.choice([*FLOATS, *NOT_FINITE])
    if kind == 2:
        return rng.uniform(-10, 10) if rng.randrange(2) else 10.0 ** rng.uniform(-320, 308)
    return rng.randint(-3, 40) if kind == 3 else rng.choice(OBJECTS)


def array(rng: random.Random, like: Any) -> Any:
    """Return an array, mostly of the shape of another, in any layout and type."""
    shape = rng.choice(SHAPES)
    if rng.randrange(3):
        with contextlib.suppress(ValueError):  # a list of rows of different lengths
            shape = np.shape(like)
    pool = [*FLOATS, -3.0, 100.0, 6e4, *NOT_FINITE[: 3 * (rng.randrange(4) == 0)]]
    filled = np.array([rng.choice(pool) for _ in range(rng.randint(1, 5))])
    made = np.resize(filled, math.prod(shape)).reshape(shape)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = made.astype(rng.choice(KINDS))
    form = rng.randrange(6)
    if form == 1:
        made = np.asfortranarray(made)
    elif form == 2 and made.ndim:
        made = np.repeat(made, 2, axis=-1)[..., ::2]
    elif form == 3 and made.ndim:
        made = made[..., ::-1]
    return made.tolist() if form == 4 else made


def changed(rng: random.Random, value: Any) -> Any:
    """Return what to put in place of an argument."""
    if isinstance(value, list | tuple | np.ndarray) and rng.randrange(4):
        return array(rng, value)
    if isinstance(value, dict) and rng.randrange(5):
        new = dict(value)
        for _ in range(rng.randint(1, 4)):
            new[rng.choice([*value, *KEYS])] = number(rng)
        return new
    return number(rng) if rng.randrange(5) else array(rng, 0.0)


KEYS = [
    "rope_type", "type", "rope_theta", "factor", "head_dim", "hidden_size", "num_attention_heads",
    "max_position_embeddings", "original_max_position_embeddings", "partial_rotary_factor",
    "rope_scaling", "rope_parameters", "model_type", "layer_types", "per_layer_config", "mscale",
    "mscale_all_dim", "attention_factor", "beta_fast", "beta_slow", "truncate", "short_factor",
    "long_factor", "low_freq_factor", "high_freq_factor", "mrope_section", "rotary_dim",
    "rope_local_base_freq", "global_head_dim", "qk_rope_head_dim", "position_embedding_type",
]  # fmt: skip


def hostile(rng: random.Random, call: Call) -> Call:
    """Return a call with one to three arguments replaced, or named beside the others."""
    places = places_of(call)
    for place in rng.sample(places, min(len(places), rng.choice([1, 1, 1, 2, 3]))):
        before = call.args[place] if isinstance(place, int) else call.options.get(place)
        call = replaced(call, place, changed(rng, before))
    return call


def places_of(call: Call) -> list[int | str]:
    """Return where a call has, or could have, an argument: by number, or by name."""
    known = [p.name for p in inspect.signature(call.function).parameters.values()]
    return [*range(len(call.args)), *known[len(call.args) :]]


def replaced(call: Call, place: int | str, value: Any) -> Call:
    """Return a call with another argument in one place."""
    if isinstance(place, str):
        return Call(call.name, call.args, call.options | {place: value})
    return Call(call.name, (*call.args[:place], value, *call.args[place + 1 :]), call.options)


class Stuck(BaseException):
    """A call that took too long."""


def _stop(_: int, __: FrameType | None) -> None:
    raise Stuck


def judged(call: Call) -> str:
    """Return what came of a call: answered, refused, or handed on. Else raise AssertionError."""
    before = copy.deepcopy([a for a in call.args if isinstance(a, np.ndarray)])
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            answer = call.function(*call.args, **call.options)
    except Exception as raised:
        signal.alarm(0)
        if _handed_on(call):
            return "handed on"
        if not isinstance(raised, TypeError | ValueError | OSError):
            raise
        _in_our_words(call, raised)
        return "refused"
    except Stuck:
        if call.name in SEARCHES:
            return "long"
        raise AssertionError(f"longer than {SECONDS} s") from None
    finally:
        signal.alarm(0)
    after = [a for a in call.args if isinstance(a, np.ndarray)]
    for old, new in zip(before, after, strict=True):
        assert old.dtype == new.dtype, "changed what was given"
        assert old.tobytes() == new.tobytes() or "out" in call.options, "changed what was given"
    if call.name not in MOVES:
        _sound(answer)
    return "answered"


def _handed_on(call: Call) -> bool:
    """Return whether what a call raises is what a function among its arguments has raised.

    It is called once more, as before, with each such function watched.
    """
    raised: list[Exception] = []
    args = [_watched(value, raised) for value in call.args]
    options = {name: _watched(value, raised) for name, value in call.options.items()}
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            call.function(*args, **options)
    except Exception as error:
        return any(error is one for one in raised)
    return False


def _watched(value: Any, raised: list[Exception]) -> Any:
    """Return a function that also notes what it raises; what is no function as it is."""
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


def _in_our_words(call: Call, refusal: Exception) -> None:
    """Complain of an exception that is not raised by a line of the package."""
    trace = refusal.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
    if isinstance(refusal, OSError):
        assert call.name == "rope_parameters", "an OSError without a path"
        return
    if trace.tb_frame.f_code is judged.__code__:  # an argument missing or given twice
        return
    assert file.startswith(PACKAGE), f"{type(refusal).__name__} from {file}:{line}: {refusal}"
    # Not by the line alone: in it, a message may be made that cannot be.
    raises = trace.tb_frame.f_code.co_code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    assert raises, f"from NumPy or Python at {file}:{line}: {refusal!r}"
    assert type(refusal) in (TypeError, ValueError), f"{type(refusal)} is no plain refusal"


def _sound(answer: Any) -> None:
    """Complain of a NaN in an answer."""
    if isinstance(answer, tuple | list):
        for part in answer:
            _sound(part)
    elif isinstance(answer, np.ndarray | np.floating | float):
        array = np.asarray(answer)
        assert array.dtype.kind != "f" or not np.isnan(array).any(), "NaN in the answer"


def run(minutes: float, start: int = 0) -> tuple[Counter[str], dict[str, str]]:
    """Try all functions in turn until the time is over; return counts, and what failed."""
    known = list(examples())
    counts: Counter[str] = Counter()
    failures: dict[str, str] = {}
    end = time.monotonic() + 60 * minutes
    checks.memory = lambda: MACHINE  # type: ignore[assignment]
    for number_ in itertools.count(start):
        if time.monotonic() > end:
            return counts, failures
        call = hostile(random.Random(number_), known[number_ % len(known)])
        try:
            counts[judged(call)] += 1
        except Exception as failure:
            counts["failed"] += 1
            # The first line tells kinds apart; one of a kind is enough.
            said = f"{call.name}: {type(failure).__name__}: {failure}".partition("\n")[0]
            failures.setdefault(said[:160], f"case {number_}: {said_of(call)}")
    raise AssertionError("there is always one more number")


def said_of(call: Call) -> str:
    """Return a call as one would write it, cut where it is long."""
    with np.printoptions(threshold=20):
        args = [checks.shown(a) for a in call.args]
        options = [f"{name}={checks.shown(value)}" for name, value in call.options.items()]
    return f"{call.name}({', '.join(args + options)})"[:600]


def main() -> None:
    """Run from the command line."""
    asked = parser(__doc__)
    asked.add_argument("--minutes", type=float, default=10)
    asked.add_argument("--start", type=int, default=0, help="the number of the first case")
    given_options = asked.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    counts, failures = run(given_options.minutes, given_options.start)
    for what, where in failures.items():
        print(f"{what}\n    {where}")
    print(f"{counts.total()} calls from case {given_options.start} on: {dict(counts)}")
    lines: list[Line] = [
        {"what": "calls", "measured": counts.total(), "goal": f"≥ {GOAL}"},
        {"what": "kinds of failures", "measured": len(failures), "goal": "≤ 0"},
    ]
    table = [{"what came of it": what, "calls": number} for what, number in counts.items()]
    command = f"uv run python -m tests.fuzz --minutes {given_options.minutes:g}"
    store(given_options.json, lines, table=table, command=command)
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
