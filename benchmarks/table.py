"""How fast is a sinusoidal table? Ratios to filling an array of the same size.

    uv run [--with numba==0.68.1] python -m benchmarks.table [--json FILE]

Medians of several interleaved runs: a ratio of 1 is the speed of memory. `plain` is the usual
formula, sine and cosine of an outer product. `out` and `new` are `posenc`, which computes one row
in 128 and rotates it to get the others, with existing and with new memory, and `posenc.numba`,
which does the same in compiled loops, if numba is installed. Results have goals.
"""

from functools import partial

import numpy as np

from benchmarks.timing import (
    Line,
    get_output_file,
    list_measured_packages,
    list_own_packages,
    measure_medians,
    print_line,
    store_lines,
)

SIZES = [(512, 64), (512, 512), (4096, 1024), (32768, 1024), (131072, 512)]
LARGE = 2**24  # entries; larger tables have a goal relative to memory speed
RUNS = 7


def compute_plainly(seq_len: int, d_model: int) -> np.ndarray:
    """Return the table, computed the way most libraries do it."""
    omega = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(seq_len)[:, np.newaxis] * omega
    table = np.empty((seq_len, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def measure(seq_len: int, d_model: int) -> list[Line]:
    """Print and return the ratios for one size."""
    wide, narrow = np.zeros((seq_len, d_model)), np.zeros((seq_len, d_model), np.float32)
    build = {
        who: partial(module.sinusoidal_positional_encoding, seq_len, d_model)
        for who, module in list_own_packages().items()
    }
    t = measure_medians(
        {
            "fill": partial(wide.fill, 0.5),
            "fill32": partial(narrow.fill, 0.5),
            **{f"{who} out": partial(call, out=wide) for who, call in build.items()},
            **{f"{who} new": call for who, call in build.items()},
            **{
                f"{who} out32": partial(call, dtype="float32", out=narrow)
                for who, call in build.items()
            },
            "plain": partial(compute_plainly, seq_len, d_model),
        },
        RUNS,
    )
    large = seq_len * d_model >= LARGE
    least = "≥ 15" if large else "≥ 1" if seq_len * d_model < 2**16 else ""
    lines = []
    for who in build:
        size = f"{who}: {seq_len} x {d_model}"
        lines += [
            print_line({"what": f"{size} float64, out / fill",
                  "measured": t[f"{who} out"] / t["fill"], "goal": "≤ 2.0" if large else ""}),
            print_line({"what": f"{size} float64, new / fill",
                  "measured": t[f"{who} new"] / t["fill"], "goal": "≤ 2.6" if large else ""}),
            print_line({"what": f"{size} float32, out / fill",
                  "measured": t[f"{who} out32"] / t["fill32"], "goal": "≤ 3.5" if large else ""}),
            print_line({"what": f"{size} float64, plain / new",
                  "measured": t["plain"] / t[f"{who} new"], "goal": least}),
        ]  # fmt: skip
    return lines


def main() -> None:
    """Print the lines of each size, and store them if the command line names a file."""
    file = get_output_file(__doc__)
    lines = [line for size in SIZES for line in measure(*size)]
    store_lines(file, lines, packages=list_measured_packages())


if __name__ == "__main__":
    main()
