"""Wrong functions, as programs have had them: what each gets wrong, and the words that name it.

Each stands beside the right function that differs from it in the one mistake, and is judged by
the same judge: one that complains of both, or of neither, would be no judge. The first line of
its docstring says what is wrong. `drawn` is the thread where somebody met it, as owner/name#number,
or the library or the kind of code that has it, where no thread was found.

Letters in this module
    L  positions         H  heads        p, q  positions of queries and of keys
    d  channels          k  offset q - p
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import posenc
from posenc import laws
from tests.package.judging import written as w

BFLOAT16: Any = ml_dtypes.bfloat16


@dataclass(frozen=True)
class Judge:
    """What judges a function: by name, whether it is right, and what is said of it."""

    name: str
    judge: Callable[[Any], tuple[bool, str]]


@dataclass(frozen=True)
class Wrong:
    """A wrong function, the right one, what judges both, and the words of its verdict."""

    group: str
    convention: str
    drawn: str
    judge: Judge
    says: tuple[str, ...]
    right: Any
    wrong: Any

    @property
    def name(self) -> str:
        """What the test is called after."""
        return str(self.wrong.__name__).replace("_", "-")

    @property
    def mistake(self) -> str:
        """What is wrong, in a line."""
        return str(self.wrong.__doc__).splitlines()[0].rstrip(".")


WRONG: list[Wrong] = []

GROUPS = ("tables", "turns", "biases", "grids", "caches")


def wrong(
    where: str, drawn: str, judge: Judge, *says: str, right: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a wrong function: `where` is its group and its convention, "turns: partial"."""
    group, convention = where.split(": ")

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        WRONG.append(Wrong(group, convention, drawn, judge, says, right, function))
        return function

    return enter


def identified(options: dict[str, Any] | None = None, **expected: Any) -> Judge:
    """Return `identify` for a judge, content where it finds what is expected."""

    def judge(thing: Any) -> tuple[bool, str]:
        found = posenc.identify(thing, **(options or {}))
        fits = all(getattr(found, name) == value for name, value in expected.items())
        return fits, str(found)

    return Judge("identify", judge)


def compared(reference: Any, **options: Any) -> Judge:
    """Return `compare` with a reference for a judge."""
    name = f'compare, "{reference}"' if isinstance(reference, str) else "compare"

    def judge(thing: Any) -> tuple[bool, str]:
        verdict = posenc.compare(thing, reference, **options)
        return bool(verdict), verdict.explanation or ""

    return Judge(name, judge)


def keeps(law: Callable[..., laws.Finding], *arguments: Any, **options: Any) -> Judge:
    """Return a law for a judge."""

    def judge(thing: Any) -> tuple[bool, str]:
        finding = law(thing, *arguments, **options)
        return finding.holds, f"{finding.law}: {finding.cause}"

    return Judge(f"laws.{law.__name__}", judge)


def markdown() -> str:
    """Return the catalogue as a table, a row for each function."""
    lines = ["| convention | mistake | drawn from | judge | named |", "| :-- " * 5 + "|"]
    for entry in sorted(WRONG, key=lambda entry: GROUPS.index(entry.group)):
        said = "; ".join(entry.says)
        cells = (entry.convention, entry.mistake, entry.drawn, entry.judge.name, said)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


# Sinusoidal tables: encode(L) -> (L, d).

D = 32
PAPER = compared("sinusoidal", seq_len=96)


def paper(length: int) -> Any:
    return w.table(length, D)


@wrong(
    "tables: paper",
    "tensorflow/text#1122",
    PAPER,
    "half layout in place of interleaved layout",
    right=paper,
)
def sines_before_cosines(length):
    """All sines come before all cosines, where the formula alternates."""
    return w.in_halves(w.angles(length, w.rates(D)))


@wrong(
    "tables: paper", "code of learners", PAPER, "cosine first in place of sine first", right=paper
)
def cosines_in_even_channels(length):
    """Even channels hold the cosines, odd ones the sines."""
    return w.side_by_side(w.angles(length, w.rates(D)))[:, np.arange(D) ^ 1]


@wrong(
    "tables: paper",
    "maxjcohen/transformer#62",
    PAPER,
    "base 1000 in place of base 10000",
    right=paper,
)
def a_zero_of_the_base_forgotten(length):
    """The base is 1000."""
    return w.side_by_side(w.angles(length, w.rates(D, 1000.0)))


@wrong(
    "tables: paper",
    "maxjcohen/transformer#62",
    PAPER,
    "exponent c/d",
    "the base is 1000",
    right=paper,
)
def cosines_one_exponent_further(length):
    """Sines have the exponents of even channels, cosines those of odd ones; the base is 1000."""
    theta = np.outer(np.arange(length), 1000.0 ** (-np.arange(D) / D))
    return np.where(np.arange(D) % 2, np.cos(theta), np.sin(theta))


@wrong(
    "tables: paper",
    "Kyubyong/transformer#38",
    PAPER,
    "each channel has a frequency of its own, exponent 2c/d",
    right=paper,
)
def channel_taken_for_pair(length):
    """The exponent has the number of the channel in place of that of the pair."""
    table = np.array([[p / np.power(10000, 2.0 * c / D) for c in range(D)] for p in range(length)])
    table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
    return table


@wrong(
    "tables: paper", "SamLynnEvans/Transformer#25", PAPER, "exponent 2c/d: the loop", right=paper
)
def loop_that_steps_by_two_and_doubles(length):
    """A loop over every second channel still doubles its index, and adds 1 for the cosine."""
    table = np.zeros((length, D))
    for c in range(0, D, 2):
        table[:, c] = np.sin(np.arange(length) / 10000 ** (2 * c / D))
        table[:, c + 1] = np.cos(np.arange(length) / 10000 ** (2 * (c + 1) / D))
    return table


@wrong("tables: paper", "code of learners", PAPER, "doubled exponent, 4i/d", right=paper)
def exponent_doubled(length):
    """The exponent is 2(2i)/d in both channels of a pair."""
    return w.side_by_side(w.angles(length, 10000.0 ** (-2 * np.arange(0, D, 2) / D)))


@wrong("tables: paper", "zju3dv/LoFTR#41", PAPER, "exponent was rounded down to -1", right=paper)
def division_rounded_down(length):
    """A missing bracket divides by d and then by 2, rounding down to -1."""
    factor = -math.log(10000.0) / D // 2
    return w.side_by_side(w.angles(length, np.exp(np.arange(0, D, 2) * factor)))


@wrong(
    "tables: paper",
    "hkproj/pytorch-transformer#2",
    PAPER,
    "positions are multiplied by base**(2i/d)",
    right=paper,
)
def positions_times_the_power(length):
    """Positions are multiplied by the power of the base, as a comment has it."""
    return w.side_by_side(w.angles(length, 10000.0 ** (np.arange(0, D, 2) / D)))


@wrong(
    "tables: paper",
    "jadore801120/attention-is-all-you-need-pytorch#99",
    PAPER,
    "first position 1 in place of first position 0",
    right=paper,
)
def counted_from_one(length):
    """Positions are counted from 1, 0 being kept for padding."""
    return w.side_by_side(w.angles(length, w.rates(D), start=1))


@wrong(
    "tables: paper",
    "AkiRusProd/numpy-transformer#1",
    PAPER,
    "the position is not used",
    right=paper,
)
def cut_along_the_batch(length):
    """The table is cut and added along the axis of the batch: all tokens get one row."""
    rows = w.table(5000, D)[:, np.newaxis]  # (5000, 1, d), for batches (L, B, d)
    return (np.zeros((1, length, D)) + rows[:1])[0]


@wrong(
    "tables: paper",
    "tatp22/multidim-positional-encoding#39",
    PAPER,
    "entries were cut to whole numbers",
    right=paper,
)
def table_of_integers(length):
    """The array that takes the values has the integer type of the tokens."""
    table = np.zeros((length, D), dtype=np.int64)
    table[:] = w.table(length, D)
    return table


@wrong(
    "tables: paper",
    "keras-hub 0.32.0, SinePositionEncoding",
    compared("sinusoidal", seq_len=600),
    "angles in bfloat16",
    right=lambda length: w.table(length, D).astype(BFLOAT16),
)
def all_in_bfloat16(length):
    """Positions and frequencies are numbers of the compute dtype, bfloat16."""
    p, omega = np.arange(length).astype(BFLOAT16), w.rates(D).astype(BFLOAT16)
    return w.side_by_side((p[:, np.newaxis] * omega).astype(np.float32)).astype(BFLOAT16)


@wrong("tables: paper", "code of learners", PAPER, "stacked and then reshaped", right=paper)
def stacked_on_the_first_axis(length):
    """Sines and cosines are stacked on the first axis, and the reshape mixes the rows."""
    theta = w.angles(length, w.rates(D))
    return np.stack([np.sin(theta), np.cos(theta)]).reshape(length, D)


@wrong("tables: paper", "code of learners", PAPER, "all entries times 5.65685", right=paper)
def scaled_with_the_embedding(length):
    """The factor sqrt(d) of the token embedding is applied to the sum, after adding."""
    return w.table(length, D) * math.sqrt(D)


@wrong(
    "tables: paper",
    "code of learners",
    PAPER,
    "both channels of a pair hold the sine; the cosines are missing",
    right=paper,
)
def sines_alone(length):
    """Both channels of a pair hold the sine."""
    return np.repeat(np.sin(w.angles(length, w.rates(D))), 2, axis=1)


@wrong(
    "tables: paper",
    "code for series of any length",
    keeps(laws.same_at_every_length, 128),
    "Positions are divided by the length",
    right=paper,
)
def positions_as_shares(length):
    """Positions are shares of the length, so that a token moves when others are appended."""
    return w.side_by_side(w.angles(length, w.rates(D)) / length)


@wrong(
    "tables: paper", "keras-team/keras-hub#2981", PAPER, "positions are clamped to 64", right=paper
)
def clamped_to_the_length_in_training(length):
    """Positions beyond the length seen in training are taken for the last one."""
    return w.side_by_side(np.outer(np.minimum(np.arange(length), 64), w.rates(D)))


# The table of tensor2tensor, and that of fairseq, which begins at 2.


def program(length: int, start: float = 0) -> Any:
    return w.in_halves(w.angles(length, w.rates_of_the_program(D), start))


def fairseq(length: int) -> Any:
    return program(length, 2)


T2T, FAIRSEQ = compared("tensor2tensor", seq_len=96), compared("fairseq", seq_len=96)


@wrong(
    "tables: tensor2tensor",
    "hojonathanho/diffusion#15",
    T2T,
    "exponent 2i/d in place of exponent i/(d/2-1)",
    right=program,
)
def exponents_of_the_paper(length):
    """The exponent is divided by d/2, not by d/2 - 1."""
    return w.in_halves(w.angles(length, w.rates(D)))


@wrong(
    "tables: tensor2tensor",
    "huggingface/blog#2183",
    T2T,
    "interleaved layout in place of half layout",
    right=program,
)
def interleaved_as_in_the_paper(length):
    """Sines and cosines alternate, where the checkpoint has halves."""
    return w.side_by_side(w.angles(length, w.rates_of_the_program(D)))


@wrong(
    "tables: tensor2tensor",
    "tensorflow/tensor2tensor#1923",
    compared(
        lambda L: w.in_halves(w.angles(L, 2 * w.rates_of_the_program(D, 20000.0))), seq_len=96
    ),
    "steps of 0.5 positions in place of steps of 2 positions",
    right=lambda length: w.in_halves(w.angles(length, w.rates_of_the_program(D, 20000.0)) / 0.5),
)
def shortest_timescale_multiplied(length):
    """Inverse timescales are multiplied by the shortest timescale, and should be divided."""
    return w.in_halves(0.5 * w.angles(length, w.rates_of_the_program(D, 10000.0 / 0.5)))


@wrong(
    "tables: fairseq",
    "facebookresearch/fairseq#1177",
    FAIRSEQ,
    "first position 0 in place of first position 2",
    right=fairseq,
)
def offset_of_the_padding_forgotten(length):
    """Positions begin at 0, where those of the checkpoint begin behind the padding index."""
    return program(length)


@wrong(
    "tables: fairseq",
    "facebookresearch/fairseq#1187",
    FAIRSEQ,
    "first position 1 in place of first position 2",
    right=fairseq,
)
def offset_without_its_one(length):
    """Positions begin at the padding index, and not behind it."""
    return program(length, 1)


@wrong(
    "tables: fairseq",
    "huggingface/transformers#20761",
    FAIRSEQ,
    "first position 4 in place of first position 2",
    right=fairseq,
)
def offset_twice(length):
    """The offset is part of the table, and is added to the positions once more."""
    return program(length + 2, 2)[2:]


# Timesteps of diffusion models: cosines first, by halves.


def timesteps(length: int) -> Any:
    return w.cosines_first(w.angles(length, w.rates(D)))


STEPS = compared(timesteps, seq_len=600)


@wrong(
    "tables: timesteps",
    "flashinfer-ai/flashinfer#3819",
    STEPS,
    "sine first in place of cosine first",
    right=timesteps,
)
def halves_exchanged_once_too_often(length):
    """Cosines are put first, and then exchanged with the sines by the option for that."""
    return np.roll(timesteps(length), D // 2, axis=1)


@wrong(
    "tables: timesteps",
    "ArchiMickey/Just-a-DiT#9",
    STEPS,
    "steps of 0.001 positions",
    right=timesteps,
)
def times_from_zero_to_one(length):
    """Times run from 0 to 1, for which all waves but the first stand still."""
    return w.cosines_first(w.angles(length, w.rates(D)) / 1000)


@wrong(
    "tables: timesteps",
    "eje24/iap-diffusion-labs#30",
    STEPS,
    "all entries times 1.41421",
    right=timesteps,
)
def scaled_to_unit_variance(length):
    """Entries are multiplied by sqrt(2), which the text does not say."""
    return timesteps(length) * math.sqrt(2)


@wrong(
    "tables: timesteps",
    "gmongaras/Diffusion_models_from_scratch#10",
    PAPER,
    "sine and cosine alternate from row to row",
    right=paper,
)
def rows_in_place_of_channels(length):
    """Sine and cosine alternate along the first axis, that of the times."""
    theta = np.repeat(w.angles(length, w.rates(D)), 2, axis=1)
    theta[::2], theta[1::2] = np.sin(theta[::2]), np.cos(theta[1::2])
    return theta


@wrong(
    "tables: timesteps",
    "facebookincubator/AITemplate#1009",
    STEPS,
    "angles in float16",
    right=lambda length: timesteps(length).astype(np.float16),
)
def frequencies_in_float16(length):
    """Frequencies are computed in float16, from the exponent on."""
    half = np.float16
    omega = np.exp(np.arange(D // 2, dtype=half) * half(-math.log(10000.0) / (D // 2)))
    theta = np.arange(length, dtype=half)[:, np.newaxis] * omega
    return w.cosines_first(theta.astype(np.float32)).astype(half)


# Rotations of neighbouring channels: turn(x, positions).

WIDE = {"head_dim": 32, "seq_len": 128, "dtype": "float64"}
ROTARY = compared("rotary", **WIDE)


def neighbours(x: Any, p: Any) -> Any:
    return w.turned_neighbours(x, np.outer(p, w.rates(x.shape[-1])))


def parts(x: Any, p: Any) -> tuple[Any, Any, Any, Any]:
    """The two channels of each pair, and their cosines and sines."""
    theta = np.outer(p, w.rates(x.shape[-1]))
    return x[..., 0::2], x[..., 1::2], np.cos(theta), np.sin(theta)


def side_by_side(first: Any, second: Any) -> Any:
    return np.stack([first, second], axis=-1).reshape(first.shape[0], -1)


@wrong(
    "turns: interleaved",
    "karpathy/nanochat#489",
    ROTARY,
    "angles running backwards",
    right=neighbours,
)
def transposed(x, p):
    """The matrix is the transpose of the textbook's, so vectors turn the other way."""
    a, b, cos, sin = parts(x, p)
    return side_by_side(a * cos + b * sin, b * cos - a * sin)


@wrong(
    "turns: interleaved",
    "code of learners",
    ROTARY,
    "the minus sign of the rotation is missing",
    right=neighbours,
)
def minus_forgotten(x, p):
    """No product has the minus sign."""
    a, b, cos, sin = parts(x, p)
    return side_by_side(a * cos + b * sin, a * sin + b * cos)


@wrong(
    "turns: interleaved",
    "code of learners",
    ROTARY,
    "both sines have a minus sign",
    right=neighbours,
)
def minus_at_both_sines(x, p):
    """Both products with a sine have the minus sign."""
    a, b, cos, sin = parts(x, p)
    return side_by_side(a * cos - b * sin, b * cos - a * sin)


@wrong(
    "turns: interleaved", "code of learners", ROTARY, "mirrored and not turned", right=neighbours
)
def mirrored(x, p):
    """The minus sign stands at a cosine, so pairs are mirrored."""
    a, b, cos, sin = parts(x, p)
    return side_by_side(a * cos + b * sin, a * sin - b * cos)


@wrong(
    "turns: interleaved",
    "code that works in place",
    ROTARY,
    "overwritten before the second is computed",
    right=neighbours,
)
def overwritten(x, p):
    """The first channel is written before the second one has read it."""
    a, b, cos, sin = parts(x, p)
    a[:] = a * cos - b * sin
    b[:] = a * sin + b * cos
    return x


@wrong(
    "turns: interleaved",
    "code of learners",
    ROTARY,
    "sines stand in the place of cosines",
    right=neighbours,
)
def sine_and_cosine_exchanged(x, p):
    """What is called cosine is the sine, and the other way round."""
    a, b, sin, cos = parts(x, p)
    return side_by_side(a * cos - b * sin, a * sin + b * cos)


@wrong(
    "turns: interleaved", "rasbt/LLMs-from-scratch#838", ROTARY, "partners are", right=neighbours
)
def tables_of_halves(x, p):
    """Neighbours are turned with cosines and sines that were concatenated."""
    theta = np.tile(np.outer(p, w.rates(x.shape[-1])), 2)
    swapped = side_by_side(-x[..., 1::2], x[..., 0::2])
    return x * np.cos(theta) + swapped * np.sin(theta)


@wrong(
    "turns: interleaved", "mlfoundations/open_lm#4", ROTARY, "nothing is turned", right=neighbours
)
def turned_along_the_heads(x, p):
    """The axis of the heads is taken for that of the tokens, as for shapes (B, L, H, d)."""
    heads = x[np.newaxis, :, np.newaxis]  # one head, which is then always at position 0
    theta = np.outer(p, w.rates(x.shape[-1]))[: heads.shape[2]]
    return w.turned_neighbours(heads, theta)[0, :, 0]


@wrong(
    "turns: interleaved",
    "Blaizzy/mlx-vlm#1983",
    ROTARY,
    "the positions that are handed in are not used",
    right=neighbours,
)
def positions_not_looked_at(x, p):
    """Positions are counted from 0 in each call, whatever is handed in."""
    return neighbours(x, np.arange(len(x)))


@wrong(
    "turns: interleaved",
    "code of learners",
    ROTARY,
    "first position 1 in place of first position 0",
    right=neighbours,
)
def turned_from_one(x, p):
    """Positions are counted from 1."""
    return neighbours(x, p + 1)


@wrong(
    "turns: interleaved",
    "code of learners",
    ROTARY,
    "vectors have something added to them",
    right=neighbours,
)
def added_and_not_turned(x, p):
    """A table of sines and cosines is added to queries and keys."""
    return x + w.side_by_side(np.outer(p, w.rates(x.shape[-1])))


@wrong(
    "turns: interleaved",
    "code of learners",
    ROTARY,
    "multiplied by sines and cosines channel by channel",
    right=neighbours,
)
def multiplied_and_not_turned(x, p):
    """Vectors are multiplied by sines and cosines, channel by channel."""
    return x * w.side_by_side(np.outer(p, w.rates(x.shape[-1])))


@wrong(
    "turns: interleaved",
    "rotary-embedding-torch 0.9.1, rotate_queries_or_keys",
    compared("rotary", head_dim=32),
    "angles in bfloat16",
    right=lambda x, p: neighbours(x, p.astype(np.float32)).astype(BFLOAT16),
)
def positions_in_the_dtype_of_the_queries(x, p):
    """Positions get the dtype of the queries, bfloat16, which has no odd numbers above 256."""
    return neighbours(x, p.astype(BFLOAT16).astype(np.float32)).astype(BFLOAT16)


# Rotations of halves.

LLAMA, LLAMA3 = compared("llama", **WIDE), compared("llama3", **WIDE)


def halves(x: Any, p: Any, base: float = 10000.0) -> Any:
    return w.turned_halves(x, np.outer(p, w.rates(x.shape[-1], base)))


def halves3(x: Any, p: Any) -> Any:
    return halves(x, p, 500000.0)


@wrong(
    "turns: half",
    "huggingface/transformers#25199",
    LLAMA,
    "interleaved layout in place of half layout",
    right=halves,
)
def layout_of_the_original_weights(x, p):
    """Neighbours are turned, as Meta's weights need it, under weights of Hugging Face."""
    return neighbours(x, p)


@wrong(
    "turns: half",
    "lyogavin/airllm#369",
    LLAMA3,
    "base 10000 in place of base 500000",
    right=halves3,
)
def base_of_the_older_model(x, p):
    """The base stays at its default, since nobody reads it from the config."""
    return halves(x, p)


@wrong(
    "turns: half",
    "vllm-project/vllm-ascend#5201",
    compared({"rope_theta": 1000000.0, "head_dim": 32}, **WIDE),
    "base 1000 in place of base 1000000",
    right=lambda x, p: halves(x, p, 1000000.0),
)
def base_with_three_zeros_less(x, p):
    """The base is 1000, by a slip in a command line, and should be a million."""
    return halves(x, p, 1000.0)


@wrong(
    "turns: half",
    "code of learners",
    LLAMA,
    "the minus sign of the rotation is missing",
    right=halves,
)
def halves_rolled(x, p):
    """The halves are exchanged by a roll, which has no sign."""
    theta = np.tile(np.outer(p, w.rates(x.shape[-1])), 2)
    return x * np.cos(theta) + np.roll(x, x.shape[-1] // 2, axis=-1) * np.sin(theta)


@wrong("turns: half", "skyzh/tiny-llm#25", LLAMA, "angles running backwards", right=halves)
def sign_at_the_other_half(x, p):
    """The minus sign stands at the other half."""
    theta = np.tile(np.outer(p, w.rates(x.shape[-1])), 2)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(theta) + np.concatenate([second, -first], axis=-1) * np.sin(theta)


@wrong(
    "turns: half",
    "code from two sources",
    LLAMA,
    "partners are those of one layout and angles those of the other",
    right=halves,
)
def tables_of_neighbours(x, p):
    """Halves are turned with cosines and sines that were repeated side by side."""
    theta = np.repeat(np.outer(p, w.rates(x.shape[-1])), 2, axis=1)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(theta) + np.concatenate([-second, first], axis=-1) * np.sin(theta)


@wrong(
    "turns: half",
    "ports that permute at one end alone",
    LLAMA,
    "pairs are read side by side and written half by half",
    right=halves,
)
def read_as_neighbours_written_as_halves(x, p):
    """Pairs are read side by side, and written half by half."""
    y = neighbours(x, p)
    return np.concatenate([y[..., 0::2], y[..., 1::2]], axis=-1)


@wrong(
    "turns: half",
    "NVIDIA/Megatron-LM#535",
    identified({"head_dim": 32, "seq_len": 4096}, kind="rotary", angles="float32"),
    "Positions were rounded to float16",
    right=lambda x, p: halves(x, p.astype(np.float32)),
)
def positions_in_float16(x, p):
    """Positions get the dtype of the weights, float16."""
    return halves(x, p.astype(np.float16).astype(np.float32))


@wrong(
    "turns: half",
    "sgl-project/sglang-jax#1472",
    identified({"head_dim": 32, "seq_len": 1024}, kind="rotary", angles="float32"),
    "Frequencies were rounded to bfloat16",
    right=lambda x, p: halves(x, p.astype(np.float32)),
)
def frequencies_in_bfloat16(x, p):
    """Frequencies are rounded to the dtype of the model before they meet the positions."""
    omega = w.rates(x.shape[-1], dtype=np.float32).astype(BFLOAT16).astype(np.float32)
    return w.turned_halves(x, np.outer(p.astype(np.float32), omega))


@wrong(
    "turns: half",
    "code of learners",
    LLAMA,
    "exponent 2i/(8d), as where the width of 8 heads is taken",
    right=halves,
)
def width_of_all_heads(x, p):
    """The exponent is divided by the width of all eight heads together."""
    d = x.shape[-1]
    return w.turned_halves(x, np.outer(p, 10000.0 ** (-np.arange(0, d, 2) / (8 * d))))


@wrong(
    "turns: half",
    "mistralai/mistral-inference#147",
    compared(lambda x, p: x, **WIDE),
    "it is a rotary embedding, and the reference is not",
    right=lambda v, p: v.copy(),
)
def values_turned_too(v, p):
    """Values are turned, too, which have no offset to lose."""
    return halves(v, p)


@wrong(
    "turns: half",
    "labmlai/annotated_deep_learning_paper_implementations#251",
    LLAMA,
    "steps of 2 positions",
    "vectors that are turned twice",
    right=halves,
)
def turned_again(x, p):
    """Vectors are turned in two places, and so by twice the angle."""
    return halves(halves(x, p), p)


# Rotations of the first channels alone.

NEOX = compared("gpt-neox", head_dim=64, seq_len=128, dtype="float64")


def quarter(x: Any, p: Any) -> Any:
    return w.partly(w.turned_halves, x, np.outer(p, w.rates(x.shape[-1] // 4)))


@wrong(
    "turns: partial",
    "ml-explore/mlx-lm#1698",
    NEOX,
    "the first 64 channels turned in place of the first 16 channels turned",
    right=quarter,
)
def all_channels(x, p):
    """All channels are turned, since nobody reads how many."""
    return halves(x, p)


@wrong(
    "turns: partial",
    "x-transformers, whose default is half of a head",
    NEOX,
    "the first 32 channels turned in place of the first 16",
    right=quarter,
)
def half_of_the_channels(x, p):
    """Half of the channels are turned, the share of another model."""
    return w.partly(w.turned_halves, x, np.outer(p, w.rates(32)))


@wrong(
    "turns: partial",
    "pie-project/pie#603",
    NEOX,
    "exponent 2i/head_dim, all channels of the head counted",
    right=quarter,
)
def frequencies_of_the_whole_head(x, p):
    """The exponent counts all channels of the head, also those that do not turn."""
    return w.partly(w.turned_halves, x, np.outer(p, w.rates(64)[:8]))


@wrong(
    "turns: partial",
    "labscommunity/cascadia#69",
    NEOX,
    "no more than 8 of 32 pairs turn",
    right=quarter,
)
def partners_across_the_whole_head(x, p):
    """Frequencies are filled up with zeros, and the halves of the whole head are paired."""
    omega = np.concatenate([w.rates(16), np.zeros(24)])
    return w.turned_halves(x, np.outer(p, omega))


@wrong(
    "turns: partial",
    "raullenchai/Rapid-MLX#1225",
    NEOX,
    "16 channels turned after 48",
    right=quarter,
)
def last_channels(x, p):
    """The last channels are turned, and the first ones pass."""
    turned = w.turned_halves(x[..., 48:], np.outer(p, w.rates(16)))
    return np.concatenate([x[..., :48], turned], axis=-1)


# Stretched rotations.

LINEAR = {"rope_type": "linear", "factor": 4.0, "head_dim": 32}
YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 64,
    "head_dim": 32,
}
STRETCH = 0.1 * math.log(4) + 1  # the attention factor of YaRN


def stretched(x: Any, p: Any, factor: float = 1.0) -> Any:
    omega = posenc.rope_parameters(YARN).inv_freq
    return factor * w.turned_halves(x, np.outer(p, omega))


def ntk(x: Any, p: Any) -> Any:
    return halves(x, p, 10000.0 * 4 ** (32 / 30))


def llama31(x: Any, p: Any) -> Any:
    """Frequencies by the rule of Llama 3.1, a pair at a time."""
    omega = w.rates(64, 500000.0)
    for i, rate in enumerate(omega):
        turns = 8192 * rate / (2 * math.pi)
        kept = min(1, max(0, (turns - 1) / 3))
        omega[i] = rate * (kept + (1 - kept) / 8)
    return w.turned_halves(x, np.outer(p, omega))


@wrong(
    "turns: stretched",
    "felafax/felafax#59",
    compared("llama3.1", head_dim=64, seq_len=512, dtype="float64"),
    "base 500000 in place of frequencies that follow no base",
    right=llama31,
)
def scaling_of_the_config_ignored(x, p):
    """Slow pairs are not stretched, as Llama 3.1 needs it."""
    return halves3(x, p)


@wrong(
    "turns: stretched",
    "code that was meant for the factor of positions",
    compared(LINEAR, **WIDE),
    "steps of 4 positions in place of steps of 0.25 positions",
    right=lambda x, p: halves(x, p / 4),
)
def factor_inverted(x, p):
    """Positions are multiplied by the factor, and should be divided by it."""
    return halves(x, p * 4)


@wrong(
    "turns: stretched",
    "configs whose rope_scaling is not read",
    compared(LINEAR, **WIDE),
    "without steps of 0.25 positions",
    right=lambda x, p: halves(x, p / 4),
)
def factor_ignored(x, p):
    """Positions are not divided by the factor."""
    return halves(x, p)


@wrong(
    "turns: stretched",
    "lablup/mlxcel#1324",
    LLAMA,
    "steps of 2 positions",
    right=halves,
)
def default_factor_of_two(x, p):
    """The factor is 2 where the config has none."""
    return halves(x, 2.0 * p)


@wrong(
    "turns: stretched",
    "Eyeline-Labs/CineScale#7",
    compared(ntk, **WIDE),
    "base 40000 in place of base 4387",
    right=ntk,
)
def base_times_the_factor(x, p):
    """The base is multiplied by the factor itself, not by its power d/(d-2)."""
    return halves(x, p, 40000.0)


@wrong(
    "turns: stretched",
    'keras-hub 0.32.0, rope_type="dynamic"',
    compared(ntk, **WIDE),
    "steps of 0.227931 positions",
    "base 10000 in place of",
    right=ntk,
)
def all_frequencies_divided(x, p):
    """All frequencies are divided by the factor that the base should have."""
    return halves(x, p / 4 ** (32 / 30))


@wrong(
    "turns: stretched",
    "turboderp-org/exllamav3#259",
    compared(YARN, **WIDE),
    "without all entries times 1.13863",
    right=lambda x, p: stretched(x, p, STRETCH),
)
def attention_factor_missing(x, p):
    """Cosines and sines lack the attention factor of YaRN."""
    return stretched(x, p)


@wrong(
    "turns: stretched",
    "sgl-project/sglang#33558",
    compared(YARN, **WIDE),
    "all entries times 1.29648 in place of all entries times 1.13863",
    right=lambda x, p: stretched(x, p, STRETCH),
)
def attention_factor_squared(x, p):
    """The attention factor is applied twice."""
    return stretched(x, p, STRETCH**2)


# ALiBi: bias(L) -> (H, L, L).

ALIBI = compared("alibi", seq_len=64)
SYMMETRIC = compared("alibi-symmetric", seq_len=64)


def alibi(length: int, n: int = 8) -> Any:
    return w.hide(w.heads(w.slopes_of_the_authors(n), w.offsets(length)))


def alibi12(length: int) -> Any:
    return alibi(length, 12)


def both_sides(length: int) -> Any:
    return w.heads(w.slopes_of_the_authors(8), -abs(w.offsets(length)))


@wrong("biases: ALiBi", "ml-explore/mlx#3071", ALIBI, "2**(-8(h+1)/H) at every H", right=alibi12)
def one_sequence_for_twelve_heads(length):
    """Slopes are one geometric sequence, also where heads are no power of two."""
    return w.hide(w.heads([2 ** (-8 * (h + 1) / 12) for h in range(12)], w.offsets(length)))


@wrong("biases: ALiBi", "paiml/aprender#2143", ALIBI, "begin one head too early", right=alibi)
def slopes_from_one(length):
    """Slopes begin with 1: the exponent lacks its one."""
    return w.hide(w.heads([2.0**-h for h in range(8)], w.offsets(length)))


@wrong(
    "biases: ALiBi",
    "meta-pytorch/attention-gym#86",
    ALIBI,
    "it rises with the distance and should fall",
    right=alibi,
)
def query_minus_key(length):
    """The offset is query minus key, so that far keys get more."""
    return w.hide(w.heads(w.slopes_of_the_authors(8), -w.offsets(length)))


@wrong("biases: ALiBi", "antofuller/CROMA#12", ALIBI, "slopes in falling order", right=alibi12)
def slopes_sorted(length):
    """Slopes are sorted, which gives each head the slope of another."""
    slopes = sorted(w.slopes_of_the_authors(12), reverse=True)
    return w.hide(w.heads(slopes, w.offsets(length)))


@wrong("biases: ALiBi", "mosaicml/llm-foundry#172", ALIBI, "2**(-16(h+1)/H)", right=alibi)
def range_of_another_model(length):
    """Slopes go down to 2**-16, as for the long version of a model."""
    return w.hide(w.heads([2.0 ** (-2 * (h + 1)) for h in range(8)], w.offsets(length)))


@wrong(
    "biases: ALiBi",
    "ofirpress/attention_with_linear_biases#5",
    SYMMETRIC,
    "rising for later keys in place of alike on both sides",
    right=both_sides,
)
def trick_without_a_mask(length):
    """The bias of a causal model serves an encoder, where later keys then get more."""
    return w.heads(w.slopes_of_the_authors(8), w.offsets(length))


@wrong(
    "biases: ALiBi",
    "models that are causal",
    ALIBI,
    "alike on both sides in place of later keys hidden",
    right=alibi,
)
def mask_missing(length):
    """Later keys are not hidden."""
    return both_sides(length)


@wrong("biases: ALiBi", "models that are causal", ALIBI, "mask is transposed", right=alibi)
def mask_transposed(length):
    """The mask hides the keys of the past."""
    return np.where(w.offsets(length) < 0, -np.inf, both_sides(length))


@wrong(
    "biases: ALiBi",
    "bias added before the scores are scaled",
    ALIBI,
    "slopes of the paper's authors, divided by the root of 64",
    right=alibi,
)
def scaled_with_the_scores(length):
    """The bias is added before scores are divided by sqrt(d), and shrinks with them."""
    return alibi(length) / math.sqrt(64)


@wrong("biases: ALiBi", "code of learners", ALIBI, "powers of e in the place of 2", right=alibi)
def powers_of_e(length):
    """Slopes are powers of e."""
    return w.hide(w.heads([math.exp(-(h + 1)) for h in range(8)], w.offsets(length)))


# T5's buckets: bias(L) -> (H, L, L), with something learned in each.

T5, DECODER = compared("t5", seq_len=200), compared("t5-decoder", seq_len=200)


def buckets(length: int) -> Any:
    return w.looked_up(w.bucket(w.offsets(length)))


def buckets_of_the_past(length: int) -> Any:
    return w.looked_up(w.bucket(w.offsets(length), both=False))


@wrong(
    "biases: T5",
    "ports that share one flag",
    T5,
    "buckets for past keys alone in place of both directions",
    right=buckets,
)
def encoder_with_buckets_of_the_decoder(length):
    """The encoder has buckets for the past alone."""
    return buckets_of_the_past(length)


@wrong(
    "biases: T5",
    "ports that share one flag",
    DECODER,
    "both directions in place of past keys alone",
    right=buckets_of_the_past,
)
def decoder_with_buckets_of_the_encoder(length):
    """The decoder has buckets for both directions, and so half of them for the past."""
    return buckets(length)


@wrong(
    "biases: T5",
    "huggingface/transformers#16155",
    T5,
    "maximum distance 64 in place of 128",
    right=buckets,
)
def another_maximum_distance(length):
    """The last bucket begins at half of the distance."""
    return w.looked_up(w.bucket(w.offsets(length), farthest=64))


@wrong("biases: T5", "ports that halve twice", T5, "16 buckets in place of 32", right=buckets)
def buckets_halved_once_too_often(length):
    """The number of buckets was halved by the caller already."""
    return w.looked_up(w.bucket(w.offsets(length), buckets=16))


@wrong("biases: T5", "huggingface/candle#1312", T5, "last bucket is not held fast", right=buckets)
def minimum_missing(length):
    """Far keys get buckets beyond the last, since the minimum is missing."""
    k = w.offsets(length)
    n = abs(k)
    wide = 8 + (np.log(np.maximum(n, 1) / 8) / math.log(16) * 8).astype(np.int64)
    return w.looked_up((k > 0) * 16 + np.where(n < 8, n, wide))


@wrong(
    "biases: T5",
    "dmlc/gluon-nlp#1470",
    identified({"kind": "bias", "seq_len": 200}, kind="t5", sign=1),
    "Offsets have the other sign, query minus key",
    right=lambda length: w.bucket(w.offsets(length)),
)
def numbers_for_query_minus_key(length):
    """The bucket is that of query minus key."""
    return w.bucket(-w.offsets(length))


@wrong(
    "biases: T5",
    "ports that take the absolute offset",
    identified({"kind": "bias", "seq_len": 200}, kind="t5"),
    "without a direction",
    right=buckets,
)
def direction_forgotten(length):
    """Keys before and after share a bucket: the half for later keys is not added."""
    return w.looked_up(w.bucket(w.offsets(length)) % 16)


# Windows, kernels and what was skewed.

WINDOW = (4, 6)


def window(index: Any, size: int = 200) -> Any:
    """Biases of three heads, learned for each index."""
    return w.looked_up(index, 3, buckets=size)


def coordinates(shape: tuple[int, ...]) -> Any:
    """Coordinates of all cells, row by row, (cells, axes)."""
    return np.indices(shape).reshape(len(shape), -1).T


def window_index(length: int = 24, shape: tuple[int, ...] = WINDOW) -> Any:
    at = coordinates(shape)
    index = np.zeros((len(at), len(at)), dtype=np.int64)
    for axis, size in enumerate(shape):
        index = index * (2 * size - 1) + at[:, np.newaxis, axis] - at[:, axis] + size - 1
    return index


def swin(length: int) -> Any:
    return window(window_index())


SWIN = compared(swin, kind="bias", seq_len=24)


@wrong(
    "biases: windows",
    "microsoft/Swin-Transformer#281",
    SWIN,
    "queries and keys are exchanged",
    right=swin,
)
def key_minus_query_in_a_window(length):
    """The offset is key minus query, for a table that was learned with query minus key."""
    return window(window_index().T)


@wrong(
    "biases: windows",
    "microsoft/Swin-Transformer#75",
    SWIN,
    "alike in the reference are alike, with other numbers",
    right=swin,
)
def columns_before_rows(length):
    """The index counts columns first, for a table that was learned rows first."""
    at = coordinates(WINDOW)
    down, across = np.moveaxis(at[:, np.newaxis] - at, -1, 0)
    return window((across + 5) * (2 * 4 - 1) + down + 3)


@wrong(
    "biases: windows",
    "282857341/nnFormer#88",
    compared(lambda L: window(window_index(shape=(2, 3, 4)), 600), kind="bias", seq_len=24),
    "places are alike that the reference tells apart",
    right=lambda length: window(window_index(shape=(2, 3, 4)), 600),
)
def strides_too_small(length):
    """Two axes of a window have strides of nearly one size, so that offsets share an index."""
    at = coordinates((2, 3, 4))
    offsets = at[:, np.newaxis] - at + np.array([1, 2, 3])
    return window(offsets @ np.array([3 * 3 - 1, 2 * 3 - 1, 1]), 600)


def kerple(length: int) -> Any:
    rates = np.array([0.5, 1.0, 2.0])[:, np.newaxis, np.newaxis]
    return -2.0 * np.log1p(rates * abs(w.offsets(length)))


KERPLE = compared(kerple, kind="bias", seq_len=48)


@wrong(
    "biases: kernels", "code of learners", KERPLE, "all entries have the other sign", right=kerple
)
def kernel_that_rises(length):
    """The logarithm of the distance is added, not subtracted."""
    return -kerple(length)


@wrong("biases: kernels", "code of learners", KERPLE, "all entries times 1.4427", right=kerple)
def another_logarithm(length):
    """The logarithm is that of base 2."""
    return kerple(length) / math.log(2)


@wrong("biases: kernels", "code of learners", KERPLE, "heads in reverse order", right=kerple)
def heads_reversed(length):
    """The heads are counted from the other end."""
    return kerple(length)[::-1]


# Grids: table of h * w cells, row by row.


def grid(h: int, width: int, d: int = D, base: float = 10000.0) -> Any:
    """Half of the channels for the row, half for the column of each cell, row by row."""
    y, x = np.divmod(np.arange(h * width), width)
    return np.hstack([w.in_halves(np.outer(part, w.rates(d // 2, base))) for part in (y, x)])


def square(cells: int) -> Any:
    return grid(8, 8)


def oblong(cells: int) -> Any:
    return grid(4, 16)


SQUARE, OBLONG = compared(square, seq_len=64), compared(oblong, seq_len=64)


@wrong(
    "grids: images",
    "facebookresearch/mae#18",
    OBLONG,
    "the two halves of the channels are exchanged",
    right=oblong,
)
def columns_in_the_first_half(cells):
    """The half that is called height holds the columns."""
    return np.roll(oblong(64), D // 2, axis=1)


@wrong(
    "grids: images",
    "huggingface/transformers#41380",
    OBLONG,
    "cells are listed column by column",
    right=oblong,
)
def listed_column_by_column(cells):
    """The grid is flattened column by column, the image row by row."""
    return oblong(64).reshape(4, 16, D).swapaxes(0, 1).reshape(64, D)


@wrong(
    "grids: images",
    "Mountchicken/Union14M#12",
    OBLONG,
    "a grid of 8 x 8 cells in place of 4 x 16",
    right=oblong,
)
def square_for_an_oblong_image(cells):
    """A square grid of as many cells serves an oblong image."""
    return square(64)


@wrong("grids: images", "zju3dv/LoFTR#17", OBLONG, "base 100 in place of base 10000", right=oblong)
def exponents_of_the_whole_width(cells):
    """Each axis has half of the channels, and its exponents are divided by all."""
    return grid(4, 16, base=100.0)


@wrong(
    "grids: images",
    "code of learners",
    OBLONG,
    "one position for each cell, in place of its row and its",
    right=oblong,
)
def raster_for_grid(cells):
    """Cells are counted through, and get the code of a text."""
    return w.in_halves(w.angles(64, w.rates(D)))


@wrong(
    "grids: images",
    "models with a class token",
    OBLONG,
    "rows are one position ahead",
    right=oblong,
)
def class_token_not_counted(cells):
    """Rows begin with the first cell, where that of the class token should stand."""
    return np.concatenate([oblong(64)[1:], oblong(64)[:1]])


@wrong(
    "grids: images",
    "code that interpolates to the size in training",
    SQUARE,
    "steps of 0.5 positions",
    right=square,
)
def scaled_to_another_size(cells):
    """Coordinates are scaled to the size in training, which this is."""
    y, x = np.divmod(np.arange(64), 8)
    return np.hstack([w.in_halves(np.outer(part / 2, w.rates(16))) for part in (y, x)])


# Caches: score(x, p, y, q) of queries and keys, as a program computes it call by call.

DECODING = keeps(laws.cached_equals_full, 64, head_dim=16, samples=12)
OFFSETS = keeps(laws.equal_offsets, 64, head_dim=16)


def score(x: Any, p: Any, y: Any, q: Any) -> Any:
    return halves(x, p) @ halves(y, q).T


@wrong(
    "caches: decoding",
    "RobertCsordas/moeut#6",
    DECODING,
    "Positions are counted anew in each call",
    right=score,
)
def decoding_from_zero(x, p, y, q):
    """The new query is turned as if it stood at position 0."""
    return score(x, np.arange(len(x)), y, np.arange(len(y)))


@wrong(
    "caches: decoding",
    "fla-org/flash-linear-attention#766",
    DECODING,
    "something depends on how many tokens the call has",
    right=score,
)
def one_token_too_far(x, p, y, q):
    """The cache has counted the new token already, so its query is turned one too far."""
    return score(x, p + (len(x) == 1), y, q)


@wrong(
    "caches: decoding",
    "skyzh/tiny-llm#46",
    DECODING,
    "something depends on how many tokens the call has",
    right=score,
)
def prompt_counted_twice(x, p, y, q):
    """Behind the prompt, positions go on from twice its length."""
    return score(x, np.where(len(x) == 1, p + 8 * (p >= 8), p), y, q)


@wrong(
    "caches: decoding",
    "huggingface/transformers#25104",
    DECODING,
    "something depends on how many tokens the call has",
    right=score,
)
def base_that_grows_with_the_text(x, p, y, q):
    """The base grows with the length, and the keys in the cache were turned with an old one."""
    length = max(len(x), len(y))
    base = 10000.0 * max(1.0, length / 32) ** (16 / 14)
    return halves(x, p, base) @ halves(y, q, base).T


@wrong(
    "caches: decoding",
    "rotary-embedding-torch 0.9.1 with use_xpos",
    DECODING,
    "something depends on how many tokens the call has",
    right=score,
)
def centre_of_each_call(x, p, y, q):
    """Queries grow and keys shrink with the distance from the middle of their own call."""
    grown, shrunk = 1.02 ** (p - len(x) // 2), 1.02 ** -(q - len(y) // 2)
    return (halves(x, p) * grown[:, np.newaxis]) @ (halves(y, q) * shrunk[:, np.newaxis]).T


@wrong(
    "caches: decoding",
    "code of learners",
    OFFSETS,
    "Queries and keys rotate in opposite directions",
    right=score,
)
def keys_turned_backwards(x, p, y, q):
    """Keys are turned the other way, by a conjugate too many."""
    return halves(x, p) @ halves(y, -q).T


@wrong(
    "caches: decoding",
    "ggml-org/llama.cpp#3018",
    OFFSETS,
    "Queries and keys rotate in opposite directions or layouts",
    right=score,
)
def keys_in_another_layout(x, p, y, q):
    """Queries are turned by halves, keys by neighbours."""
    return halves(x, p) @ neighbours(y, q).T


@wrong(
    "caches: keys", "NeuraLegion/shainet#110", LLAMA, "vectors that are turned twice", right=halves
)
def turned_when_stored_and_when_read(y, q):
    """Keys are turned before they are kept, and again when they are read."""
    kept = halves(y, q)
    return halves(kept, q)


@wrong("caches: keys", "kvcache-ai/sglang#66", LLAMA, "nothing is turned", right=halves)
def turned_copy_not_written_back(y, q):
    """The turned key goes to the cache, and attention reads the one that was not turned."""
    cache = halves(y, q)
    assert cache.shape == y.shape
    return y


def remembering() -> Any:
    """A function that keeps the angles of its last length, whatever the positions are."""
    kept: dict[int, Any] = {}

    def turn(y: Any, q: Any) -> Any:
        kept.setdefault(len(y), np.outer(q, w.rates(y.shape[-1])))
        return w.turned_halves(y, kept[len(y)])

    return turn


@wrong(
    "caches: keys",
    "lucidrains/rotary-embedding-torch#11",
    LLAMA,
    "some of an earlier call were kept",
    right=halves,
)
def angles_kept_by_length_alone(y, q, kept=remembering()):  # noqa: B008
    """Angles are kept by the number of tokens, so the offset of the first call stays."""
    return kept(y, q)


@wrong(
    "caches: keys",
    "rajveer43/VeloxQuant-MLX#389",
    LLAMA,
    "positions are clamped to 64",
    right=halves,
)
def position_of_what_was_kept(y, q):
    """A cache that drops keys counts what it has kept, so positions stop growing."""
    return halves(y, np.minimum(q, 64))


@wrong(
    "caches: keys",
    "tloen/alpaca-lora#315",
    PAPER,
    "first position 5 in place of first position 0",
    right=paper,
)
def padding_counted(length):
    """Padding on the left is counted, so the first token stands at position 5."""
    return w.table(length + 5, D)[5:]


@wrong(
    "caches: keys",
    "caches that are rings",
    PAPER,
    "positions begin again after 64 rows",
    right=paper,
)
def place_in_the_ring_for_position(length):
    """The place in a ring of 64 is taken for the position."""
    return w.side_by_side(np.outer(np.arange(length) % 64, w.rates(D)))


@wrong(
    "caches: biases",
    "lucidrains/x-transformers#153",
    SYMMETRIC,
    "queries are counted from 0",
    right=lambda length: both_sides(length)[:, -8:],
)
def new_queries_at_the_first_keys(length):
    """The last queries get the rows of the bias that belong to the first."""
    return both_sides(length)[:, :8]


@wrong(
    "caches: biases",
    "keras-team/keras-hub#2861",
    SYMMETRIC,
    "all entries are 0",
    right=lambda length: both_sides(length)[:, -1:],
)
def bias_of_a_call_of_one_token(length):
    """The bias is built for the one query of a call, 0, and spread over all keys."""
    return np.zeros((8, 1, length)) + both_sides(1)


@wrong(
    "caches: biases",
    "vllm-project/vllm#945",
    ALIBI,
    "a constant in each row, which softmax does not see",
    right=lambda length: alibi(length)[:, -4:],
)
def distance_to_the_next_token(length):
    """Distances are counted from behind the query, one more than they are."""
    slopes = np.array(w.slopes_of_the_authors(8))
    return alibi(length)[:, -4:] - slopes[:, np.newaxis, np.newaxis]
