"""trained_table: what is copied, what is new, what is rounded; the layers' tests have the rest."""

import numpy as np

from posenc.layers.parameter_table import TrainedTable


def test_assignment_writes_into_the_table_and_copies_the_gradient() -> None:
    table = TrainedTable(np.zeros((2, 1), np.float16))
    entries, value = table.embedding, np.array([[1.0], [2049.0]])

    table.embedding = value
    table.grad_embedding = value
    value[:] = 7

    assert table.embedding is entries
    assert entries.tolist() == table.grad_embedding.tolist() == [[1], [2048]]  # as float16 has it
    assert entries.dtype == table.grad_embedding.dtype == np.float16


def test_batches_in_parts_add_up_in_float64() -> None:
    table = TrainedTable(np.zeros((1, 1), np.float16))

    table.collect(np.array([[2048.0]]), accumulate=False)
    table.collect(np.array([[1.0002]]), accumulate=True)
    # float16 has 2048 and 2050, and 1 for 1.0002: rounded before, the sum would be 2048.
    assert table.grad_embedding.tolist() == [[2050]]

    table.collect(np.array([[3.0]]), accumulate=False)
    assert table.grad_embedding.tolist() == [[3]]
    table.zero_grad()
    assert table.grad_embedding.tolist() == [[0]]
    assert table.grad_embedding.dtype == np.float16
