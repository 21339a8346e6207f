"""Positions of packed sequences restart where cu_seqlens says, and are refused where it lies."""

import pytest
import torch

from posenc import batches
from posenc.torch import packed_positions


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize("lengths", [[5, 3, 1], [0, 4, 0, 0, 2, 0], [0], [7]])
def test_positions_are_those_of_the_numpy_function(lengths, dtype):
    cu_seqlens = torch.from_numpy(batches.cu_seqlens(lengths)).to(dtype)

    found = packed_positions(cu_seqlens, sum(lengths))

    assert found.dtype == torch.int64
    assert found.tolist() == batches.packed_positions(lengths).tolist()


def test_padding_behind_the_last_sequence_counts_from_zero():
    assert packed_positions(torch.tensor([0, 2]), 5).tolist() == [0, 1, 0, 1, 2]


def test_a_compiled_graph_serves_every_batch():
    compiled = torch.compile(packed_positions, fullgraph=True, dynamic=True)
    for lengths in ([5, 3, 1], [2, 2], [1, 0, 0, 9]):
        cu_seqlens = torch.tensor([0, *lengths]).cumsum(0).int()
        assert (compiled(cu_seqlens, 12) == packed_positions(cu_seqlens, 12)).all()


def test_positions_follow_the_device():
    assert packed_positions(torch.zeros(3, dtype=torch.int32, device="meta"), 4).is_meta


@pytest.mark.parametrize(
    ("cu_seqlens", "seq_len", "error", "said"),
    [
        ([0, 3], 3, TypeError, "cu_seqlens must be a tensor, got list"),
        (torch.tensor([0.0, 3.0]), 3, TypeError, r"integers, got dtype torch\.float32"),
        (torch.tensor([False, True]), 1, TypeError, r"integers, got dtype torch\.bool"),
        (torch.tensor(3), 3, ValueError, r"shape \(n \+ 1,\), got shape \(\)"),
        (torch.zeros(0, dtype=torch.int32), 0, ValueError, r"got shape \(0,\)"),
        (torch.tensor([5, 3, 1]), 9, ValueError, "cu_seqlens must begin with 0, got 5"),
        (torch.tensor([0, 5, 3]), 9, ValueError, "must not fall, got 5 and 3 at 1 and 2"),
        (torch.tensor([0, 5, 9]), 8, ValueError, "must end at seq_len=8 or before, got 9"),
        (torch.tensor([0, 3]), -1, ValueError, "seq_len must be at least 0, got seq_len=-1"),
        (torch.tensor([0, 3]), 3.0, TypeError, "seq_len must be an integer"),
    ],
)
def test_what_does_not_fit_is_refused(cu_seqlens, seq_len, error, said):
    with pytest.raises(error, match=said):
        packed_positions(cu_seqlens, seq_len)
