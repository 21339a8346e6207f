"""Two M-RoPE tables: which pairs belong to which axis is read off and named."""

from typing import Any

import numpy as np
import pytest

import posenc

POINTS = posenc.mrope_points([4, (1, 6, 6), 5])


def table(
    sections: tuple[int, int, int] = (24, 20, 20),
    assignment: Any = "interleaved",
    points: Any = POINTS,
    dtype: Any = np.float64,
) -> Any:
    return posenc.mrope_cos_sin(points, sections, assignment=assignment, dtype=dtype)


def plain(positions: Any) -> Any:
    return np.cos(np.outer(positions, 10000.0 ** (-np.arange(64) / 64)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("which", [0, 1], ids=["cos", "sin"])
def test_contiguous_and_interleaved_sections_are_told_apart(which, dtype):
    one, other = table(assignment="contiguous", dtype=dtype)[which], table(dtype=dtype)[which]

    for given, wanted, words in (
        (one, other, "M-RoPE sections contiguous instead of interleaved"),
        (other, one, "M-RoPE sections interleaved instead of contiguous"),
        (
            np.hstack([one, one]),
            np.hstack([other, other]),
            "M-RoPE sections contiguous instead of interleaved",
        ),
    ):
        assert posenc.compare(given, wanted).explanation == words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            table((22, 21, 21))[0],
            "M-RoPE axes alternate over all pairs (::3) instead of interleaved sections"
            " (24, 20, 20)",
        ),
        (table((28, 18, 18))[0], "M-RoPE sections (28, 18, 18) instead of (24, 20, 20)"),
        (
            table(points=POINTS[:, [0, 2, 1]])[0],
            "M-RoPE axes in the order time, width, height instead of time, height, width",
        ),
        (plain(np.arange(len(POINTS))), "no M-RoPE: all pairs have the positions 0 to 44"),
        (plain(POINTS[:, 0]), "no M-RoPE: all pairs have the positions of the time axis"),
        (np.random.default_rng(0).normal(size=(45, 64)), None),
    ],
)
def test_other_sections_and_axes_are_named(given, words):
    verdict = posenc.compare(given, table()[0])

    assert not verdict
    assert verdict.explanation == words


def test_pairs_of_cosines_and_sines_are_compared():
    wanted = table()
    given = table(assignment="contiguous")
    halves = tuple(np.concatenate([of, of], axis=-1)[np.newaxis] for of in given)
    meant = tuple(np.concatenate([of, of], axis=-1)[np.newaxis] for of in wanted)

    assert posenc.compare(wanted, table(dtype=np.float32))
    for one, other in ((given, wanted), (halves, meant)):
        verdict = posenc.compare(one, other)
        assert verdict.explanation == "M-RoPE sections contiguous instead of interleaved"
    base = [posenc.rotary_cos_sin(np.arange(64), 32, base=base) for base in (10000.0, 500000.0)]
    assert posenc.compare(*base).explanation == "base 10000 instead of 500000"
    with pytest.raises(ValueError, match="cos of thing and reference must have the same shape"):
        posenc.compare(wanted, base[0])
