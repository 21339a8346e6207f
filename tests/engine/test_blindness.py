"""An answer that a session gives whatever the package returns to it is blind, and no other."""

from pathlib import Path

from engine import blind
from tests.checking import parser

PAGE = """\
# T

```pycon
>>> import math
>>> import numpy as np
>>> import posenc
>>> from posenc import sinusoidal_at
>>> def plain(L, d):
...     angles = [[p / 10000 ** (c // 2 * 2 / d) for c in range(d)] for p in range(L)]
...     return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))
>>> own = plain(6, 8)
>>> narrow = own[:, :4]
>>> pe = posenc.sinusoidal_positional_encoding(6, 8)
>>> again = posenc.sinusoidal_positional_encoding(6, 8)
>>> layer = posenc.SinusoidalPositionalEncoding(9, 8)
>>> x = np.random.default_rng(0).normal(size=(1, 6, 8))
>>> mask = np.tri(6)
>>> shares = abs(x[0])
>>> shares /= abs(own) + 1
>>> least = float(abs(pe - own).min())
>>> import mpmath
>>> mpmath.mp.dps = 40
>>> near = float(abs(mpmath.sqrt(2) ** 2 - 2)) + 0 * float(pe[0, 0])
>>> mpmath.mp.dps = 15
"""
SEES = [
    ("float(abs(pe - own).max()) < 1e-14", "True"),
    ("bool((abs(pe - own) < 1e-14).all())", "True"),
    ("bool(np.allclose(pe, own)), bool(np.allclose(pe[1], own[2]))", "(True, False)"),
    ("bool(abs(pe[1] - pe[2]).max() > 0.1)", "True"),
    ("bool((pe[1] != pe[2]).any())", "True"),
    ("float(abs(pe[3] - own[3]).max()) < 1e-14", "True"),
    ("bool(abs(pe[2, 0] - math.sin(2)) < 1e-14)", "True"),
    ("bool(abs(mask * (pe @ pe.T - own @ own.T)).max() < 1e-13)", "True"),
    ("round(float(pe[1, 0]), 4)", "0.8415"),
    ("[p for p in range(6) if abs(pe[p] - own[p]).max() > 1e-14]", "[]"),
    ("float(abs(pe - own).max().round(12))", "0.0"),
    ("pe.shape, pe.dtype", "((6, 8), dtype('float64'))"),
    ("'rows', pe.shape == (6, 8), len(pe)", "('rows', True, 6)"),
    ("bool((layer.forward(x) == x + layer.pe[:6]).all())", "True"),
    ("bool((sinusoidal_at([1, 2], 8) == pe[1:3]).all())", "True"),
    ("posenc.nearest_alias(8, 100) == posenc.nearest_alias(8, 101)", "True"),
    ("bool(abs(pe).max() <= 1)", "True"),
    ("len(narrow), math.isclose(own[1, 0], math.sin(1))", "(6, True)"),
    ("all(abs(own[p, 0] - math.sin(p)) < 1e-14 for p in range(6))", "True"),
    ("for p in range(6):\n...     assert abs(pe[p, 0] - math.sin(p)) < 1e-14", ""),
    ("float(abs(pe @ again[2] - own @ own[2]).max()) < 1e-14", "True"),
    (
        "bool(abs(pe[1] - pe[2]).max() > 0.1), len(narrow), bool(np.allclose(pe, own))",
        "(True, 6, True)",
    ),
]
BLIND = [
    ("float(abs(pe - own).min()) < 1e-14", "True"),
    ("float(abs(mask * (pe @ pe.T - own @ own.T)).min()) < 1e-13", "True"),
    ("bool((abs(pe - own) < 1e-14).any())", "True"),
    ("bool(np.allclose(pe, pe))", "True"),
    ("bool(np.allclose(pe, again))", "True"),
    ("bool(np.allclose(posenc.sinusoidal_positional_encoding(6, 8), pe.copy()))", "True"),
    ("float(abs(pe - own).max()) < 1e9", "True"),
    ("float(abs(pe - own).max()) >= 0", "True"),
    ("bool(abs(pe - own).max() < 1e-14 or abs(pe).max() < 9)", "True"),
    ("bool(np.allclose(pe, own) or np.allclose(layer.pe[:6], own))", "True"),
    ("bool(np.allclose(pe, own)), bool(np.allclose(own, pe + 1))", "(True, False)"),
    ("bool(np.allclose(pe, own)), pe.shape == own.shape", "(True, True)"),
    ("bool(np.isfinite(pe).all())", "True"),
    ("isinstance(pe, np.ndarray)", "True"),
    ("len(pe) == len(own)", "True"),
    ("[row for row in pe if not row.size]", "[]"),
    ("float(abs(pe - pe[:, :]).max())", "0.0"),
    ("bool((x[0] - x[0] == 0).all())", "True"),
    ("bool(np.allclose(narrow, narrow))", "True"),
    ("bool((posenc.rotate_pairs(pe, 1 + 0 * pe[:, ::2], 0 * pe[:, ::2]) == pe).any())", "True"),
    ("for p in range(6):\n...     assert pe[p, 0] <= 1e6", ""),
    ("bool(abs(pe[1] - pe[2]).max() > 0.1), least < 1e-14", "(True, True)"),
    ("float(abs(pe @ again[2] - own @ again[2]).max()) < 1e-14", "True"),
    ("bool(np.allclose(pe + 0 * again, own))", "True"),
    ("near < 1e-30", "True"),  # as it is with the digits that the page sets
]


def blind_of(file: Path) -> list[str]:
    blind.TRIES = [(kind, seed) for kind, seed in blind.TRIES if seed < 2]  # enough for these
    return [one.prompt.rstrip("\n") for one in blind.blind(parser().parse(file))]


def page(folder: Path, *said: tuple[str, str]) -> Path:
    prompts = "".join(f">>> {source}\n{want}\n"[: None if want else -1] for source, want in said)
    file = folder / "page.md"
    file.write_text(f"{PAGE}{prompts}```\n", "utf-8")
    return file


def test_blind_is_what_a_wrong_half_leaves_as_it_is_and_nothing_else(tmp_path, alone):
    found = alone(blind_of, page(tmp_path, *SEES, *BLIND))

    expected = [source.replace("\n... ", "\n") for source, _ in BLIND]
    assert list(dict.fromkeys(found)) == expected
