"""What an encoding costs in operations, compared with the layers around it.

Whole numbers, exact at any size. A FLOP is one multiplication or one addition, so a
multiply-add is two.

Letters in this module
    L  positions (seq_len)      B  sequences in a batch
    d  channels (d_model)
"""

from posenc.core import checks


def matmul_flops(rows: int, inner: int, columns: int) -> int:
    """Return the FLOPs of one matrix product, (rows, inner) by (inner, columns).

    Args:
        rows: Rows of the left matrix, at least 0.
        inner: Columns of the left and rows of the right matrix, at least 0.
        columns: Columns of the right matrix, at least 0.

    Returns:
        An int, FLOPs: 2·rows·inner·columns, a multiply-add for each term of each sum.
        A sum that begins with its first term, not with 0, saves rows·columns additions.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: An argument is negative.

    Source:
        Textbook count of the product by its definition; no paper. Deviation: none.

    Examples:
        >>> from posenc.costs import matmul_flops
        >>> matmul_flops(2, 3, 4)
        48
    """
    rows = checks.integer("rows", rows, least=0)
    inner = checks.integer("inner", inner, least=0)
    columns = checks.integer("columns", columns, least=0)
    # --8<-- [start:matmul]
    multiplications = additions = rows * inner * columns
    return multiplications + additions
    # --8<-- [end:matmul]


def addition_flops(seq_len: int, d_model: int, *, batch: int = 1) -> int:
    """Return the FLOPs of adding one table of encodings to a batch of embeddings.

    Args:
        seq_len: Positions L of each sequence, at least 0.
        d_model: Channels d, at least 1.
        batch: Sequences B, at least 0.

    Returns:
        An int, FLOPs: B·L·d, one addition for each entry.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: An argument is below its least value.

    Source:
        The sum of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, counted.
        Deviation: none. The paper does not count it.

    Examples:
        >>> from posenc.costs import addition_flops
        >>> addition_flops(4096, 4096)
        16777216
    """
    seq_len, d_model, batch = _sizes(seq_len, d_model, batch)
    # --8<-- [start:addition]
    return batch * seq_len * d_model
    # --8<-- [end:addition]


def attention_flops(seq_len: int, d_model: int, *, batch: int = 1) -> int:
    """Return the FLOPs of the six matrix products of one self-attention layer.

    Args:
        seq_len: Positions L of each sequence, at least 0.
        d_model: Channels d of all heads together, at least 1.
        batch: Sequences B, at least 0.

    Returns:
        An int, FLOPs: B·(8·L·d² + 4·L²·d). The first term is queries, keys, values and
        the output projection, the second the scores and the weighted sums, for any
        number of heads that share d. Not counted: scaling, masks, softmax, biases.
        A causal layer is counted as if it computed the masked half, too.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: An argument is below its least value.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.2, counted. Deviation:
        their table 1 has O(L²·d), only the second term and without its factor.

    Examples:
        >>> from posenc.costs import attention_flops
        >>> attention_flops(4096, 4096) == 12 * 4096**3
        True
    """
    seq_len, d_model, batch = _sizes(seq_len, d_model, batch)
    # --8<-- [start:attention]
    projections = 4 * matmul_flops(seq_len, d_model, d_model)  # Q, K, V and output
    scores = matmul_flops(seq_len, d_model, seq_len)  # Q Kᵀ
    sums = matmul_flops(seq_len, seq_len, d_model)  # A V
    return batch * (projections + scores + sums)
    # --8<-- [end:attention]


def feed_forward_flops(seq_len: int, d_model: int, *, expansion: int = 4, batch: int = 1) -> int:
    """Return the FLOPs of the two matrix products of one feed-forward layer.

    Args:
        seq_len: Positions L of each sequence, at least 0.
        d_model: Channels d, at least 1.
        expansion: Hidden channels for each channel, at least 1.
        batch: Sequences B, at least 0.

    Returns:
        An int, FLOPs: 4·expansion·B·L·d², which is 16·B·L·d² for an expansion of 4.
        Not counted: biases and the nonlinearity. A gated layer has three products.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: An argument is below its least value.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.3, counted; the paper has
        512 channels and 2048 hidden ones. Deviation: none.

    Examples:
        >>> from posenc.costs import feed_forward_flops
        >>> feed_forward_flops(4096, 4096) == 16 * 4096**3
        True
    """
    seq_len, d_model, batch = _sizes(seq_len, d_model, batch)
    hidden = checks.integer("expansion", expansion, least=1) * d_model
    # --8<-- [start:feed-forward]
    widen = matmul_flops(seq_len, d_model, hidden)
    narrow = matmul_flops(seq_len, hidden, d_model)
    return batch * (widen + narrow)
    # --8<-- [end:feed-forward]


def rotation_flops(seq_len: int, d_model: int, *, batch: int = 1) -> int:
    """Return the FLOPs of rotating the queries and the keys of one layer.

    Args:
        seq_len: Positions L of each sequence, at least 0.
        d_model: Channels d of all heads together, even, at least 2.
        batch: Sequences B, at least 0.

    Returns:
        An int, FLOPs: 6·B·L·d. A pair takes 4 multiplications and 2 additions; there
        are d/2 pairs in a query and d/2 in a key. Sines and cosines are precomputed.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: `d_model` is odd or below 2, or another argument is negative.

    Source:
        Su et al. 2021, arXiv:2104.09864, section 3.4.2, counted. Deviation: none.

    Examples:
        >>> from posenc.costs import rotation_flops
        >>> rotation_flops(4096, 4096)
        100663296
    """
    seq_len, d_model, batch = _sizes(seq_len, checks.even("d_model", d_model), batch)
    # --8<-- [start:rotation]
    pairs = 2 * batch * seq_len * (d_model // 2)  # of queries and keys
    return (4 + 2) * pairs
    # --8<-- [end:rotation]


def _sizes(seq_len: int, d_model: int, batch: int) -> tuple[int, int, int]:
    """Return the sizes as ints, or refuse them."""
    return (
        checks.integer("seq_len", seq_len, least=0),
        checks.integer("d_model", d_model, least=1),
        checks.integer("batch", batch, least=0),
    )
