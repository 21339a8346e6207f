"""Write the numbers of the explorer "trained" into its script, from `posenc.trained`.

uv run python -m benchmarks.trained_explorer
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from posenc.trained import fit_rotations, load_minilm

FILE = Path(__file__).parents[1] / "docs/assets/scripts/explorers/parts/minilm.js"
ROWS = 256  # rows 1 to 256 are drawn
REACH = 20  # largest offset


def main() -> None:
    """Write the file."""
    layer = load_minilm()
    factors, planes = fit_rotations(layer.positions[1:], 5)
    points = 100 * planes[:ROWS] / abs(planes).mean(axis=0)
    coordinates = [np.stack([z.real, z.imag], axis=1).ravel() for z in points.T]
    weights = [
        [1000 * np.diagonal(layer.weights(head), k).mean() for k in range(-REACH, REACH + 1)]
        for head in range(12)
    ]
    lines = [
        "// Numbers of posenc.trained, written by benchmarks/trained_explorer.py.",
        "",
        "/** The angle of each plane, in thousandths of a radian per position. */",
        f"export const ANGLES = {_write(1000 * np.angle(factors))};",
        "",
        f"/** Rows 1 to {ROWS} in each plane: x and y in hundredths of the mean radius. */",
        f"export const PLANES = [\n{_write_lines(coordinates)}\n];",
        "",
        f"/** Mean weight by head and offset, from -{REACH} to {REACH}, in thousandths. */",
        f"export const WEIGHTS = [\n{_write_lines(weights)}\n];",
    ]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")


def _write(numbers: object) -> str:
    return json.dumps(np.rint(np.asarray(numbers)).astype(int).tolist(), separators=(",", ":"))


def _write_lines(rows: Sequence[object]) -> str:
    return "\n".join(f"  {_write(row)}," for row in rows)


if __name__ == "__main__":
    main()
