"""The golden vectors of other libraries are listed with their origin."""

import numpy as np
import pytest

from tests.goldens import FAMILIES, GOLDEN, INDEX, load_cases


@pytest.mark.parametrize("family", FAMILIES)
def test_every_array_is_listed(family: str) -> None:
    listed = {f"{case.name}.{array}" for case in load_cases(family) for array in case.listed}

    assert listed == set(np.load(GOLDEN / f"{family}.npz").files)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_names_its_origin(family: str) -> None:
    for case in load_cases(family):
        # A version or a commit: "transformers 5.23.0", "fairseq @3d262bb25690".
        assert any(character.isdigit() for character in case.library) or "torch" in case.library
        assert case.function
        assert case.outputs


def test_no_case_is_both_stored_and_left_out() -> None:
    stored = [
        case["name"] for key, part in INDEX.items() if isinstance(part, list) for case in part
    ]
    left_out = [name for names in INDEX["left_out"].values() for name in names]

    assert len(stored) == len(set(stored))
    assert not set(stored) & set(left_out)
    # 108 cases were made. Entries with spaces are sentences about parts of a case.
    assert len(stored) + len([name for name in left_out if " " not in name]) == 108
