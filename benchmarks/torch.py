"""How fast are queries and keys rotated in PyTorch? Ratios to the functions of transformers.

    uv run --with torch --with transformers==5.24.0 python -m benchmarks.torch [--json FILE]

One thread of a CPU, medians of several interleaved runs: 1 is the speed of transformers. Queries
and keys have batch 1, 32 heads and 128 channels. The half layout is compared with Llama's
`apply_rotary_pos_emb`, the interleaved one with GPT-J's, both given their cosines and sines.
`module` calls a `RotaryEmbedding` for queries and keys, `pairs` is `rotate_pairs` with tables of
its own, and `projected` has the memory order that a linear layer writes, (B, L, H, head_dim).
`first call` has new positions each time: both sides compute cosines and sines. `float32` is the
type of the computation. Results have goals.

The table has root mean square errors, relative to the root mean square of the queries, for 512
positions from 0 and from a million on.
"""

from functools import partial
from importlib import import_module
from itertools import count
from typing import Any

import torch

from benchmarks.timing import Calls, Line, get_output_file, measure_medians, store_lines
from posenc.torch import RotaryEmbedding, rotate_pairs

# Not imported by name: transformers is installed only for this command.
LLAMA = import_module("transformers.models.llama.modeling_llama")
GPTJ = import_module("transformers.models.gptj.modeling_gptj")

HEADS, CHANNELS = 32, 128
LENGTHS = {2048: "≤ 1.1", 1: "≤ 1.3"}
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
RUNS, RUNS_TOKENS = 9, (51, 20)


def make_queries_and_keys(length: int, dtype: torch.dtype) -> tuple[Any, Any]:
    """Return queries and keys in memory order (B, H, L, head_dim)."""
    q, k = torch.randn(2, 1, HEADS, length, CHANNELS).to(dtype)
    return q, k


def rotate_both(rope: RotaryEmbedding, q: Any, k: Any, positions: Any) -> object:
    """Rotate queries and keys, as a layer of attention does."""
    return rope(q, positions), rope(k, positions)


def measure_half(length: int, dtype: torch.dtype) -> dict[str, float]:
    """Return the ratios to Llama's function in the half layout."""
    q, k = make_queries_and_keys(length, dtype)
    q2, k2 = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k))
    rope = RotaryEmbedding(CHANNELS, layout="half", seq_axis=-2)
    theirs = LLAMA.LlamaRotaryEmbedding(LLAMA.LlamaConfig(head_dim=CHANNELS, rope_theta=10000.0))
    positions = torch.arange(length) + 1000
    cos, sin = theirs(q, positions[None])
    own = rope.cos_sin(positions, dtype)
    start = count()

    def call_theirs_first() -> object:
        tables = theirs(q, positions[None] + next(start))
        return LLAMA.apply_rotary_pos_emb(q, k, *tables)

    calls: Calls = {
        "apply": partial(LLAMA.apply_rotary_pos_emb, q, k, cos, sin),
        "apply projected": partial(LLAMA.apply_rotary_pos_emb, q2, k2, cos, sin),
        "apply first": call_theirs_first,
        "module": partial(rotate_both, rope, q, k, positions),
        "module, projected": partial(rotate_both, rope, q2, k2, positions),
        "module, first call": lambda: rotate_both(rope, q, k, positions + next(start)),
        "pairs": lambda: [rotate_pairs(x, *own, layout="half") for x in (q, k)],
    }
    if dtype != torch.float32:
        wide = RotaryEmbedding(CHANNELS, layout="half", seq_axis=-2, compute_dtype=torch.float32)
        calls["module, float32"] = partial(rotate_both, wide, q, k, positions)
    for call in calls.values():
        call()
    t = measure_medians(calls, *(RUNS_TOKENS if length == 1 else (RUNS,)))
    beside = {"module, projected": "apply projected", "module, first call": "apply first"}
    return {
        name: t[name] / t[beside.get(name, "apply")]
        for name in calls
        if not name.startswith("apply")
    }


def measure_interleaved(length: int, dtype: torch.dtype) -> dict[str, float]:
    """Return the ratios to GPT-J's function in the interleaved layout."""
    q, k = (x.transpose(1, 2).contiguous() for x in make_queries_and_keys(length, dtype))
    rope = RotaryEmbedding(CHANNELS, layout="interleaved", seq_axis=-3)
    positions = torch.arange(length) + 1000
    cos, sin = (table[None] for table in rope.cos_sin(positions, dtype))
    calls: Calls = {
        "apply": lambda: [GPTJ.apply_rotary_pos_emb(x, sin, cos) for x in (q, k)],
        "module": partial(rotate_both, rope, q, k, positions),
    }
    for call in calls.values():
        call()
    t = measure_medians(calls, *(RUNS_TOKENS if length == 1 else (RUNS,)))
    return {"module, interleaved": t["module"] / t["apply"]}


def measure_errors(dtype: torch.dtype) -> list[dict[str, Any]]:
    """Return rows with the errors of both sides near position 0 and far away."""
    length = 512
    exact = torch.randn(1, HEADS, length, CHANNELS, dtype=torch.float64).to(dtype).double()
    x = exact.to(dtype)
    ropes = {
        name: RotaryEmbedding(CHANNELS, layout="half", seq_axis=-2, compute_dtype=wide)
        for name, wide in (("module", None), ("module, float32", torch.float32))
    }
    theirs = LLAMA.LlamaRotaryEmbedding(LLAMA.LlamaConfig(head_dim=CHANNELS, rope_theta=10000.0))
    rows: dict[str, dict[str, Any]] = {}
    for first, column in ((0, "error from 0"), (10**6, "error from 1,000,000")):
        positions = torch.arange(length) + first
        right = ropes["module"](exact, positions)
        found = {name: rope(x, positions) for name, rope in ropes.items()}
        found["transformers"], _ = LLAMA.apply_rotary_pos_emb(x, x, *theirs(x, positions[None]))
        for name, y in found.items():
            row = rows.setdefault(
                name, {"dtype": str(dtype).removeprefix("torch."), "rotated by": name}
            )
            row[column] = ((y.double() - right).norm() / right.norm()).item()
    return list(rows.values())


def main() -> None:
    """Print all lines, and store them if the command line names a file."""
    file = get_output_file(__doc__)
    torch.set_num_threads(1)
    lines: list[Line] = []
    for dtype in DTYPES:
        for length, goal in LENGTHS.items():
            found = measure_half(length, dtype) | measure_interleaved(length, dtype)
            for name, ratio in found.items():
                what = f"{str(dtype).removeprefix('torch.')}, L = {length}, {name}"
                line = Line(what=what, measured=ratio, goal=goal if name == "module" else "")
                print(f"{what:48} {ratio:8.2f}   {line['goal']}".rstrip(), flush=True)
                lines.append(line)
    torch.manual_seed(0)
    table = [row for dtype in DTYPES for row in measure_errors(dtype)]
    for row in table:
        print(*row.values(), sep=", ")
    store_lines(
        file,
        lines,
        table=table,
        packages=("torch", "transformers"),
        command="uv run --with torch --with transformers==5.24.0 python -m benchmarks.torch",
    )


if __name__ == "__main__":
    main()
