r"""The same tasks by other libraries: one table of times and of errors, all from one run.

    uv run --with numba==0.68.1 --with torch --with transformers==5.23.0 \
      --with x-transformers==2.31.10 --with rotary-embedding-torch==0.9.1 \
      --with positional-encodings==6.0.3 python -m benchmarks.peers [--json FILE]

Medians of interleaved runs on one thread. `/ memory` is the time over that of filling or
copying an array that is there, of the same bytes, `/ posenc` that over the fastest call of this
package that does the same and returns a new array; what new memory costs alone stands beside
them. The error is that of the worst entry in a few rows, the last of the sequence among them,
against fifty digits by mpmath, each library by the convention that it documents. Every library
is called as its documentation calls it, with what it keeps between calls taken away; tables for
rotations are made before, where they can be handed in.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

import posenc
from benchmarks.rotary import halves
from benchmarks.table import plain
from benchmarks.timing import Line, file_asked_for, medians, missed, ours, show, store, versions_of

Array = NDArray[Any]

PEERS = ("torch", "transformers", "x-transformers", "rotary-embedding-torch",
         "positional-encodings")  # fmt: skip
LARGE, SMALL = (32768, 1024), (512, 64)
FASTEST = [*ours()][-1]
QUERIES, TOKEN, PLACE = (1, 32, 4096, 128), (1, 32, 1, 128), 4095
RUNS = 5


@dataclass(frozen=True)
class Entrant:
    """Who does a task, how, and by which convention; it is judged by the entries it returns."""

    who: str
    call: Callable[[], Any]
    layout: str = "interleaved"
    last: int = 0  # the last exponent is (d - 2 + last) / d: 2 in tensor2tensor's convention
    memory: bool = False  # only moves memory
    ours: bool = False  # what the others are compared with


def library(name: str) -> Any:
    """Import a library, or say how to get it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}; the peers are installed on request:\n\n{__doc__}") from error


def frequencies(d: int, last: int) -> list[Any]:
    """Return 10000^(-2i/d), or with 10000^-1 at its end, in fifty digits."""
    return [mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / (d - last)) for i in range(d // 2)]


def arranged(first: list[Any], second: list[Any], layout: str) -> list[float]:
    """Return the numbers of both kinds in the order of a layout."""
    if layout == "half":
        return [*map(float, first), *map(float, second)]
    return [float(one) for pair in zip(first, second, strict=True) for one in pair]


def error_of_table(made: Any, entrant: Entrant) -> float:
    """Return the error of the worst entry in rows near the middle and the end of a table."""
    table = np.asarray(made, dtype=np.float64)
    length, d = table.shape[-2], table.shape[-1]
    table = table.reshape(length, d)
    rows = [length // 2 + 1, *range(length - 4, length)]
    omega = frequencies(d, entrant.last)
    exact = [
        arranged([mpmath.sin(p * w) for w in omega], [mpmath.cos(p * w) for w in omega],
                 entrant.layout)
        for p in rows
    ]  # fmt: skip
    return float(abs(table[rows] - exact).max())


def error_of_turn(made: Any, entrant: Entrant, x: Array, first: int) -> float:
    """Return the error of the worst entry in the last rows of the first head."""
    turned = np.asarray(made, dtype=np.float64)
    length, d = x.shape[-2:]
    omega, worst = frequencies(d, entrant.last), 0.0
    channels = range(d) if entrant.layout == "half" else (*range(0, d, 2), *range(1, d, 2))
    for row in range(max(0, length - 4), length):
        numbers = [mpmath.mpf(float(x[0, 0, row, channel])) for channel in channels]
        angles = [(first + row) * w for w in omega]
        pairs = [
            (u * mpmath.cos(t) - v * mpmath.sin(t), u * mpmath.sin(t) + v * mpmath.cos(t))
            for u, v, t in zip(numbers[: d // 2], numbers[d // 2 :], angles, strict=True)
        ]
        exact = arranged([u for u, _ in pairs], [v for _, v in pairs], entrant.layout)
        worst = max(worst, float(abs(turned[0, 0, row] - exact).max()))
    return worst


def annotated(length: int, d: int, dtype: str) -> Any:
    """Return the table as the Annotated Transformer has it, in PyTorch."""
    torch = library("torch")
    kind = getattr(torch, dtype)
    table = torch.zeros(length, d, dtype=kind)
    position = torch.arange(0, length, dtype=kind).unsqueeze(1)
    scale = -np.log(10000.0) / d
    turns = torch.exp(torch.arange(0, d, 2, dtype=kind) * scale)
    table[:, 0::2] = torch.sin(position * turns)
    table[:, 1::2] = torch.cos(position * turns)
    return table


def positional_encodings(length: int, d: int, dtype: str) -> Any:
    """Return the table of positional-encodings, which keeps one unless it is new."""
    torch = library("torch")
    module = library("positional_encodings.torch_encodings").PositionalEncoding1D(d)
    if dtype == "float64":
        module = module.double()
    return module(torch.empty(1, length, d, dtype=getattr(torch, dtype)))


def speech(length: int, d: int) -> Any:
    """Return the table of Speech2Text, in transformers, which has float32 alone."""
    found = library("transformers.models.speech_to_text.modeling_speech_to_text")
    return found.Speech2TextSinusoidalPositionalEmbedding.get_embedding(length, d)


def tables(shape: tuple[int, int], dtype: str) -> list[Entrant]:
    """Return who makes a table of this shape and type."""
    out = np.zeros(shape, dtype)
    found = [
        Entrant("fill", partial(out.fill, 0.5), memory=True),
        Entrant("fill, new array", partial(np.full, shape, 0.5, dtype), memory=True),
        Entrant("NumPy, tutorial", lambda: plain(*shape).astype(dtype, copy=False)),
        Entrant("PyTorch, Annotated Transformer", partial(annotated, *shape, dtype)),
        Entrant("positional-encodings", partial(positional_encodings, *shape, dtype)),
    ]
    for who, module in ours().items():
        call = partial(module.sinusoidal_positional_encoding, *shape, dtype=dtype)
        found += [Entrant(who, call, ours=who == FASTEST),
                  Entrant(f"{who}, out", partial(call, out=out))]  # fmt: skip
    if dtype == "float32":
        found.append(Entrant("transformers, Speech2Text", partial(speech, *shape), "half", 2))
    return found


def rotations(x: Array, first: int) -> list[Entrant]:
    """Return who turns queries whose first position this is."""
    torch, positions = library("torch"), np.arange(first, first + x.shape[-2])
    llama = library("transformers.models.llama.modeling_llama")
    other = library("x_transformers.x_transformers")
    single = library("rotary_embedding_torch").RotaryEmbedding(x.shape[-1], cache_if_possible=False)
    queries, places = torch.from_numpy(x), torch.from_numpy(positions)
    cos, sin = posenc.rotary_cos_sin(positions, x.shape[-1])
    config = library("transformers").LlamaConfig(
        hidden_size=x.shape[1] * x.shape[-1], num_attention_heads=x.shape[1]
    )
    tables = llama.LlamaRotaryEmbedding(config)(queries, places[None])
    angles, scale = other.RotaryEmbedding(x.shape[-1])(places)
    rounded = posenc.rotary_cos_sin(positions, x.shape[-1], dtype="float32")
    out = np.zeros_like(x)
    found = [
        Entrant("copy", partial(np.copyto, out, x), memory=True),
        Entrant("copy, new array", x.copy, memory=True),
    ]
    for who, module in ours().items():
        pairs = partial(module.rotate_pairs, x, cos, sin, seq_axis=-2)
        narrow = partial(module.rotate_pairs, x, *rounded, seq_axis=-2, compute_dtype="float32")
        half = partial(narrow, layout="half")
        found += [
            Entrant(f"{who}, interleaved, float64 inside", pairs),
            Entrant(f"{who}, interleaved", narrow),
            Entrant(f"{who}, interleaved, out", partial(narrow, out=out.copy())),
            Entrant(f"{who}, half", half, "half", ours=who == FASTEST),
            Entrant(f"{who}, half, out", partial(half, out=out.copy()), "half"),
        ]
    return [
        *found,
        Entrant("NumPy, rotate_half", partial(halves, x, positions), "half"),
        Entrant(
            "transformers, Llama",
            lambda: llama.apply_rotary_pos_emb(queries, queries[:, :1], *tables)[0],
            "half",
        ),
        Entrant(
            "x-transformers", lambda: other.apply_rotary_pos_emb(queries, angles, scale)
        ),
        Entrant(
            "rotary-embedding-torch",
            lambda: single.rotate_queries_or_keys(queries, offset=first),
        ),
    ]  # fmt: skip


def compared(
    task: str,
    entrants: list[Entrant],
    error: Callable[[Any, Entrant], float],
    repeats: int = 1,
) -> list[dict[str, Any]]:
    """Print and return a row for each who does a task."""
    t = medians({one.who: one.call for one in entrants}, RUNS, repeats)
    least, ours = (
        next(t[one.who] for one in entrants if getattr(one, what)) for what in ("memory", "ours")
    )
    rows = []
    for one in entrants:
        spent = t[one.who]
        row: dict[str, Any] = {
            "task": task,
            "who": one.who,
            "microseconds": spent * 1e6,
            "/ memory": spent / least,
            "/ posenc": spent / ours,
            "worst error": None if one.memory else error(one.call(), one),
        }
        rows.append(row)
        wrong = "" if row["worst error"] is None else f"{row['worst error']:8.1e}"
        times = f"{row['microseconds']:12.0f} {row['/ memory']:8.1f} {row['/ posenc']:8.2f}"
        print(f"{task:40} {one.who:38} {times} {wrong}".rstrip(), flush=True)
    return rows


def goals(rows: list[dict[str, Any]]) -> list[Line]:
    """Print and return how many times faster than others this package is, with its goals."""
    found = {(row["task"], row["who"]): row["/ posenc"] for row in rows}
    large, small, turn = (
        task
        for task in dict.fromkeys(row["task"] for row in rows)
        if task.startswith((named("float64", *LARGE), named("float64", *SMALL), "turn 4096"))
    )
    wanted = [
        (large, "NumPy, tutorial", 15),
        (large, "PyTorch, Annotated Transformer", 10),
        (large, "positional-encodings", 10),
        (small, "NumPy, tutorial", 1),
        (turn, "transformers, Llama", 8),
    ]
    return [
        show({"what": f"{task}: {who} / posenc", "measured": found[task, who],
              "goal": f"≥ {least}"})
        for task, who, least in wanted
    ]  # fmt: skip


def named(dtype: str, length: int, d: int) -> str:
    """Return what a task is called that makes a table."""
    return f"table {length} x {d} {dtype}"


def command() -> str:
    """Return what repeats this run, with the libraries that it had."""
    pinned = (
        f"--with {name}=={version(name).partition('+')[0]}"
        for name in versions_of(*PEERS)
        if name != "numpy"
    )
    return " ".join(["uv run", *pinned, "python -m benchmarks.peers"])


def main() -> int:
    """Print the table and the goals, and store them where that is asked for."""
    file = file_asked_for(__doc__)
    library("torch").set_num_threads(1)
    mpmath.mp.dps = 50
    print(f"{'':78} {'microseconds':>12} {'/ memory':>8} {'/ posenc':>8}  worst error")
    rows = []
    for shape, dtype in ((LARGE, "float64"), (LARGE, "float32"), (SMALL, "float64")):
        repeats = 1 if shape == LARGE else 50
        rows += compared(named(dtype, *shape), tables(shape, dtype), error_of_table, repeats)
    rng = np.random.default_rng(0)
    for queries, first, repeats in ((QUERIES, 0, 1), (TOKEN, PLACE, 50)):
        x = rng.normal(size=queries).astype(np.float32)
        task = f"turn {queries[-2]} of {queries[1]} heads, float32"
        error = partial(error_of_turn, x=x, first=first)
        rows += compared(task, rotations(x, first), error, repeats)
    lines = goals(rows)
    store(file, lines, table=rows, packages=versions_of(*PEERS), command=command())
    return missed(lines)


if __name__ == "__main__":
    sys.exit(main())
