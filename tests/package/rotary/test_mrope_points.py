"""Position ids of images and video, against Qwen models in transformers and the paper."""

import json
import math
from typing import Any

import pytest

from posenc.rotary.mrope import mrope_points
from tests.goldens import GOLDEN

CASES = json.loads((GOLDEN / "mrope_points.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_transformers(case: dict[str, Any]) -> None:
    arguments = {name: value for name, value in case.items() if name != "points"}

    points = mrope_points(**arguments, text_start="spatial")

    assert points.tolist() == case["points"]


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_the_paper(case: dict[str, Any]) -> None:
    """Text after a grid starts one past the largest number, as in transformers 4.57."""
    arguments = {name: value for name, value in case.items() if name != "points"}
    seconds = iter(case.get("second_per_grid_ts", []))
    expected: list[list[int]] = []
    start = 0
    for part in case["parts"]:
        frames, rows, columns = (part, 1, 1) if isinstance(part, int) else part
        is_text = isinstance(part, int)
        counts_time = "second_per_grid_ts" in case and not is_text and frames > 1
        step = next(seconds) * case["tokens_per_second"] if counts_time else 1
        for t in range(frames):
            time = math.floor(t * step + 1e-6)  # 3 · 2/3 is 2
            expected += [
                [start + time, start + (t if is_text else h), start + (t if is_text else w)]
                for h in range(rows)
                for w in range(columns)
            ]
        start = 1 + max(max(point) for point in expected)

    assert mrope_points(**arguments).tolist() == expected


def test_images_need_no_time() -> None:
    parts = [2, (1, 3, 2), 4]

    expected = mrope_points(parts).tolist()

    assert mrope_points(parts, rule="qwen2.5-vl").tolist() == expected
    assert mrope_points(parts, rule="qwen3-vl", text_start="spatial").tolist() == expected


def test_one_number_of_seconds_serves_all_videos() -> None:
    for seconds in (1.5, [1.5, 1.5]):
        points = mrope_points(
            [(3, 1, 1), 2, (2, 1, 1)],
            rule="qwen2.5-vl",
            second_per_grid_ts=seconds,
            tokens_per_second=2,
        )

        assert points[:, 0].tolist() == [0, 3, 6, 7, 8, 9, 12]
