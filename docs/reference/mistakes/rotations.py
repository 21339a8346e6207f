"""Mistakes in rotations: `rotate(x, p)` returns vectors x (L, d) rotated by positions p (L,)."""

from typing import Any

import numpy as np

from docs.reference.mistakes import plain
from docs.reference.mistakes.catalogue import BFLOAT16, compared, identified, mistake

# Rotations of neighbouring channels.
WIDE = {"head_dim": 32, "seq_len": 128, "dtype": "float64"}


ROTARY = compared("rotary", **WIDE)


def rotate_neighbours(x: Any, p: Any) -> Any:
    return plain.rotate_neighbours(x, np.outer(p, plain.inv_freq(x.shape[-1])))


def split_pairs(x: Any, p: Any) -> tuple[Any, Any, Any, Any]:
    """The two channels of each pair, and their cosines and sines."""
    theta = np.outer(p, plain.inv_freq(x.shape[-1]))
    return x[..., 0::2], x[..., 1::2], np.cos(theta), np.sin(theta)


def join_pairs(first: Any, second: Any) -> Any:
    return np.stack([first, second], axis=-1).reshape(first.shape[0], -1)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="karpathy/nanochat#489",
    first=(1, 0, 1),
    message="rotating in the opposite direction",
)
def transposed(x, p):
    """The rotation matrix is transposed, so that vectors rotate backwards."""
    a, b, cos, sin = split_pairs(x, p)
    return join_pairs(a * cos + b * sin, b * cos - a * sin)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(1, 0, 1),
    message="the minus sign of the rotation is missing, so vectors change their length",
)
def minus_forgotten(x, p):
    """The minus sign is missing."""
    a, b, cos, sin = split_pairs(x, p)
    return join_pairs(a * cos + b * sin, a * sin + b * cos)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(1, 1, 0),
    message="both sines have a minus sign, so vectors change their length",
)
def minus_at_both_sines(x, p):
    """Both products with a sine have the minus sign."""
    a, b, cos, sin = split_pairs(x, p)
    return join_pairs(a * cos - b * sin, b * cos - a * sin)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(0, 1, 1),
    message="pairs are reflected instead of rotated: the minus sign is at a cosine",
)
def mirrored(x, p):
    """The minus sign is at a cosine, so that pairs are reflected."""
    a, b, cos, sin = split_pairs(x, p)
    return join_pairs(a * cos + b * sin, a * sin - b * cos)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="in-place code",
    first=(1, 1, 0),
    message="the first channel of a pair is overwritten before the second is computed",
)
def overwritten(x, p):
    """The first channel is overwritten before the second one is computed."""
    a, b, cos, sin = split_pairs(x, p)
    a[:] = a * cos - b * sin
    b[:] = a * sin + b * cos
    return x


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(0, 0, 0),
    message="sine first; sine and cosine are exchanged",
)
def sine_and_cosine_exchanged(x, p):
    """Sine and cosine are swapped."""
    a, b, sin, cos = split_pairs(x, p)
    return join_pairs(a * cos - b * sin, a * sin + b * cos)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="rasbt/LLMs-from-scratch#838",
    first=(1, 1, 0),
    message=(
        "neighbouring channels are rotated with cos and sin concatenated instead of "
        "repeated side by side"
    ),
)
def tables_of_halves(x, p):
    """Neighbouring channels are rotated with cosines and sines laid out for halves."""
    theta = np.tile(np.outer(p, plain.inv_freq(x.shape[-1])), 2)
    swapped = join_pairs(-x[..., 1::2], x[..., 0::2])
    return x * np.cos(theta) + swapped * np.sin(theta)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="mlfoundations/open_lm#4",
    first=(1, 0, 0),
    message="the result is the same at every position: nothing is rotated",
)
def turned_along_the_heads(x, p):
    """The head axis is taken for the token axis, as for shapes (B, L, H, d)."""
    heads = x[np.newaxis, :, np.newaxis]  # one head, which is then always at position 0
    theta = np.outer(p, plain.inv_freq(x.shape[-1]))[: heads.shape[2]]
    return plain.rotate_neighbours(heads, theta)[0, :, 0]


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="Blaizzy/mlx-vlm#1983",
    first=(127, 0, 0),
    message=("the positions argument is ignored; rows are counted from 0 in each call"),
)
def positions_not_looked_at(x, p):
    """Positions are counted from 0 in each call, and the argument is ignored."""
    return rotate_neighbours(x, np.arange(len(x)))


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(0, 0, 0),
    message="first position 1 instead of 0",
)
def turned_from_one(x, p):
    """Positions are counted from 1."""
    return rotate_neighbours(x, p + 1)


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(0, 1, 0),
    message="something is added to the vectors, and they are not rotated",
)
def added_and_not_turned(x, p):
    """A table of sines and cosines is added to queries and keys."""
    return x + plain.interleave(np.outer(p, plain.inv_freq(x.shape[-1])))


@mistake(
    "interleaved",
    ROTARY,
    right=rotate_neighbours,
    seen="code by learners",
    first=(0, 0, 0),
    message="vectors are multiplied by sines and cosines channel by channel instead of rotated",
)
def multiplied_and_not_turned(x, p):
    """Vectors are multiplied by sines and cosines, channel by channel."""
    return x * plain.interleave(np.outer(p, plain.inv_freq(x.shape[-1])))


@mistake(
    "interleaved",
    compared("rotary", head_dim=32),
    right=lambda x, p: rotate_neighbours(x, p.astype(np.float32)).astype(BFLOAT16),
    seen="rotary-embedding-torch 0.9.1, rotate_queries_or_keys",
    first=(257, 0, 0),
    message="angles in bfloat16 instead of float32",
)
def positions_in_the_dtype_of_the_queries(x, p):
    """Positions get the dtype of the queries: bfloat16 has no odd numbers above 256."""
    return rotate_neighbours(x, p.astype(BFLOAT16).astype(np.float32)).astype(BFLOAT16)


# Rotations of halves.
LLAMA = compared("llama", **WIDE)
LLAMA3 = compared("llama3", **WIDE)


def rotate_halves(x: Any, p: Any, base: float = 10000.0) -> Any:
    return plain.rotate_halves(x, np.outer(p, plain.inv_freq(x.shape[-1], base)))


def rotate_llama3(x: Any, p: Any) -> Any:
    return rotate_halves(x, p, 500000.0)


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="huggingface/transformers#25199",
    first=(1, 0, 1),
    message="interleaved layout instead of half",
)
def layout_of_the_original_weights(x, p):
    """Neighbouring channels are rotated, as for Meta's weights, with Hugging Face weights."""
    return rotate_neighbours(x, p)


@mistake(
    "half",
    LLAMA3,
    right=rotate_llama3,
    seen="lyogavin/airllm#369",
    first=(1, 1, 1),
    message="base 10000 instead of 500000",
)
def base_of_the_older_model(x, p):
    """The base keeps its default, because nothing reads it from the config."""
    return rotate_halves(x, p)


@mistake(
    "half",
    compared({"rope_theta": 1000000.0, "head_dim": 32}, **WIDE),
    right=lambda x, p: rotate_halves(x, p, 1000000.0),
    seen="vllm-project/vllm-ascend#5201",
    first=(1, 1, 1),
    message="base 1000 instead of 1000000",
)
def base_with_three_zeros_less(x, p):
    """The base is 1000 instead of 1,000,000, because of a slip in a command line."""
    return rotate_halves(x, p, 1000.0)


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="code by learners",
    first=(1, 0, 16),
    message="the minus sign of the rotation is missing, so vectors change their length",
)
def halves_rolled(x, p):
    """The halves are swapped by a roll, which has no minus sign."""
    theta = np.tile(np.outer(p, plain.inv_freq(x.shape[-1])), 2)
    return x * np.cos(theta) + np.roll(x, x.shape[-1] // 2, axis=-1) * np.sin(theta)


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="skyzh/tiny-llm#25",
    first=(1, 0, 16),
    message="rotating in the opposite direction",
)
def sign_at_the_other_half(x, p):
    """The minus sign is at the other half."""
    theta = np.tile(np.outer(p, plain.inv_freq(x.shape[-1])), 2)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(theta) + np.concatenate([second, -first], axis=-1) * np.sin(theta)


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="code from two sources",
    first=(1, 1, 1),
    message=("halves are rotated with cos and sin repeated side by side instead of concatenated"),
)
def tables_of_neighbours(x, p):
    """Halves are rotated with cosines and sines laid out for neighbouring channels."""
    theta = np.repeat(np.outer(p, plain.inv_freq(x.shape[-1])), 2, axis=1)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(theta) + np.concatenate([-second, first], axis=-1) * np.sin(theta)


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="ports that permute only one end",
    first=(0, 1, 1),
    message=(
        "interleaved layout instead of half; pairs are read as neighbouring channels "
        "and written as halves"
    ),
)
def read_as_neighbours_written_as_halves(x, p):
    """Pairs are read as neighbouring channels and written as halves."""
    y = rotate_neighbours(x, p)
    return np.concatenate([y[..., 0::2], y[..., 1::2]], axis=-1)


@mistake(
    "half",
    identified({"head_dim": 32, "seq_len": 4096}, kind="rotary", angles="float32"),
    right=lambda x, p: rotate_halves(x, p.astype(np.float32)),
    seen="NVIDIA/Megatron-LM#535",
    message="Positions were rounded to float16, so far positions collide.",
)
def positions_in_float16(x, p):
    """Positions get the dtype of the weights, float16."""
    return rotate_halves(x, p.astype(np.float16).astype(np.float32))


@mistake(
    "half",
    identified({"head_dim": 32, "seq_len": 1024}, kind="rotary", angles="float32"),
    right=lambda x, p: rotate_halves(x, p.astype(np.float32)),
    seen="sgl-project/sglang-jax#1472",
    message="Frequencies were rounded to bfloat16, so far positions collide.",
)
def frequencies_in_bfloat16(x, p):
    """Frequencies are rounded to the dtype of the model, bfloat16."""
    omega = plain.inv_freq(x.shape[-1], dtype=np.float32).astype(BFLOAT16).astype(np.float32)
    return plain.rotate_halves(x, np.outer(p.astype(np.float32), omega))


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="code by learners",
    first=(1, 1, 1),
    message=(
        "base 3.16228 instead of 10000; the same as base 10000 with exponent 2i/(8d), "
        "which divides by the width of 8 heads instead of one"
    ),
)
def width_of_all_heads(x, p):
    """The exponent is divided by the width of all eight heads instead of one."""
    d = x.shape[-1]
    return plain.rotate_halves(x, np.outer(p, 10000.0 ** (-np.arange(0, d, 2) / (8 * d))))


@mistake(
    "half",
    compared(lambda x, p: x, **WIDE),
    right=lambda v, p: v.copy(),
    seen="mistralai/mistral-inference#147",
    first=(1, 0, 0),
    message="it is a rotary embedding, and the reference is not",
)
def values_turned_too(v, p):
    """Values are rotated, too."""
    return rotate_halves(v, p)


@mistake(
    "half",
    LLAMA,
    right=rotate_halves,
    seen="labmlai/annotated_deep_learning_paper_implementations#251",
    first=(1, 0, 0),
    message="positions multiplied by 2; the same as rotating twice",
)
def turned_again(x, p):
    """Vectors are rotated twice, in two places of the code."""
    return rotate_halves(rotate_halves(x, p), p)


@mistake(
    "half",
    compared("llama", head_dim=32, seq_len=128),
    right=rotate_halves,
    seen="KellerJordan/modded-nanogpt#39",
    first=(1, 0, 0),
    message="cos and sin in bfloat16 instead of float32",
)
def cosines_in_bfloat16(x, p):
    """Cosines and sines are rounded to bfloat16 in a float32 rotation."""
    theta = np.outer(p, plain.inv_freq(x.shape[-1]))
    cos, sin = (of(theta).astype(BFLOAT16).astype(x.dtype) for of in (np.cos, np.sin))
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


# Rotations of only the first channels.
NEOX = compared("gpt-neox", head_dim=64, seq_len=128, dtype="float64")


def rotate_quarter(x: Any, p: Any) -> Any:
    return plain.rotate_first_channels(
        plain.rotate_halves, x, np.outer(p, plain.inv_freq(x.shape[-1] // 4))
    )


@mistake(
    "partial",
    NEOX,
    right=rotate_quarter,
    seen="ml-explore/mlx-lm#1698",
    first=(1, 0, 8),
    message="the first 64 channels rotated instead of 16",
)
def all_channels(x, p):
    """All channels are rotated, because nothing reads how many to rotate."""
    return rotate_halves(x, p)


@mistake(
    "partial",
    NEOX,
    right=rotate_quarter,
    seen="x-transformers, whose default is half of the head",
    first=(1, 0, 8),
    message="the first 32 channels rotated instead of 16",
)
def half_of_the_channels(x, p):
    """Half of the channels are rotated, the share of another model."""
    return plain.rotate_first_channels(plain.rotate_halves, x, np.outer(p, plain.inv_freq(32)))


@mistake(
    "partial",
    NEOX,
    right=rotate_quarter,
    seen="pie-project/pie#603",
    first=(1, 1, 1),
    message="exponents counted over head_dim=64 instead of the 16 rotated channels",
)
def frequencies_of_the_whole_head(x, p):
    """The exponent counts all channels of the head, not only those that rotate."""
    return plain.rotate_first_channels(plain.rotate_halves, x, np.outer(p, plain.inv_freq(64)[:8]))


@mistake(
    "partial",
    NEOX,
    right=rotate_quarter,
    seen="labscommunity/cascadia#69",
    first=(1, 0, 8),
    message=(
        "frequencies of no base instead of base 10000; the first 64 channels rotated "
        "instead of 16; only 8 of 32 pairs rotate"
    ),
)
def partners_across_the_whole_head(x, p):
    """Missing frequencies are filled with zeros, and halves of the whole head are paired."""
    omega = np.concatenate([plain.inv_freq(16), np.zeros(24)])
    return plain.rotate_halves(x, np.outer(p, omega))


@mistake(
    "partial",
    NEOX,
    right=rotate_quarter,
    seen="raullenchai/Rapid-MLX#1225",
    first=(1, 0, 0),
    message="channels 48 to 63 rotated instead of the first 16 channels",
)
def last_channels(x, p):
    """The last channels are rotated instead of the first ones."""
    turned = plain.rotate_halves(x[..., 48:], np.outer(p, plain.inv_freq(16)))
    return np.concatenate([x[..., :48], turned], axis=-1)


GPTJ = compared("gpt-j", head_dim=128, seq_len=128, dtype="float64")


def rotate_gptj(x: Any, p: Any) -> Any:
    return plain.rotate_first_channels(plain.rotate_neighbours, x, np.outer(p, plain.inv_freq(64)))


@mistake(
    "partial",
    GPTJ,
    right=rotate_gptj,
    seen="huggingface/transformers#16288",
    first=(1, 1, 0),
    message="swapped neighbours are concatenated instead of interleaved (rotate_every_two)",
)
def swapped_neighbours_concatenated(x, p):
    """Swapped neighbours are concatenated where they should alternate."""
    theta = np.repeat(np.outer(p, plain.inv_freq(64)), 2, axis=1)
    rotated = x[..., :64]
    swapped = np.concatenate([-rotated[..., 1::2], rotated[..., 0::2]], axis=-1)
    return np.concatenate([rotated * np.cos(theta) + swapped * np.sin(theta), x[..., 64:]], axis=-1)


# Cosines for several axes, with 64 pairs.
def list_points(length: int = 45) -> Any:
    """Time, height and width of four words, an image of 6 x 6 patches, and five words."""
    words = [[p] * 3 for p in range(4)]
    image = [[4, 4 + row, 4 + column] for row in range(6) for column in range(6)]
    return np.array([*words, *image, *([p] * 3 for p in range(10, 15))])[:length]


def choose_axes(n: int = 64) -> Any:
    """Time, height and width in turn, and time again where the sections (24, 20, 20) end."""
    return np.array([i % 3 if i < 60 else 0 for i in range(n)])


def make_cosines(axes: Any) -> Any:
    return np.cos(list_points()[:, axes] * plain.inv_freq(128))


MROPE = compared(lambda length: make_cosines(choose_axes()), seq_len=45)


@mistake(
    "axes",
    MROPE,
    right=lambda length: make_cosines(choose_axes()),
    seen="alibaba/MNN#4133",
    first=(5, 2),
    message="M-RoPE sections contiguous instead of interleaved",
)
def contiguous_sections(length):
    """The sections of Qwen3-VL follow each other, as in Qwen2-VL."""
    return make_cosines(np.repeat([0, 1, 2], [24, 20, 20]))


@mistake(
    "axes",
    MROPE,
    right=lambda length: make_cosines(choose_axes()),
    seen="XPU-Forces/mojo_opset#276",
    first=(5, 62),
    message=(
        "M-RoPE axes alternate over all pairs (::3) instead of interleaved sections (24, 20, 20)"
    ),
)
def every_third_pair(length):
    """Axes alternate over all pairs, and not only within their sections."""
    return make_cosines(np.arange(64) % 3)


@mistake(
    "axes",
    MROPE,
    right=lambda length: make_cosines(choose_axes()),
    seen="code that lists width before height",
    first=(5, 1),
    message="M-RoPE axes in the order time, width, height instead of time, height, width",
)
def width_before_height(length):
    """Height and width are exchanged."""
    return make_cosines(np.array([0, 2, 1])[choose_axes()])


@mistake(
    "axes",
    MROPE,
    right=lambda length: make_cosines(choose_axes()),
    seen="code that has one position for each token",
    first=(5, 0),
    message="no M-RoPE: all pairs have the positions 0 to 44",
)
def positions_of_text(length):
    """All pairs get the number of the token, as in a model for text."""
    return np.cos(np.outer(np.arange(45), plain.inv_freq(128)))
