"""Mistakes in biases: `bias(L)` returns (H, L, L).

Letters in this module
    L  positions    H  heads    k  offset, key minus query
"""

import math
from typing import Any

import numpy as np

from docs.reference.mistakes import plain
from docs.reference.mistakes.catalogue import compared, identified, mistake

# ALiBi.
ALIBI = compared("alibi", seq_len=64)


SYMMETRIC = compared("alibi-symmetric", seq_len=64)


def make_alibi(length: int, n: int = 8) -> Any:
    return plain.hide_later_keys(plain.scale_by_head(plain.slopes(n), plain.offsets(length)))


def make_alibi_of_12_heads(length: int) -> Any:
    return make_alibi(length, 12)


def make_symmetric_alibi(length: int) -> Any:
    return plain.scale_by_head(plain.slopes(8), -abs(plain.offsets(length)))


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi_of_12_heads,
    seen="ml-explore/mlx#3071",
    first=(0, 1, 0),
    message="slopes 2**(-8(h+1)/H) at every H",
)
def one_sequence_for_twelve_heads(length):
    """Slopes are one geometric sequence, even where the number of heads is no power of two."""
    return plain.hide_later_keys(
        plain.scale_by_head([2 ** (-8 * (h + 1) / 12) for h in range(12)], plain.offsets(length))
    )


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="paiml/aprender#2143",
    first=(0, 1, 0),
    message="slopes 2**(-8h/H), one head too early",
)
def slopes_from_one(length):
    """Slopes start at 1, because the exponent starts at 0."""
    return plain.hide_later_keys(
        plain.scale_by_head([2.0**-h for h in range(8)], plain.offsets(length))
    )


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="meta-pytorch/attention-gym#86",
    first=(0, 1, 0),
    message="it rises with the distance instead of falling",
)
def query_minus_key(length):
    """The offset is query minus key, so that distant keys get more."""
    return plain.hide_later_keys(plain.scale_by_head(plain.slopes(8), -plain.offsets(length)))


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi_of_12_heads,
    seen="antofuller/CROMA#12",
    first=(0, 1, 0),
    message="slopes in falling order",
)
def slopes_sorted(length):
    """Slopes are sorted, so that heads get the slopes of others."""
    slopes = sorted(plain.slopes(12), reverse=True)
    return plain.hide_later_keys(plain.scale_by_head(slopes, plain.offsets(length)))


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="mosaicml/llm-foundry#172",
    first=(0, 1, 0),
    message="slopes 2**(-16(h+1)/H)",
)
def range_of_another_model(length):
    """Slopes go down to 2**-16, as in another model."""
    return plain.hide_later_keys(
        plain.scale_by_head([2.0 ** (-2 * (h + 1)) for h in range(8)], plain.offsets(length))
    )


@mistake(
    "alibi",
    SYMMETRIC,
    right=make_symmetric_alibi,
    seen="ofirpress/attention_with_linear_biases#5",
    first=(0, 0, 1),
    message="rising for later keys instead of the same on both sides",
)
def trick_without_a_mask(length):
    """The short form for causal models is used in an encoder, where later keys then get more."""
    return plain.scale_by_head(plain.slopes(8), plain.offsets(length))


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="causal models",
    first=(0, 0, 1),
    message="the same on both sides instead of later keys hidden",
)
def mask_missing(length):
    """Later keys are not hidden."""
    return make_symmetric_alibi(length)


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="causal models",
    first=(0, 0, 1),
    message="past keys are hidden and later ones shown: the mask is transposed",
)
def mask_transposed(length):
    """The mask hides the past instead of the future."""
    return np.where(plain.offsets(length) < 0, -np.inf, make_symmetric_alibi(length))


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="code that scales scores late",
    first=(0, 1, 0),
    message="slopes of the paper's authors, divided by the root of 64",
)
def scaled_with_the_scores(length):
    """The bias is added before scores are divided by √d."""
    return make_alibi(length) / math.sqrt(64)


@mistake(
    "alibi",
    ALIBI,
    right=make_alibi,
    seen="code by learners",
    first=(0, 1, 0),
    message="slopes exp(-8(h+1)/H), powers of e instead of 2",
)
def powers_of_e(length):
    """Slopes are powers of e instead of 2."""
    return plain.hide_later_keys(
        plain.scale_by_head([math.exp(-(h + 1)) for h in range(8)], plain.offsets(length))
    )


# T5's buckets, with random values as if they were learned.
T5 = compared("t5", seq_len=200)
DECODER = compared("t5-decoder", seq_len=200)


def make_t5_bias(length: int) -> Any:
    return plain.look_up(plain.buckets(plain.offsets(length)))


def make_t5_decoder_bias(length: int) -> Any:
    return plain.look_up(plain.buckets(plain.offsets(length), both=False))


@mistake(
    "t5",
    T5,
    right=make_t5_bias,
    seen="ports that share one flag",
    first=(0, 9, 0),
    message="buckets for past keys only instead of both directions",
)
def encoder_with_buckets_of_the_decoder(length):
    """The encoder uses the buckets of the decoder, for the past only."""
    return make_t5_decoder_bias(length)


@mistake(
    "t5",
    DECODER,
    right=make_t5_decoder_bias,
    seen="ports that share one flag",
    first=(0, 0, 1),
    message="buckets for both directions instead of past keys only",
)
def decoder_with_buckets_of_the_encoder(length):
    """The decoder uses the buckets of the encoder, so that the past has half as many."""
    return make_t5_bias(length)


@mistake(
    "t5",
    T5,
    right=make_t5_bias,
    seen="huggingface/transformers#16155",
    first=(0, 0, 11),
    message="maximum distance 64 instead of 128",
)
def another_maximum_distance(length):
    """The maximum distance is half of what it should be."""
    return plain.look_up(plain.buckets(plain.offsets(length), farthest=64))


@mistake(
    "t5",
    T5,
    right=make_t5_bias,
    seen="ports that halve twice",
    first=(0, 0, 10),
    message="16 buckets instead of 32",
)
def buckets_halved_once_too_often(length):
    """The number of buckets is halved twice."""
    return plain.look_up(plain.buckets(plain.offsets(length), count=16))


@mistake(
    "t5",
    T5,
    right=make_t5_bias,
    seen="huggingface/candle#1312",
    first=(0, 0, 128),
    message="distances are not clamped to the last bucket, so far keys get buckets beyond it",
)
def minimum_missing(length):
    """Distant keys get buckets beyond the last one, because the minimum is missing."""
    k = plain.offsets(length)
    n = abs(k)
    wide = 8 + (np.log(np.maximum(n, 1) / 8) / math.log(16) * 8).astype(np.int64)
    return plain.look_up((k > 0) * 16 + np.where(n < 8, n, wide))


@mistake(
    "t5",
    identified({"kind": "bias", "seq_len": 200}, kind="t5", sign=1),
    right=lambda length: plain.buckets(plain.offsets(length)),
    seen="dmlc/gluon-nlp#1470",
    message="Offsets have the other sign (query minus key).",
)
def numbers_for_query_minus_key(length):
    """Buckets are those of query minus key."""
    return plain.buckets(-plain.offsets(length))


@mistake(
    "t5",
    identified({"kind": "bias", "seq_len": 200}, kind="t5"),
    right=make_t5_bias,
    seen="ports that take the absolute offset",
    message=(
        "A known mistake gives exactly these numbers: buckets ignore the direction: "
        "keys before and after the query share them."
    ),
)
def direction_forgotten(length):
    """Keys before and after the query share buckets."""
    return plain.look_up(plain.buckets(plain.offsets(length)) % 16)


@mistake(
    "t5",
    compared(make_t5_bias, kind="bias", seq_len=64),
    right=make_t5_bias,
    seen="ml-explore/mlx-examples#113",
    first=(0, 0, 1),
    message="offsets of the other sign (query minus key)",
)
def offsets_of_the_other_sign(length):
    """Buckets are those of query minus key, and the values are given."""
    return plain.look_up(plain.buckets(-plain.offsets(length)))


# Windows of images or volumes.
WINDOW = (4, 6)


def look_up_window(index: Any, size: int = 200) -> Any:
    """Biases of three heads, learned for each index."""
    return plain.look_up(index, 3, buckets=size)


def list_coordinates(shape: tuple[int, ...]) -> Any:
    """Coordinates of all cells, row by row, (cells, axes)."""
    return np.indices(shape).reshape(len(shape), -1).T


def compute_window_index(length: int = 24, shape: tuple[int, ...] = WINDOW) -> Any:
    at = list_coordinates(shape)
    index = np.zeros((len(at), len(at)), dtype=np.int64)
    for axis, size in enumerate(shape):
        index = index * (2 * size - 1) + at[:, np.newaxis, axis] - at[:, axis] + size - 1
    return index


def make_swin_bias(length: int) -> Any:
    return look_up_window(compute_window_index())


SWIN = compared(make_swin_bias, kind="bias", seq_len=24)


@mistake(
    "windows",
    SWIN,
    right=make_swin_bias,
    seen="microsoft/Swin-Transformer#281",
    first=(0, 0, 1),
    message="it is transposed: queries and keys are exchanged",
)
def key_minus_query_in_a_window(length):
    """The offset is key minus query; the table was learned with query minus key."""
    return look_up_window(compute_window_index().T)


@mistake(
    "windows",
    SWIN,
    right=make_swin_bias,
    seen="microsoft/Swin-Transformer#75",
    first=(0, 0, 1),
    message="entries that are equal in the reference are equal, with other values",
)
def columns_before_rows(length):
    """The index counts columns first; the table was learned with rows first."""
    at = list_coordinates(WINDOW)
    down, across = np.moveaxis(at[:, np.newaxis] - at, -1, 0)
    return look_up_window((across + 5) * (2 * 4 - 1) + down + 3)


@mistake(
    "windows",
    compared(
        lambda L: look_up_window(compute_window_index(shape=(2, 3, 4)), 600),
        kind="bias",
        seq_len=24,
    ),
    right=lambda length: look_up_window(compute_window_index(shape=(2, 3, 4)), 600),
    seen="282857341/nnFormer#88",
    first=(0, 0, 0),
    message="entries are equal that differ in the reference",
)
def strides_too_small(length):
    """The strides of two axes are too close, so that different offsets share an index."""
    at = list_coordinates((2, 3, 4))
    offsets = at[:, np.newaxis] - at + np.array([1, 2, 3])
    return look_up_window(offsets @ np.array([3 * 3 - 1, 2 * 3 - 1, 1]), 600)


def make_kerple_bias(length: int) -> Any:
    rates = np.array([0.5, 1.0, 2.0])[:, np.newaxis, np.newaxis]
    return -2.0 * np.log1p(rates * abs(plain.offsets(length)))


KERPLE = compared(make_kerple_bias, kind="bias", seq_len=48)


@mistake(
    "kernels",
    KERPLE,
    right=make_kerple_bias,
    seen="code by learners",
    first=(0, 0, 1),
    message="all entries have the opposite sign",
)
def kernel_that_rises(length):
    """The logarithm of the distance is added instead of subtracted."""
    return -make_kerple_bias(length)


@mistake(
    "kernels",
    KERPLE,
    right=make_kerple_bias,
    seen="code by learners",
    first=(0, 0, 1),
    message="all entries times 1.4427",
)
def another_logarithm(length):
    """The logarithm has base 2."""
    return make_kerple_bias(length) / math.log(2)


@mistake(
    "kernels",
    KERPLE,
    right=make_kerple_bias,
    seen="code by learners",
    first=(0, 0, 1),
    message="heads in reverse order",
)
def heads_reversed(length):
    """Heads are counted from the other end."""
    return make_kerple_bias(length)[::-1]
