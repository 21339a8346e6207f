"""Mistakes in tables: `encode(L)` returns (L, d), or a row for each cell of a grid."""

import math
from typing import Any

import numpy as np

from docs.reference.mistakes import plain
from docs.reference.mistakes.catalogue import BFLOAT16, compared, keeps, mistake
from posenc import laws

# The table of the paper.
D = 32


PAPER = compared("sinusoidal", seq_len=96)


def encode_paper(length: int) -> Any:
    return plain.make_table(length, D)


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="tensorflow/text#1122",
    first=(0, 1),
    message="half layout instead of interleaved",
)
def sines_before_cosines(length):
    """All sines come before all cosines; the formula alternates them."""
    return plain.join_halves(plain.angles(length, plain.inv_freq(D)))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="code by learners",
    first=(0, 0),
    message="cosine first instead of sine",
)
def cosines_in_even_channels(length):
    """Even channels have the cosines and odd ones the sines."""
    return plain.interleave(plain.angles(length, plain.inv_freq(D)))[:, np.arange(D) ^ 1]


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="maxjcohen/transformer#62",
    first=(1, 2),
    message="base 1000 instead of 10000",
)
def a_zero_of_the_base_forgotten(length):
    """The base is 1000, one zero short."""
    return plain.interleave(plain.angles(length, plain.inv_freq(D, 1000.0)))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="maxjcohen/transformer#62",
    first=(1, 1),
    message="each channel has its own frequency, exponent c/d, and the base is 1000",
)
def cosines_one_exponent_further(length):
    """Each cosine has an exponent of its own, and the base is 1000."""
    theta = np.outer(np.arange(length), 1000.0 ** (-np.arange(D) / D))
    return np.where(np.arange(D) % 2, np.cos(theta), np.sin(theta))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="Kyubyong/transformer#38",
    first=(1, 1),
    message=("each channel has its own frequency, exponent 2c/d: the loop already steps by two"),
)
def channel_taken_for_pair(length):
    """The exponent uses the index of the channel instead of that of the pair."""
    table = np.array([[p / np.power(10000, 2.0 * c / D) for c in range(D)] for p in range(length)])
    table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
    return table


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="SamLynnEvans/Transformer#25",
    first=(1, 1),
    message=("each channel has its own frequency, exponent 2c/d: the loop already steps by two"),
)
def loop_that_steps_by_two_and_doubles(length):
    """A loop over every second channel doubles its index once more."""
    table = np.zeros((length, D))
    for c in range(0, D, 2):
        table[:, c] = np.sin(np.arange(length) / 10000 ** (2 * c / D))
        table[:, c + 1] = np.cos(np.arange(length) / 10000 ** (2 * (c + 1) / D))
    return table


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="code by learners",
    first=(1, 2),
    message=(
        "base 100000000 instead of 10000; the same as base 10000 with a doubled exponent, 4i/d"
    ),
)
def exponent_doubled(length):
    """The exponent is doubled: 4i/d instead of 2i/d."""
    return plain.interleave(plain.angles(length, 10000.0 ** (-2 * np.arange(0, D, 2) / D)))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="zju3dv/LoFTR#41",
    first=(1, 2),
    message=(
        "base 7.8963e+13 instead of 10000; each frequency is the previous one divided "
        "by e², as if the factor in the exponent had been rounded down to -1"
    ),
)
def division_rounded_down(length):
    """A missing pair of brackets divides by d and then by 2, with integer division."""
    factor = -math.log(10000.0) / D // 2
    return plain.interleave(plain.angles(length, np.exp(np.arange(0, D, 2) * factor)))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="hkproj/pytorch-transformer#2",
    first=(1, 2),
    message="positions are multiplied by base**(2i/d) instead of divided by it",
)
def positions_times_the_power(length):
    """Positions are multiplied by the power of the base instead of divided by it."""
    return plain.interleave(plain.angles(length, 10000.0 ** (np.arange(0, D, 2) / D)))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="jadore801120/attention-is-all-you-need-pytorch#99",
    first=(0, 0),
    message="first position 1 instead of 0",
)
def counted_from_one(length):
    """Positions start at 1, because 0 is reserved for padding."""
    return plain.interleave(plain.angles(length, plain.inv_freq(D), start=1))


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="AkiRusProd/numpy-transformer#1",
    first=(1, 0),
    message="all rows equal the first: the position is not used",
)
def cut_along_the_batch(length):
    """The table is sliced along the batch axis, so that all tokens get one row."""
    rows = plain.make_table(5000, D)[:, np.newaxis]  # (5000, 1, d), for batches (L, B, d)
    return (np.zeros((1, length, D)) + rows[:1])[0]


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="tatp22/multidim-positional-encoding#39",
    first=(1, 0),
    message="entries are truncated to integers, as in an array of integers",
)
def table_of_integers(length):
    """The array that receives the values has an integer dtype."""
    table = np.zeros((length, D), dtype=np.int64)
    table[:] = plain.make_table(length, D)
    return table


@mistake(
    "paper",
    compared("sinusoidal", seq_len=600),
    right=lambda length: plain.make_table(length, D).astype(BFLOAT16),
    seen="keras-hub 0.32.0, SinePositionEncoding",
    first=(2, 12),
    message="angles in bfloat16 instead of float32",
)
def all_in_bfloat16(length):
    """Positions and frequencies are computed in bfloat16."""
    p, omega = np.arange(length).astype(BFLOAT16), plain.inv_freq(D).astype(BFLOAT16)
    return plain.interleave((p[:, np.newaxis] * omega).astype(np.float32)).astype(BFLOAT16)


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="code by learners",
    first=(0, 1),
    message=(
        "sines and cosines were stacked and then reshaped, which puts rows of sines "
        "before rows of cosines"
    ),
)
def stacked_on_the_first_axis(length):
    """Sines and cosines are stacked on the first axis, so that the reshape mixes rows."""
    theta = plain.angles(length, plain.inv_freq(D))
    return np.stack([np.sin(theta), np.cos(theta)]).reshape(length, D)


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="code by learners",
    first=(0, 1),
    message="all entries times 5.65685",
)
def scaled_with_the_embedding(length):
    """The factor √d of the token embedding is applied after the table was added."""
    return plain.make_table(length, D) * math.sqrt(D)


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="code by learners",
    first=(0, 1),
    message="both channels of a pair are sines; the cosines are missing",
)
def sines_alone(length):
    """Both channels of a pair have the sine."""
    return np.repeat(np.sin(plain.angles(length, plain.inv_freq(D))), 2, axis=1)


@mistake(
    "paper",
    keeps(laws.same_at_every_length, 128),
    right=encode_paper,
    seen="time series of any length",
    message="Positions are divided by the length, or the base depends on it.",
)
def positions_as_shares(length):
    """Positions are divided by the length, so that tokens move when others are appended."""
    return plain.interleave(plain.angles(length, plain.inv_freq(D)) / length)


@mistake(
    "paper",
    PAPER,
    right=encode_paper,
    seen="keras-team/keras-hub#2981",
    first=(65, 0),
    message="all rows from 64 on are equal: positions are clamped to 64",
)
def clamped_to_the_length_in_training(length):
    """Positions beyond the training length are clamped to the last one."""
    return plain.interleave(np.outer(np.minimum(np.arange(length), 64), plain.inv_freq(D)))


# The table of tensor2tensor, and that of fairseq, which starts at 2.
def encode_tensor2tensor(length: int, start: float = 0) -> Any:
    return plain.join_halves(plain.angles(length, plain.tensor2tensor_inv_freq(D), start))


def encode_fairseq(length: int) -> Any:
    return encode_tensor2tensor(length, 2)


T2T = compared("tensor2tensor", seq_len=96)
FAIRSEQ = compared("fairseq", seq_len=96)


@mistake(
    "tensor2tensor",
    T2T,
    right=encode_tensor2tensor,
    seen="hojonathanho/diffusion#15",
    first=(1, 1),
    message="exponent 2i/d instead of i/(d/2-1)",
)
def exponents_of_the_paper(length):
    """The exponent is divided by d/2 instead of d/2 - 1."""
    return plain.join_halves(plain.angles(length, plain.inv_freq(D)))


@mistake(
    "tensor2tensor",
    T2T,
    right=encode_tensor2tensor,
    seen="huggingface/blog#2183",
    first=(0, 1),
    message="interleaved layout instead of half",
)
def interleaved_as_in_the_paper(length):
    """Sines and cosines alternate; the checkpoint has them in halves."""
    return plain.interleave(plain.angles(length, plain.tensor2tensor_inv_freq(D)))


@mistake(
    "tensor2tensor",
    compared(
        lambda L: plain.join_halves(plain.angles(L, 2 * plain.tensor2tensor_inv_freq(D, 20000.0))),
        seq_len=96,
    ),
    right=lambda length: plain.join_halves(
        plain.angles(length, plain.tensor2tensor_inv_freq(D, 20000.0)) / 0.5
    ),
    seen="tensorflow/tensor2tensor#1923",
    first=(1, 0),
    message="positions divided by 2 instead of multiplied by 2",
)
def shortest_timescale_multiplied(length):
    """Frequencies are multiplied by the shortest timescale instead of divided by it."""
    return plain.join_halves(
        0.5 * plain.angles(length, plain.tensor2tensor_inv_freq(D, 10000.0 / 0.5))
    )


@mistake(
    "fairseq",
    FAIRSEQ,
    right=encode_fairseq,
    seen="facebookresearch/fairseq#1177",
    first=(0, 0),
    message="first position 0 instead of 2",
)
def offset_of_the_padding_forgotten(length):
    """Positions start at 0; those of the checkpoint start after the padding index."""
    return encode_tensor2tensor(length)


@mistake(
    "fairseq",
    FAIRSEQ,
    right=encode_fairseq,
    seen="facebookresearch/fairseq#1187",
    first=(0, 0),
    message="first position 1 instead of 2",
)
def offset_without_its_one(length):
    """Positions start at the padding index instead of after it."""
    return encode_tensor2tensor(length, 1)


@mistake(
    "fairseq",
    FAIRSEQ,
    right=encode_fairseq,
    seen="huggingface/transformers#20761",
    first=(0, 0),
    message="first position 4 instead of 2",
)
def offset_twice(length):
    """The offset is built into the table, and added to the positions once more."""
    return encode_tensor2tensor(length + 2, 2)[2:]


# Timesteps of diffusion models: the half with cosines comes first.
def encode_timesteps(length: int) -> Any:
    return plain.join_cosines_first(plain.angles(length, plain.inv_freq(D)))


STEPS = compared(encode_timesteps, seq_len=600)


@mistake(
    "timesteps",
    STEPS,
    right=encode_timesteps,
    seen="flashinfer-ai/flashinfer#3819",
    first=(0, 0),
    message="sine first instead of cosine",
)
def halves_exchanged_once_too_often(length):
    """Cosines already come first, and an option swaps the halves back."""
    return np.roll(encode_timesteps(length), D // 2, axis=1)


@mistake(
    "timesteps",
    STEPS,
    right=encode_timesteps,
    seen="ArchiMickey/Just-a-DiT#9",
    first=(1, 0),
    message="positions divided by 1000",
)
def times_from_zero_to_one(length):
    """Times run from 0 to 1 instead of 0 to 1000, so that most waves hardly move."""
    return plain.join_cosines_first(plain.angles(length, plain.inv_freq(D)) / 1000)


@mistake(
    "timesteps",
    STEPS,
    right=encode_timesteps,
    seen="eje24/iap-diffusion-labs#30",
    first=(0, 0),
    message="all entries times 1.41421",
)
def scaled_to_unit_variance(length):
    """Entries are multiplied by √2, which the text does not mention."""
    return encode_timesteps(length) * math.sqrt(2)


@mistake(
    "timesteps",
    PAPER,
    right=encode_paper,
    seen="gmongaras/Diffusion_models_from_scratch#10",
    first=(0, 1),
    message="sine and cosine alternate from row to row instead of from channel to channel",
)
def rows_in_place_of_channels(length):
    """Sine and cosine alternate along the axis of the times instead of the channels."""
    theta = np.repeat(plain.angles(length, plain.inv_freq(D)), 2, axis=1)
    theta[::2], theta[1::2] = np.sin(theta[::2]), np.cos(theta[1::2])
    return theta


@mistake(
    "timesteps",
    STEPS,
    right=lambda length: encode_timesteps(length).astype(np.float16),
    seen="facebookincubator/AITemplate#1009",
    first=(1, 23),
    message="angles in float16 instead of float32",
)
def frequencies_in_float16(length):
    """Frequencies are computed in float16."""
    half = np.float16
    omega = np.exp(np.arange(D // 2, dtype=half) * half(-math.log(10000.0) / (D // 2)))
    theta = np.arange(length, dtype=half)[:, np.newaxis] * omega
    return plain.join_cosines_first(theta.astype(np.float32)).astype(half)


# Grids of h * w cells, listed row by row.
def make_grid(h: int, width: int, d: int = D, base: float = 10000.0) -> Any:
    """Half of the channels for the row, half for the column of each cell, row by row."""
    y, x = np.divmod(np.arange(h * width), width)
    return np.hstack(
        [plain.join_halves(np.outer(part, plain.inv_freq(d // 2, base))) for part in (y, x)]
    )


def make_square_grid(cells: int) -> Any:
    return make_grid(8, 8)


def make_oblong_grid(cells: int) -> Any:
    return make_grid(4, 16)


SQUARE = compared(make_square_grid, seq_len=64)
OBLONG = compared(make_oblong_grid, seq_len=64)


@mistake(
    "grids",
    OBLONG,
    right=make_oblong_grid,
    seen="facebookresearch/mae#18",
    first=(1, 0),
    message="the two halves of the channels are exchanged",
)
def columns_in_the_first_half(cells):
    """The half that is called height has the columns."""
    return np.roll(make_oblong_grid(64), D // 2, axis=1)


@mistake(
    "grids",
    OBLONG,
    right=make_oblong_grid,
    seen="huggingface/transformers#41380",
    first=(1, 0),
    message="cells are listed column by column instead of row by row",
)
def listed_column_by_column(cells):
    """The grid is flattened by columns, but the image by rows."""
    return make_oblong_grid(64).reshape(4, 16, D).swapaxes(0, 1).reshape(64, D)


@mistake(
    "grids",
    OBLONG,
    right=make_oblong_grid,
    seen="Mountchicken/Union14M#12",
    first=(8, 0),
    message="a grid of 8 x 8 cells instead of 4 x 16",
)
def square_for_an_oblong_image(cells):
    """An oblong image gets the grid of a square one with as many cells."""
    return make_square_grid(64)


@mistake(
    "grids",
    OBLONG,
    right=make_oblong_grid,
    seen="zju3dv/LoFTR#17",
    first=(1, 17),
    message="base 100 instead of 10000; the same as base 10000 with half the exponent, i/d",
)
def exponents_of_the_whole_width(cells):
    """Each axis has half of the channels, but its exponents are divided by all."""
    return make_grid(4, 16, base=100.0)


@mistake(
    "grids",
    OBLONG,
    right=make_oblong_grid,
    seen="code by learners",
    first=(0, 8),
    message="one position for each cell instead of its row and column",
)
def raster_for_grid(cells):
    """Cells are numbered and encoded like the tokens of a text."""
    return plain.join_halves(plain.angles(64, plain.inv_freq(D)))


@mistake(
    "grids",
    OBLONG,
    right=make_oblong_grid,
    seen="models with a class token",
    first=(0, 16),
    message="rows are one position ahead",
)
def class_token_not_counted(cells):
    """Rows start with the first cell; the class token should come first."""
    return np.concatenate([make_oblong_grid(64)[1:], make_oblong_grid(64)[:1]])


@mistake(
    "grids",
    SQUARE,
    right=make_square_grid,
    seen="code that interpolates grids",
    first=(1, 16),
    message="positions divided by 2",
)
def scaled_to_another_size(cells):
    """Coordinates are rescaled at the training size, too."""
    y, x = np.divmod(np.arange(64), 8)
    return np.hstack([plain.join_halves(np.outer(part / 2, plain.inv_freq(16))) for part in (y, x)])
