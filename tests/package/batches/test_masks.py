"""masks against loops in plain Python, and what attention makes of the masks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.batches.masks import (
    causal_mask,
    cu_seqlens,
    key_padding_mask,
    packed_positions,
    position_ids,
    real_tokens,
)

counts = st.lists(st.integers(0, 4), max_size=4)
patterns = st.lists(st.booleans(), max_size=6)


@given(q_len=st.integers(0, 5), more=st.integers(0, 3))
def test_causal_mask_shows_the_past_and_the_present(q_len: int, more: int) -> None:
    mask = causal_mask(q_len, q_len + more)
    assert mask.dtype == np.bool_
    assert mask.shape == (q_len, q_len + more)
    expected = [[s <= r + more for s in range(q_len + more)] for r in range(q_len)]
    assert mask.tolist() == expected


@given(lengths=counts, more=st.integers(0, 3), left=st.booleans())
def test_real_tokens_stand_at_one_end(lengths: list[int], more: int, left: bool) -> None:
    seq_len = max(lengths, default=0) + more
    real = real_tokens(np.array(lengths, dtype=np.int64), seq_len, side="left" if left else "right")
    words = [
        "." * (seq_len - n) + "x" * n if left else "x" * n + "." * (seq_len - n) for n in lengths
    ]
    assert real.dtype == np.bool_
    assert real.shape == (len(lengths), seq_len)
    assert real.tolist() == [[letter == "x" for letter in word] for word in words]
    assert real.flags.writeable
    if not more:
        assert real_tokens(np.array(lengths, dtype=np.int64)).shape == real.shape


@given(data=st.data(), batch=st.integers(0, 3), k_len=st.integers(0, 5), causal=st.booleans())
def test_key_padding_mask_hides_a_key_from_every_query(
    data: st.DataObject, batch: int, k_len: int, causal: bool
) -> None:
    row = st.lists(st.booleans(), min_size=k_len, max_size=k_len)
    real = data.draw(st.lists(row, min_size=batch, max_size=batch))
    q_len = data.draw(st.integers(0, k_len if causal else 6))
    mask = key_padding_mask(
        np.array(real, dtype=bool).reshape(batch, k_len), q_len=q_len, causal=causal
    )
    assert mask.dtype == np.bool_
    assert mask.shape == (batch, q_len, k_len)
    expected = [
        [
            [u and not (causal and s > r + k_len - q_len) for s, u in enumerate(keys)]
            for r in range(q_len)
        ]
        for keys in real
    ]
    assert mask.tolist() == expected


@pytest.mark.parametrize("causal", [False, True])
def test_heads_have_equal_masks_in_separate_memory(causal: bool) -> None:
    real = [[True, True, False], [False, True, True]]
    plain, mask = (key_padding_mask(real, causal=causal, n_heads=n) for n in (None, 4))
    assert mask.shape == (2, 4, 3, 3)
    assert mask.tolist() == [[own] * 4 for own in plain.tolist()]
    mask[1, 2] = False
    assert mask[1, 1].tolist() == plain[1].tolist()
    assert key_padding_mask(real[0], causal=causal, n_heads=2).tolist() == [plain[0].tolist()] * 2
    assert key_padding_mask(real[0], causal=causal).tolist() == plain[0].tolist()


@given(lengths=counts)
def test_a_packed_row_is_cut_where_its_sequences_begin(lengths: list[int]) -> None:
    owners = [number for number, n in enumerate(lengths) for _ in range(n)]
    bounds = cu_seqlens(np.array(lengths, dtype=np.int8))
    assert bounds.dtype == np.int32
    assert bounds.shape == (len(lengths) + 1,)
    found = [owners[begin:end] for begin, end in pairwise(bounds)]
    assert found == [[number] * n for number, n in enumerate(lengths)]
    positions = packed_positions(np.array(lengths, dtype=np.int8))
    assert positions.dtype == np.int64
    assert positions.tolist() == [p for n in lengths for p in range(n)]


def test_bounds_of_a_long_row_are_no_smaller_than_its_lengths() -> None:
    bounds = cu_seqlens(np.array([200, 100], dtype=np.uint8))  # 300 is no uint8
    assert bounds.tolist() == [0, 200, 300]
    assert packed_positions(np.array([200, 100], dtype=np.uint8))[-1] == 99
    assert cu_seqlens([2**31 - 1]).tolist() == [0, 2**31 - 1]


@given(pattern=patterns)
def test_positions_count_the_real_tokens_before(pattern: list[bool]) -> None:
    ids = position_ids(np.array(pattern, dtype=bool))
    assert ids.dtype == np.int64
    assert ids.tolist() == [sum(pattern[:t]) if u else 0 for t, u in enumerate(pattern)]


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.int8])
def test_a_mask_of_a_tokenizer_counts_as_booleans(dtype):
    real = np.array([[False, True, True], [True, False, True]])

    assert (key_padding_mask(real.astype(dtype)) == key_padding_mask(real)).all()
    assert (position_ids(real.astype(dtype)) == position_ids(real)).all()
