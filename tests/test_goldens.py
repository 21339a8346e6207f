"""What is kept of other libraries is all listed, with where it comes from."""

import numpy as np
import pytest

from tests.goldens import FAMILIES, GOLDEN, INDEX, cases


@pytest.mark.parametrize("family", FAMILIES)
def test_every_array_is_listed(family: str) -> None:
    listed = {f"{case.name}.{array}" for case in cases(family) for array in case.listed}

    assert listed == set(np.load(GOLDEN / f"{family}.npz").files)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_says_where_it_comes_from(family: str) -> None:
    for case in cases(family):
        # A version or a commit: "transformers 5.23.0", "fairseq @3d262bb25690".
        assert any(character.isdigit() for character in case.library) or "torch" in case.library
        assert case.function
        assert case.outputs


def test_no_case_is_both_kept_and_left_out() -> None:
    kept = [case["name"] for key, part in INDEX.items() if isinstance(part, list) for case in part]
    left = [name for names in INDEX["left_out"].values() for name in names]

    assert len(kept) == len(set(kept))
    assert not set(kept) & set(left)
    # Of the 108 cases that were made; what is left out of a case is told in a sentence.
    assert len(kept) + len([name for name in left if " " not in name]) == 108
