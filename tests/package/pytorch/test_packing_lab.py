"""What the lab on packing returns, against the collator of transformers that it follows."""

from typing import Any

import numpy as np
import pytest

from check.fences import find_fences
from check.lab_source import FOLDER
from check.page_source import read_page

transformers = pytest.importorskip("transformers")


def test_the_lab_packs_as_the_collator_does():
    page = read_page(FOLDER / "packing.py")
    [pack] = [
        fence.source
        for fence in find_fences(page)
        if "solution" in fence.classes and "def pack(" in fence.source
    ]
    names: dict[str, Any] = {"np": np, "IGNORED": -100}
    exec(pack, names)
    rows = [[5, 6, 7], [8], [9, 5]]

    found = names["pack"](rows)

    collate = transformers.DataCollatorWithFlattening(return_tensors="np")
    expected = collate([{"input_ids": row} for row in rows])
    for array, name in zip(found, ("input_ids", "position_ids", "labels"), strict=True):
        assert array.tolist() == expected[name][0].tolist(), name
