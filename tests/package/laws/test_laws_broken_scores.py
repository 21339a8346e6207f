"""posenc.laws of scores: scores that are broken on purpose, and which law finds it."""

from typing import Any

import numpy as np
import pytest

import posenc
from posenc import laws
from tests.package.laws.scores import LAWS, Score, both, recount, turned


def interleaved(x: Any, p: Any) -> Any:
    """The same with pairs of neighbours."""
    halves = turned(np.hstack([x[:, ::2], x[:, 1::2]]), p)
    return np.stack(np.split(halves, 2, axis=1), axis=2).reshape(x.shape)


def mixed(x: Any, p: Any) -> Any:
    """Halves are exchanged as in one layout, angles are repeated as in the other."""
    half = x.shape[1] // 2
    angles = np.repeat(np.outer(p, 10000.0 ** (-np.arange(half) / half)), 2, axis=1)
    exchanged = np.hstack([-x[:, half:], x[:, :half]])
    return x * np.cos(angles) + exchanged * np.sin(angles)


def eight_bits(p: Any) -> Any:
    """Positions with the eight leading bits that bfloat16 keeps, rounded to even."""
    exponent = np.frexp(p)[1] - 8
    return np.ldexp(np.round(np.ldexp(p.astype(float), -exponent)), exponent)


def buckets(k: Any) -> Any:
    """Ranges of offsets, as T5 has them."""
    return np.sign(k) * np.floor(np.log2(1 + abs(k)))


def dynamic(x: Any, p: Any, y: Any, q: Any) -> Any:
    """A base that grows with the sequence, from 128 positions on."""
    base = 10000.0 * max(1, (max(p.max(), q.max()) + 1) / 128)
    return turned(x, p, base) @ turned(y, q, base).T


def centred(x: Any, p: Any, y: Any, q: Any) -> Any:
    """A decay whose centre is the middle of what is given, of queries and of keys."""
    grow, shrink = 1.01 ** (p - len(p) // 2), 1.01 ** (len(q) // 2 - q)
    return grow[:, None] * both(turned)(x, p, y, q) * shrink


def plain(x: Any, y: Any) -> Any:
    return x @ y.T / 8


# A score, and the laws that it breaks: those and no others.
SCORES: dict[str, tuple[Score, set[str]]] = {
    "RoPE": (both(turned), set()),
    "RoPE, interleaved": (both(interleaved), set()),
    "RoPE of the package": (both(posenc.apply_rotary), set()),
    "RoPE in float16": (both(lambda x, p: turned(x, p).astype(np.float16)), set()),
    "RoPE in float32": (
        both(lambda x, p: turned(x.astype(np.float32), p.astype(np.float32))),
        set(),
    ),
    "no positions": (lambda x, p, y, q: plain(x, y), {"sees_position"}),
    "a mask and no positions": (
        lambda x, p, y, q: np.where(q > p[:, None], -np.inf, plain(x, y)),
        {"sees_position"},
    ),
    "ALiBi": (lambda x, p, y, q: plain(x, y) - abs(q - p[:, None]) / 2, set()),
    "ALiBi, causal": (
        lambda x, p, y, q: np.where(q > p[:, None], -np.inf, plain(x, y) + (q - p[:, None]) / 2),
        set(),
    ),
    "T5": (lambda x, p, y, q: plain(x, y) + buckets(q - p[:, None]), set()),
    "xPos without a centre": (
        lambda x, p, y, q: 1.01 ** p[:, None] * both(turned)(x, p, y, q) * 1.01**-q,
        set(),
    ),
    "codes are added": (
        both(lambda x, p: x + posenc.sinusoidal_at(p, x.shape[1])),
        {"equal_offsets"},
    ),
    "ALiBi without the query": (lambda x, p, y, q: plain(x, y) + q / 2, {"equal_offsets"}),
    "layouts mixed in a head": (both(mixed), {"equal_offsets"}),
    "a layout for each": (
        lambda x, p, y, q: turned(x, p) @ interleaved(y, q).T,
        {"equal_offsets"},
    ),
    "opposite directions": (
        lambda x, p, y, q: turned(x, -p) @ turned(y, q).T,
        {"equal_offsets"},
    ),
    "positions of eight bits": (
        both(lambda x, p: turned(x, eight_bits(p))),
        {"equal_offsets"},
    ),
    "ALiBi, positions of eight bits": (
        lambda x, p, y, q: plain(x, y) - abs(eight_bits(q) - eight_bits(p)[:, None]) / 2,
        {"equal_offsets"},
    ),
    "positions restart": (recount, {"cached_equals_full"}),
    "positions of the query restart": (
        lambda x, p, y, q: turned(x, np.arange(len(x))) @ turned(y, q).T,
        {"cached_equals_full"},
    ),
    "positions of the key restart": (
        lambda x, p, y, q: turned(x, p) @ turned(y, np.arange(len(y))).T,
        {"cached_equals_full"},
    ),
    "one too far while decoding": (
        lambda x, p, y, q: turned(x, p + (len(x) == 1)) @ turned(y, q).T,
        {"cached_equals_full"},
    ),
    "dynamic base": (dynamic, {"cached_equals_full"}),
    "xPos with a centre for each": (centred, {"cached_equals_full"}),
    "masked in the whole sequence only": (
        lambda x, p, y, q: np.where(
            (q > p[:, None] - 64) | (len(x) == 1) | (len(y) == 1), plain(x, y), -np.inf
        ),
        {"cached_equals_full", "sees_position"},
    ),
}


@pytest.mark.parametrize("name", SCORES)
def test_a_broken_score_breaks_its_laws_and_no_others(name: str) -> None:
    score, expected = SCORES[name]
    findings = [law(score, 300) for law in LAWS.values()]

    assert [finding.law for finding in findings] == list(LAWS)
    assert {finding.law for finding in findings if not finding.holds} == expected


def test_whole_numbers_in_float16_break_beyond_2048() -> None:
    score = both(lambda x, p: turned(x, p.astype(np.float16).astype(float)))

    assert laws.equal_offsets(score, 2048, head_dim=16).holds
    finding = laws.equal_offsets(score, 2100, head_dim=16)
    assert not finding.holds
    assert max(finding.where) > 2048


def test_growth_of_a_dynamic_base_is_found_beyond_its_length() -> None:
    assert laws.cached_equals_full(dynamic, 128).holds
    assert not laws.cached_equals_full(dynamic, 132).holds
