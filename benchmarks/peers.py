r"""How fast and how accurate are other libraries at the same tasks?

    uv run --with numba==0.68.1 --with torch --with transformers==5.24.0 \
      --with x-transformers==2.31.10 --with rotary-embedding-torch==0.9.1 \
      --with positional-encodings==6.0.3 python -m benchmarks.peers [--json FILE]

Medians of interleaved runs on one thread. `/ memory` is the ratio to filling or copying an
existing array with as many bytes, and `/ posenc` the ratio to the fastest call of this package that
returns a new array. The cost of new memory has a row of its own. The error is the largest one in a
few rows, including the last, compared with 50 digits by mpmath in the convention of each library.
All libraries are called as documented, without their caches between calls; tables for rotations
are computed beforehand if the library accepts them.
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
from benchmarks.rotary import rotate_half
from benchmarks.table import compute_plainly
from benchmarks.timing import (
    Line,
    count_missed,
    get_output_file,
    list_measured_packages,
    list_own_packages,
    measure_medians,
    print_line,
    store_lines,
)

Array = NDArray[Any]

PEERS = ("torch", "transformers", "x-transformers", "rotary-embedding-torch",
         "positional-encodings")  # fmt: skip
LARGE, SMALL = (32768, 1024), (512, 64)
FASTEST = [*list_own_packages()][-1]
QUERIES, TOKEN, PLACE = (1, 32, 4096, 128), (1, 32, 1, 128), 4095
RUNS = 5


@dataclass(frozen=True)
class Entrant:
    """One library's way of doing a task, with its convention."""

    who: str
    call: Callable[[], Any]
    layout: str = "interleaved"
    last: int = 0  # the last exponent is (d - 2 + last) / d: 2 in tensor2tensor's convention
    memory: bool = False  # only moves memory
    ours: bool = False  # the entrant that the others are compared with


def import_library(name: str) -> Any:
    """Import a library; exit with the command that installs it if it is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}; the peers are installed on request:\n\n{__doc__}") from error


def compute_frequencies(d: int, last: int) -> list[Any]:
    """Return 10000^(-2i/d), or frequencies that end with 10000^-1, with 50 digits."""
    return [mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / (d - last)) for i in range(d // 2)]


def order_channels(first: list[Any], second: list[Any], layout: str) -> list[float]:
    """Return the channels of both kinds in the order of a layout."""
    if layout == "half":
        return [*map(float, first), *map(float, second)]
    return [float(one) for pair in zip(first, second, strict=True) for one in pair]


def measure_table_error(made: Any, entrant: Entrant) -> float:
    """Return the largest error in some rows near the middle and the end of a table."""
    table = np.asarray(made, dtype=np.float64)
    length, d = table.shape[-2], table.shape[-1]
    table = table.reshape(length, d)
    rows = [length // 2 + 1, *range(length - 4, length)]
    omega = compute_frequencies(d, entrant.last)
    exact = [
        order_channels([mpmath.sin(p * w) for w in omega], [mpmath.cos(p * w) for w in omega],
                 entrant.layout)
        for p in rows
    ]  # fmt: skip
    return float(abs(table[rows] - exact).max())


def measure_rotation_error(made: Any, entrant: Entrant, x: Array, first: int) -> float:
    """Return the largest error in the last rows of the first head."""
    turned = np.asarray(made, dtype=np.float64)
    length, d = x.shape[-2:]
    omega, worst = compute_frequencies(d, entrant.last), 0.0
    channels = range(d) if entrant.layout == "half" else (*range(0, d, 2), *range(1, d, 2))
    for row in range(max(0, length - 4), length):
        numbers = [mpmath.mpf(float(x[0, 0, row, channel])) for channel in channels]
        angles = [(first + row) * w for w in omega]
        pairs = [
            (u * mpmath.cos(t) - v * mpmath.sin(t), u * mpmath.sin(t) + v * mpmath.cos(t))
            for u, v, t in zip(numbers[: d // 2], numbers[d // 2 :], angles, strict=True)
        ]
        exact = order_channels([u for u, _ in pairs], [v for _, v in pairs], entrant.layout)
        worst = max(worst, float(abs(turned[0, 0, row] - exact).max()))
    return worst


def annotated_transformer_table(length: int, d: int, dtype: str) -> Any:
    """Return the table by the code of the Annotated Transformer, in PyTorch."""
    torch = import_library("torch")
    kind = getattr(torch, dtype)
    table = torch.zeros(length, d, dtype=kind)
    position = torch.arange(0, length, dtype=kind).unsqueeze(1)
    scale = -np.log(10000.0) / d
    turns = torch.exp(torch.arange(0, d, 2, dtype=kind) * scale)
    table[:, 0::2] = torch.sin(position * turns)
    table[:, 1::2] = torch.cos(position * turns)
    return table


def positional_encodings_table(length: int, d: int, dtype: str) -> Any:
    """Return the table of positional-encodings, from a new object because it caches tables."""
    torch = import_library("torch")
    module = import_library("positional_encodings.torch_encodings").PositionalEncoding1D(d)
    if dtype == "float64":
        module = module.double()
    return module(torch.empty(1, length, d, dtype=getattr(torch, dtype)))


def speech2text_table(length: int, d: int) -> Any:
    """Return the table of Speech2Text in transformers, which supports only float32."""
    found = import_library("transformers.models.speech_to_text.modeling_speech_to_text")
    return found.Speech2TextSinusoidalPositionalEmbedding.get_embedding(length, d)


def list_table_entrants(shape: tuple[int, int], dtype: str) -> list[Entrant]:
    """Return the entrants that make a table of this shape and type."""
    out = np.zeros(shape, dtype)
    found = [
        Entrant("fill", partial(out.fill, 0.5), memory=True),
        Entrant("fill, new array", partial(np.full, shape, 0.5, dtype), memory=True),
        Entrant("NumPy, tutorial", lambda: compute_plainly(*shape).astype(dtype, copy=False)),
        Entrant(
            "PyTorch, Annotated Transformer", partial(annotated_transformer_table, *shape, dtype)
        ),
        Entrant("positional-encodings", partial(positional_encodings_table, *shape, dtype)),
    ]
    for who, module in list_own_packages().items():
        call = partial(module.sinusoidal_positional_encoding, *shape, dtype=dtype)
        found += [Entrant(who, call, ours=who == FASTEST),
                  Entrant(f"{who}, out", partial(call, out=out))]  # fmt: skip
    if dtype == "float32":
        found.append(
            Entrant("transformers, Speech2Text", partial(speech2text_table, *shape), "half", 2)
        )
    return found


def list_rotation_entrants(x: Array, first: int) -> list[Entrant]:
    """Return the entrants that rotate queries, given their first position."""
    torch, positions = import_library("torch"), np.arange(first, first + x.shape[-2])
    llama = import_library("transformers.models.llama.modeling_llama")
    other = import_library("x_transformers.x_transformers")
    single = import_library("rotary_embedding_torch").RotaryEmbedding(
        x.shape[-1], cache_if_possible=False
    )
    queries, places = torch.from_numpy(x), torch.from_numpy(positions)
    cos, sin = posenc.rotary_cos_sin(positions, x.shape[-1])
    config = import_library("transformers").LlamaConfig(
        hidden_size=x.shape[1] * x.shape[-1], num_attention_heads=x.shape[1]
    )
    cos_sin = llama.LlamaRotaryEmbedding(config)(queries, places[None])
    angles, scale = other.RotaryEmbedding(x.shape[-1])(places)
    rounded = posenc.rotary_cos_sin(positions, x.shape[-1], dtype="float32")
    out = np.zeros_like(x)
    found = [
        Entrant("copy", partial(np.copyto, out, x), memory=True),
        Entrant("copy, new array", x.copy, memory=True),
    ]
    for who, module in list_own_packages().items():
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
        Entrant("NumPy, rotate_half", partial(rotate_half, x, positions), "half"),
        Entrant(
            "transformers, Llama",
            lambda: llama.apply_rotary_pos_emb(queries, queries[:, :1], *cos_sin)[0],
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


def compare(
    task: str,
    entrants: list[Entrant],
    error: Callable[[Any, Entrant], float],
    repeats: int = 1,
) -> list[dict[str, Any]]:
    """Print and return a row of results for each entrant."""
    t = measure_medians({one.who: one.call for one in entrants}, RUNS, repeats)
    memory_time, own_time = (
        next(t[one.who] for one in entrants if getattr(one, what)) for what in ("memory", "ours")
    )
    rows = []
    for one in entrants:
        spent = t[one.who]
        row: dict[str, Any] = {
            "task": task,
            "who": one.who,
            "microseconds": spent * 1e6,
            "/ memory": spent / memory_time,
            "/ posenc": spent / own_time,
            "worst error": None if one.memory else error(one.call(), one),
        }
        rows.append(row)
        wrong = "" if row["worst error"] is None else f"{row['worst error']:8.1e}"
        times = f"{row['microseconds']:12.0f} {row['/ memory']:8.1f} {row['/ posenc']:8.2f}"
        print(f"{task:40} {one.who:38} {times} {wrong}".rstrip(), flush=True)
    return rows


def check_goals(rows: list[dict[str, Any]]) -> list[Line]:
    """Print and return the ratios that have goals: the time of another library over ours."""
    found = {(row["task"], row["who"]): row["/ posenc"] for row in rows}
    large, small, turn = (
        task
        for task in dict.fromkeys(row["task"] for row in rows)
        if task.startswith(
            (name_task("float64", *LARGE), name_task("float64", *SMALL), "turn 4096")
        )
    )
    wanted = [
        (large, "NumPy, tutorial", 15),
        (large, "PyTorch, Annotated Transformer", 10),
        (large, "positional-encodings", 10),
        (small, "NumPy, tutorial", 1),
        (turn, "transformers, Llama", 8),
    ]
    return [
        print_line({"what": f"{task}: {who} / posenc", "measured": found[task, who],
              "goal": f"≥ {least}"})
        for task, who, least in wanted
    ]  # fmt: skip


def name_task(dtype: str, length: int, d: int) -> str:
    """Return the name of the task that makes a table."""
    return f"table {length} x {d} {dtype}"


def describe_command() -> str:
    """Return the command that repeats this run with the same versions."""
    pinned = (
        f"--with {name}=={version(name).partition('+')[0]}"
        for name in list_measured_packages(*PEERS)
        if name != "numpy"
    )
    return " ".join(["uv run", *pinned, "python -m benchmarks.peers"])


def main() -> int:
    """Print the table and the goals, and store them if the command line names a file."""
    file = get_output_file(__doc__)
    import_library("torch").set_num_threads(1)
    mpmath.mp.dps = 50
    print(f"{'':78} {'microseconds':>12} {'/ memory':>8} {'/ posenc':>8}  worst error")
    rows = []
    for shape, dtype in ((LARGE, "float64"), (LARGE, "float32"), (SMALL, "float64")):
        repeats = 1 if shape == LARGE else 50
        task, entrants = name_task(dtype, *shape), list_table_entrants(shape, dtype)
        rows += compare(task, entrants, measure_table_error, repeats)
    rng = np.random.default_rng(0)
    for queries, first, repeats in ((QUERIES, 0, 1), (TOKEN, PLACE, 50)):
        x = rng.normal(size=queries).astype(np.float32)
        task = f"turn {queries[-2]} of {queries[1]} heads, float32"
        error = partial(measure_rotation_error, x=x, first=first)
        rows += compare(task, list_rotation_entrants(x, first), error, repeats)
    lines = check_goals(rows)
    packages = list_measured_packages(*PEERS)
    store_lines(file, lines, table=rows, packages=packages, command=describe_command())
    return count_missed(lines)


if __name__ == "__main__":
    sys.exit(main())
