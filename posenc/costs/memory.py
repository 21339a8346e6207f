"""What an encoding costs in bytes: moved, kept, and the time that moving takes at least.

Letters in this module
    L  positions (seq_len)      B  sequences in a batch
    d  channels (d_model)       s  bytes of one number
    n  layers                   h_kv, d_h  heads of keys, and channels of one (head_dim)
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import DTypeLike

from posenc.core import checks

Lookup = Literal["none", "separate", "fused"]
LOOKUPS: tuple[Lookup, ...] = get_args(Lookup)


def traffic_bytes(
    seq_len: int,
    d_model: int,
    dtype: DTypeLike = np.float64,
    *,
    batch: int = 1,
    lookup: Lookup = "none",
) -> int:
    """Return the bytes that the addition reads and writes, each entry once.

    Args:
        seq_len: Positions L of each sequence, at least 0.
        d_model: Channels d, at least 1.
        dtype: float64, float32, float16 or the bfloat16 of ml_dtypes, of embeddings, table and sum.
        batch: Sequences B, at least 0.
        lookup: `"none"`: the embeddings are in memory. `"separate"`: a lookup puts
            them there first. `"fused"`: each is looked up where it is added.

    Returns:
        An int, bytes: (2·B + 1)·L·d·s for `"none"` and `"fused"`, and (4·B + 1)·L·d·s
        for `"separate"`. The table is read once for the batch. Not counted: token
        ids, and effects of the CPU's cache.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is below its least value, `dtype` is another, or
            `lookup` is unknown.

    Source:
        Counting of this book. Deviation: none.

    Examples:
        >>> from posenc.costs import traffic_bytes
        >>> traffic_bytes(4096, 4096, "float16") / 2**20
        96.0
    """
    seq_len = checks.integer("seq_len", seq_len, least=0)
    d_model = checks.integer("d_model", d_model, least=1)
    batch = checks.integer("batch", batch, least=0)
    itemsize = checks.float_dtype("dtype", dtype, bfloat16=True).itemsize
    lookup = checks.choice("lookup", lookup, LOOKUPS)
    # --8<-- [start:traffic]
    streams = batch + 1 + batch  # read the embeddings, read the table, write the sum
    if lookup == "separate":
        streams += batch + batch  # read the rows of tokens, write the embeddings
    return streams * seq_len * d_model * itemsize
    # --8<-- [end:traffic]


def table_bytes(seq_len: int, d_model: int, dtype: DTypeLike = np.float64) -> int:
    """Return the bytes that a table of encodings takes.

    Args:
        seq_len: Rows L of the table, at least 0.
        d_model: Channels d, at least 1.
        dtype: float64, float32, float16 or the bfloat16 of ml_dtypes.

    Returns:
        An int, bytes: L·d·s.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is below its least value, or `dtype` is another.

    Source:
        Counting of this book. Deviation: none.

    Examples:
        >>> from posenc.costs import table_bytes
        >>> table_bytes(4096, 4096, "float16") / 2**20
        32.0
    """
    seq_len = checks.integer("seq_len", seq_len, least=0)
    d_model = checks.integer("d_model", d_model, least=1)
    itemsize = checks.float_dtype("dtype", dtype, bfloat16=True).itemsize
    # --8<-- [start:storage]
    return seq_len * d_model * itemsize
    # --8<-- [end:storage]


def cache_bytes(
    seq_len: int,
    dtype: DTypeLike = np.float64,
    *,
    layers: int,
    kv_heads: int,
    head_dim: int,
    batch: int = 1,
) -> int:
    """Return the bytes of the keys and values that a model caches while decoding.

    Args:
        seq_len: Tokens L that each sequence has so far, at least 0.
        dtype: float64, float32, float16 or the bfloat16 of ml_dtypes, of keys and values.
        layers: Layers n with attention, at least 1.
        kv_heads: Heads that have keys and values of their own, h_kv, at least 1: all heads
            of a layer, fewer with grouped queries, 1 with multi-query attention.
        head_dim: Channels d_h of a key, and of a value, at least 1.
        batch: Sequences B, at least 0, without shared keys.

    Returns:
        An int, bytes: 2·n·h_kv·d_h·s·B·L, a key and a value for each. Each further token
        reads all of them. Not counted: space reserved for later tokens.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is below its least value, or `dtype` is another.

    Source:
        Counting of this book; fewer heads of keys after Shazeer 2019, arXiv:1911.02150,
        and Ainslie et al. 2023, arXiv:2305.13245. Deviation: none.

    Examples:
        >>> from posenc.costs import cache_bytes
        >>> cache_bytes(131_072, "float16", layers=32, kv_heads=32, head_dim=128) / 2**30
        64.0
    """
    seq_len = checks.integer("seq_len", seq_len, least=0)
    itemsize = checks.float_dtype("dtype", dtype, bfloat16=True).itemsize
    layers = checks.integer("layers", layers, least=1)
    kv_heads = checks.integer("kv_heads", kv_heads, least=1)
    head_dim = checks.integer("head_dim", head_dim, least=1)
    batch = checks.integer("batch", batch, least=0)
    # --8<-- [start:cache]
    token = 2 * layers * kv_heads * head_dim  # numbers: its keys and its values
    return batch * seq_len * token * itemsize
    # --8<-- [end:cache]


def roofline_seconds(
    flops: float, traffic: float, *, flops_per_second: float, bytes_per_second: float
) -> float:
    """Return a lower bound of the time that a machine with these two speeds needs.

    Args:
        flops: Operations of the work, FLOPs, finite, at least 0.
        traffic: Bytes that it moves to and from memory, finite, at least 0.
        flops_per_second: The machine's peak, FLOPs per second, finite, above 0.
        bytes_per_second: The bandwidth of its memory, bytes per second, finite, above 0.

    Returns:
        A float, seconds: the longer of computing and moving, as if both were done at
        full speed and at the same time. A lower bound, not a measurement: real
        kernels reach neither speed.

    Raises:
        TypeError: An argument is not a real number.
        ValueError: An argument is not finite or out of its range.

    Source:
        Williams, Waterman and Patterson 2009, doi:10.1145/1498765.1498785: attainable
        FLOPs per second = min(peak, bandwidth · FLOPs per byte). Deviation: solved for
        the time, so that work without operations has one, too.

    Examples:
        >>> from posenc.costs import roofline_seconds
        >>> roofline_seconds(6e9, 8e9, flops_per_second=2e9, bytes_per_second=4e9)
        3.0
    """
    flops = checks.at_least_zero("flops", flops)
    traffic = checks.at_least_zero("traffic", traffic)
    peak = checks.real("flops_per_second", flops_per_second)
    bandwidth = checks.real("bytes_per_second", bytes_per_second)
    for name, speed in (("flops_per_second", peak), ("bytes_per_second", bandwidth)):
        if speed <= 0:
            raise ValueError(f"{name} must be above 0, got {name}={speed}")
    # --8<-- [start:roofline]
    computing = flops / peak  # seconds
    moving = traffic / bandwidth  # seconds
    return max(computing, moving)
    # --8<-- [end:roofline]
