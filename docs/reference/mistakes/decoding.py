"""Mistakes of decoding, where queries come one by one and keys from a cache.

`score(x, p, y, q)` returns the scores of queries x at positions p and keys y at positions q.
"""

from typing import Any

import numpy as np

from docs.reference.mistakes import plain
from docs.reference.mistakes.biases import ALIBI, SYMMETRIC, make_alibi, make_symmetric_alibi
from docs.reference.mistakes.catalogue import keeps, mistake
from docs.reference.mistakes.rotations import LLAMA, rotate_halves, rotate_neighbours
from docs.reference.mistakes.tables import PAPER, D, encode_paper
from posenc import laws

# Scores, call by call.
DECODING = keeps(laws.cached_equals_full, 64, head_dim=16, samples=12)


OFFSETS = keeps(laws.equal_offsets, 64, head_dim=16)


def compute_scores(x: Any, p: Any, y: Any, q: Any) -> Any:
    return rotate_halves(x, p) @ rotate_halves(y, q).T


@mistake(
    "scores",
    DECODING,
    right=compute_scores,
    seen="RobertCsordas/moeut#6",
    message=(
        "Positions restart in each call, or something depends on how many tokens the call has."
    ),
)
def decoding_from_zero(x, p, y, q):
    """Each new query is rotated as if it were at position 0."""
    return compute_scores(x, np.arange(len(x)), y, np.arange(len(y)))


@mistake(
    "scores",
    DECODING,
    right=compute_scores,
    seen="fla-org/flash-linear-attention#766",
    message=(
        "Positions restart in each call, or something depends on how many tokens the call has."
    ),
)
def one_token_too_far(x, p, y, q):
    """The cache counts the new token early, so that its query is rotated one step too far."""
    return compute_scores(x, p + (len(x) == 1), y, q)


@mistake(
    "scores",
    DECODING,
    right=compute_scores,
    seen="skyzh/tiny-llm#46",
    message=(
        "Positions restart in each call, or something depends on how many tokens the call has."
    ),
)
def prompt_counted_twice(x, p, y, q):
    """After the prompt, positions continue from twice its length."""
    return compute_scores(x, np.where(len(x) == 1, p + 8 * (p >= 8), p), y, q)


@mistake(
    "scores",
    DECODING,
    right=compute_scores,
    seen="huggingface/transformers#25104",
    message=(
        "Positions restart in each call, or something depends on how many tokens the call has."
    ),
)
def base_that_grows_with_the_text(x, p, y, q):
    """The base grows with the length, and cached keys were rotated with an older one."""
    length = max(len(x), len(y))
    base = 10000.0 * max(1.0, length / 32) ** (16 / 14)
    return rotate_halves(x, p, base) @ rotate_halves(y, q, base).T


@mistake(
    "scores",
    DECODING,
    right=compute_scores,
    seen="rotary-embedding-torch 0.9.1 with use_xpos",
    message=(
        "Positions restart in each call, or something depends on how many tokens the call has."
    ),
)
def centre_of_each_call(x, p, y, q):
    """XPos scales queries and keys around the middle of each call."""
    grown, shrunk = 1.02 ** (p - len(x) // 2), 1.02 ** -(q - len(y) // 2)
    return (rotate_halves(x, p) * grown[:, np.newaxis]) @ (
        rotate_halves(y, q) * shrunk[:, np.newaxis]
    ).T


@mistake(
    "scores",
    OFFSETS,
    right=compute_scores,
    seen="code by learners",
    message=(
        "Queries and keys rotate in opposite directions or layouts, positions are rounded, or "
        "something depends on the query's position."
    ),
)
def keys_turned_backwards(x, p, y, q):
    """Keys are rotated backwards, because of one conjugate too many."""
    return rotate_halves(x, p) @ rotate_halves(y, -q).T


@mistake(
    "scores",
    OFFSETS,
    right=compute_scores,
    seen="ggml-org/llama.cpp#3018",
    message=(
        "Queries and keys rotate in opposite directions or layouts, positions are rounded, or "
        "something depends on the query's position."
    ),
)
def keys_in_another_layout(x, p, y, q):
    """Queries are rotated as halves and keys as neighbouring channels."""
    return rotate_halves(x, p) @ rotate_neighbours(y, q).T


@mistake(
    "keys",
    LLAMA,
    right=rotate_halves,
    seen="NeuraLegion/shainet#110",
    first=(1, 0, 0),
    message="positions multiplied by 2; the same as rotating twice",
)
def turned_when_stored_and_when_read(y, q):
    """Keys are rotated when stored, and again when read."""
    kept = rotate_halves(y, q)
    return rotate_halves(kept, q)


@mistake(
    "keys",
    LLAMA,
    right=rotate_halves,
    seen="kvcache-ai/sglang#66",
    first=(1, 0, 0),
    message="the result is the same at every position: nothing is rotated",
)
def turned_copy_not_written_back(y, q):
    """The rotated key is not the one that attention reads."""
    cache = rotate_halves(y, q)
    assert cache.shape == y.shape
    return y


def make_forgetful_rotation() -> Any:
    """A function that keeps the angles of its last length, whatever the positions are."""
    kept: dict[int, Any] = {}

    def turn(y: Any, q: Any) -> Any:
        kept.setdefault(len(y), np.outer(q, plain.inv_freq(y.shape[-1])))
        return plain.rotate_halves(y, kept[len(y)])

    return turn


@mistake(
    "keys",
    LLAMA,
    right=rotate_halves,
    seen="lucidrains/rotary-embedding-torch#11",
    first=(127, 0, 0),
    message="positions of an earlier call are used instead of the positions argument",
)
def angles_kept_by_length_alone(y, q, kept=make_forgetful_rotation()):  # noqa: B008
    """Angles are cached by the number of tokens, so that the first offset stays."""
    return kept(y, q)


@mistake(
    "keys",
    LLAMA,
    right=rotate_halves,
    seen="rajveer43/VeloxQuant-MLX#389",
    first=(65, 0, 0),
    message="all vectors from 64 on have the same angles: positions are clamped to 64",
)
def position_of_what_was_kept(y, q):
    """A cache that drops keys counts those it has, so that positions stop growing."""
    return rotate_halves(y, np.minimum(q, 64))


@mistake(
    "keys",
    PAPER,
    right=encode_paper,
    seen="tloen/alpaca-lora#315",
    first=(0, 0),
    message="first position 5 instead of 0",
)
def padding_counted(length):
    """Padding on the left is counted, so that the first token has position 5."""
    return plain.make_table(length + 5, D)[5:]


@mistake(
    "keys",
    PAPER,
    right=encode_paper,
    seen="ring buffers",
    first=(64, 0),
    message="positions start again after 64 rows",
)
def place_in_the_ring_for_position(length):
    """The slot in a ring buffer of 64 is used as the position."""
    return plain.interleave(np.outer(np.arange(length) % 64, plain.inv_freq(D)))


@mistake(
    "cached-biases",
    SYMMETRIC,
    right=lambda length: make_symmetric_alibi(length)[:, -8:],
    seen="lucidrains/x-transformers#153",
    first=(0, 0, 0),
    message="query positions count from 0 instead of following the cached keys",
)
def new_queries_at_the_first_keys(length):
    """The last queries get the rows of the first."""
    return make_symmetric_alibi(length)[:, :8]


@mistake(
    "cached-biases",
    SYMMETRIC,
    right=lambda length: make_symmetric_alibi(length)[:, -1:],
    seen="keras-team/keras-hub#2861",
    first=(0, 0, 0),
    message="all entries are 0, so positions make no difference",
)
def bias_of_a_call_of_one_token(length):
    """The bias is built for a call with one query, and broadcast to all keys."""
    return np.zeros((8, 1, length)) + make_symmetric_alibi(1)


@mistake(
    "cached-biases",
    ALIBI,
    right=lambda length: make_alibi(length)[:, -4:],
    seen="vllm-project/vllm#945",
    first=(0, 0, 0),
    message="a constant in each row, which softmax ignores",
)
def distance_to_the_next_token(length):
    """Distances are counted from the next token, so that each is one too large."""
    slopes = np.array(plain.slopes(8))
    return make_alibi(length)[:, -4:] - slopes[:, np.newaxis, np.newaxis]
