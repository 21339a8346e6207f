"""Golden vectors: right by mpmath, rounded once, the same bytes each time."""

import hashlib
import json
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pytest
from mpmath import frexp, isinf, ldexp, mp, mpf
from numpy.typing import NDArray

import posenc
from check import references
from posenc import golden
from posenc.golden.formats import nearest
from tests.package.golden.exactly import expected

CASES = golden.cases()
BITS = {"float64": (53, -1074), "float32": (24, -149), "float16": (11, -24), "bfloat16": (8, -133)}


@pytest.fixture(autouse=True)
def _fifty_digits():
    """Whatever other tests have asked of mpmath."""
    with mp.workdps(50):
        yield


@cache
def exactly(name: str) -> Any:
    """Return the numbers of a case, which its types share, to fifty digits."""
    return expected(next(case for case in CASES if case.name == name))


def widened(case: golden.Case) -> NDArray[np.float64]:
    """Return the numbers of a case as float64."""
    if case.dtype == "bfloat16":
        return (case.array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return case.array.astype(np.float64)


def spacing(exact: Any, dtype: str) -> Any:
    """Return the distance of neighbours where a number lies, as an exact power of two."""
    bits, least = BITS[dtype]
    _, exponent = frexp(exact)
    return ldexp(mpf(1), max(exponent - bits, least))


def chosen(family: str) -> list[golden.Case]:
    return [case for case in CASES if case.family == family]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_every_number_is_the_nearest_of_its_type(case):
    """Within half a step of the exact number: no second rounding, no other formula."""
    exact = exactly(case.name)
    assert case.array.shape == exact.shape
    if case.dtype == "int32":
        assert case.array.tolist() == exact.tolist()
        return
    for found, right in zip(widened(case).flat, exact.flat, strict=True):
        if isinf(right):
            assert found == -np.inf
        elif abs(right) < mpf("1e-45"):  # a sine of nothing, or a difference of equals
            assert found == 0
        else:
            # 50 digits err by 1e-38 at the farthest angle.
            half = spacing(right, case.dtype) / 2
            assert abs(mpf(float(found)) - right) <= half + mpf("1e-36"), (found, right)


def test_a_number_is_not_rounded_twice():
    """Just above the middle of two float32: float64 first would make it the middle, and even."""
    exact = Decimal(1) + Decimal(2) ** -24 + Decimal(2) ** -70

    assert float(np.float32(float(exact))) == 1
    assert nearest(exact, "float32") == 1 + 2**-23


@pytest.mark.parametrize(
    ("exact", "dtype", "right"),
    [
        ("1.5e-45", "float32", 2.0**-149),  # subnormal
        ("-6e-8", "float16", -(2.0**-24)),
        ("1e-9", "float16", 0.0),
        ("0.99999999999999999999", "bfloat16", 1.0),
        ("1.00390625", "bfloat16", 1.0),  # a tie goes to the even one
        ("1.01171875", "bfloat16", 1.015625),
        ("-0", "float64", 0.0),
    ],
)
def test_the_edges_of_a_type(exact, dtype, right):
    found = nearest(Decimal(exact), dtype)

    assert found == right
    assert not (found == 0 and np.signbit(found))


@pytest.mark.parametrize("case", chosen("sinusoidal"), ids=lambda case: case.key)
def test_a_plain_port_of_tables_stays_within_the_limits(case):
    p = case.parameters
    for angles, limits in (("float64", case.tolerance), ("float32", case.tolerance_float32)):
        if limits is None:
            continue
        pairs = p["d_model"] // 2
        steps = pairs if p["exponent"] == "paper" else max(pairs - 1, 1)
        index = np.arange(pairs).astype(angles) / np.array(steps, angles)
        rates = np.array(p["base"], angles) ** -index
        at = (np.array(p["positions"]) + p["start"]).astype(angles)
        angle = at[:, None] * rates
        parts = np.sin(angle), np.cos(angle)
        table = np.concatenate(parts, 1)
        if p["layout"] == "interleaved":
            table = np.stack(parts, -1).reshape(len(at), -1)
        if case.dtype == "bfloat16":
            table = np.vectorize(lambda x: nearest(Decimal(float(x)), "bfloat16"))(table)
        else:
            table = table.astype(case.dtype)
        assert within(table, case, limits)
        assert not within(1.05 * table, case, limits)


def within(found: Any, case: golden.Case, limits: Sequence[float | None]) -> bool:
    found = np.asarray(found, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        wrong = np.nan_to_num(abs(found - widened(case)), nan=0)
    wrong = wrong.reshape(len(limits), -1).max(axis=1)
    return all(limit is None or one <= limit for one, limit in zip(wrong, limits, strict=True))


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.dtype == "float64"], ids=lambda case: case.name
)
def test_the_package_itself_stays_within_the_limits(case):
    found = ours(case)

    assert within(found, case, case.tolerance)
    if "input" not in case.name:
        # A thousandth is seen wherever angles are of any use.
        assert not within(1.001 * found, case, case.tolerance)


def ours(case: golden.Case) -> NDArray[Any]:
    """Return what the functions of the package say of the parameters of a case."""
    p = dict(case.parameters)
    positions = p.pop("positions", None)
    match case.family:
        case "sinusoidal":
            numbers = np.array(positions) + p.pop("start")
            return posenc.sinusoidal_at(numbers, p.pop("d_model"), **p)
        case "inverse-frequencies":
            return posenc.inv_freq(p["dim"], p["base"], exponent=p["exponent"])
        case "rotation" if positions is None:
            return case.array
        case "rotation":
            given = next(one for one in CASES if one.name == p["input"])
            options = {name: p[name] for name in ("layout", "rotary_dim", "base")}
            return posenc.apply_rotary(given.array, positions, **options)
        case "scaling" if "ntk" in case.name:
            return posenc.inv_freq(p["dim"], posenc.ntk_base(p["base"], p["factor"], p["dim"]))
        case "scaling":
            read = posenc.rope_parameters(p["config"], p["seq_len"])
            factor = case.name.endswith("attention-factor")
            return np.array([read.attention_factor]) if factor else read.inv_freq
        case "alibi" if "form" not in p:
            return posenc.alibi_slopes(p["n_heads"])
        case "alibi":
            return posenc.alibi_bias(**p)
    points, d = p.pop("points"), p.pop("d_model")
    return posenc.axial_encoding(points, d, **p)


def test_equations_are_those_of_the_book():
    known = set(references.find_equation_pages())

    assert {one for case in CASES for one in case.equations} <= known


def test_two_runs_write_the_same_bytes(tmp_path):
    written = [golden.write(tmp_path / run) for run in ("first", "second")]

    first, second = ([path.read_bytes() for path in paths] for paths in written)
    assert first == second
    assert sum(map(len, first)) < 900_000


def test_the_three_forms_hold_the_same_numbers(tmp_path):
    golden.write(tmp_path)

    index = json.loads((tmp_path / "golden.json").read_text("utf-8"))
    assert (index["schema"], index["byte_order"]) == (1, "little")
    said = {
        f"{array['name']}.{dtype}": (array, one)
        for array in index["arrays"]
        for dtype, one in array["types"].items()
    }
    with np.load(tmp_path / "golden.npz", allow_pickle=False) as archive:
        assert list(archive) == list(said) == [case.key for case in CASES]
        for case in CASES:
            array, one = said[case.key]
            raw = (tmp_path / one["file"]).read_bytes()
            assert hashlib.sha256(raw).hexdigest() == one["sha256"] == case.sha256
            kept = archive[case.key]
            assert kept.dtype == case.array.dtype
            assert (kept.tobytes(), list(kept.shape)) == (raw, array["shape"])
            assert array["parameters"] == case.parameters


def test_a_folder_that_holds_something_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(ValueError, match="folder must be empty, so that nothing is overwritten"):
        golden.write(tmp_path, "t5")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_unknown_family_is_refused(tmp_path):
    with pytest.raises(ValueError, match="family must be one of 'sinusoidal', "):
        golden.write(tmp_path / "new", "fourier")
    assert not (tmp_path / "new").exists()
