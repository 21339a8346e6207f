"""Write the position ids of Qwen models in transformers to tests/golden/mrope_points.json.

uv run --with torch --with transformers==5.24.0 python -m benchmarks.mrope_points
"""

import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

FILE = Path(__file__).parents[1] / "tests/golden/mrope_points.json"
MERGE = 2  # patches in each direction that become one token

# Parts as `mrope_points` takes them; a single frame per video where the model wants that.
MIXED = [[3, [16, 2, 3], 2], [2, [1, 4, 2], 1, [5, 3, 2], 1, [2, 2, 6], 3], [[4, 1, 1], 1]]
FRAMES = [[2, [1, 4, 2], 1, [1, 3, 2], 4, [1, 3, 2], 4, [1, 3, 2], 1]]
TIMES = [[0.5], [1.5, 0.35], [2 / 3]]


def main() -> None:
    """Ask each model for its position ids and write the file."""
    transformers = import_module("transformers")
    cases = [_ask(transformers.Qwen2VLModel, "qwen2-vl", parts) for parts in MIXED]
    cases += [
        _ask(transformers.Qwen2_5_VLModel, "qwen2.5-vl", parts, seconds, rate)
        for parts, seconds in zip(MIXED, TIMES, strict=True)
        for rate in (2, 25)
    ]
    cases += [_ask(transformers.Qwen3VLModel, "qwen3-vl", parts) for parts in FRAMES]
    about = f"get_rope_index of transformers {transformers.__version__}: numbers it returned"
    text = ",\n".join(json.dumps(case) for case in cases)
    FILE.write_text(f'{{"about": {json.dumps(about)}, "cases": [\n{text}\n]}}\n', "utf-8")


def _ask(
    model: Any, rule: str, parts: list[Any], seconds: list[float] | None = None, rate: int = 1
) -> dict[str, Any]:
    """Return what a model numbers these parts; only its config is needed, no weights."""
    import torch

    vision = SimpleNamespace(spatial_merge_size=MERGE, tokens_per_second=rate)
    own = SimpleNamespace(config=SimpleNamespace(vision_config=vision))
    own.get_vision_position_ids = model.get_vision_position_ids.__get__(own)
    kinds: list[int] = []  # 0 for text, 1 for an image, 2 for a video
    grids: dict[int, list[list[int]]] = {1: [], 2: []}
    for part in parts:
        if isinstance(part, int):
            kinds += [0] * part
            continue
        frames, rows, columns = part
        kind = 2 if frames > 1 else 1
        if kinds and kinds[-1] == kind:
            raise ValueError("two images or two videos need text between them")
        kinds += [kind] * (frames * rows * columns)
        grids[kind].append([frames, MERGE * rows, MERGE * columns])
    given = {"second_per_grid_ts": torch.tensor(seconds)} if seconds else {}
    ids, _ = model.get_rope_index(
        own,
        torch.zeros(1, len(kinds), dtype=torch.long),
        torch.tensor([kinds]),
        torch.tensor(grids[1]) if grids[1] else None,
        torch.tensor(grids[2]) if grids[2] else None,
        **given,
    )
    times = {"second_per_grid_ts": seconds, "tokens_per_second": rate} if seconds else {}
    return {"rule": rule, **times, "parts": parts, "points": ids[:, 0].T.tolist()}


if __name__ == "__main__":
    main()
