"""Arrays that a function is given are read in any memory order, and never written or kept."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import posenc
from tests.bits import assert_same_bits

RNG = np.random.default_rng(0)
TABLE, X = RNG.normal(size=(37, 24)), RNG.normal(size=(2, 3, 37, 24))
ROTATIONS = posenc.geometry.rotation_from_quaternion(RNG.normal(size=(5, 4)))
COS, SIN = posenc.rotary_cos_sin(np.arange(37), 24)
REAL = np.arange(37) % 5 != np.arange(2)[:, np.newaxis]
AT = np.array([3.0, 1.0, -5.0])

CALLS: dict[str, tuple[Callable[..., Any], Any]] = {
    "alibi_bias_at": (lambda p, q: posenc.alibi_bias_at(p, q, 2), (AT, AT)),
    "apply_poses": (
        lambda x, g: posenc.geometry.apply_poses(x, g, role="key"), (X[0, 0], TABLE[:, :3])),
    "apply_rotary": (posenc.apply_rotary, (X, np.arange(37))),
    "attention": (posenc.attention, (X, -X, X)),
    "attention, grouped": (
        lambda *given: posenc.attention(*given, enable_gqa=True), (X[:, :2], X[:, :1], X[:, :1])),
    "attention_weights": (
        lambda q, k, b: posenc.attention_weights(q, k, bias=b), (X, X + 1, X[0, 0] @ X[0, 0].T)),
    "axial_cos_sin": (lambda p: posenc.axial_cos_sin(p, 8)[0], (TABLE[:, :2],)),
    "axial_encoding": (lambda p: posenc.axial_encoding(p, 8), (TABLE[:, :2],)),
    "clock_hands": (posenc.counting.clock_hands, (AT,)),
    "convert_layout": (
        lambda x: posenc.convert_layout(x, source="half", target="half"), (X,)),
    "deberta_bucket": (posenc.deberta_bucket, (np.arange(6),)),
    "distance_by_offset": (lambda k: posenc.analysis.distance_by_offset(k, 4), (AT,)),
    "dot_product_distance": (posenc.dot_product_distance, (TABLE,)),
    "encoding_statistics": (
        lambda pe: posenc.encoding_statistics(pe)["position_norms"], (TABLE,)),
    "fit_linear": (posenc.analysis.fit_linear, (TABLE, TABLE[:, 0])),
    "fourier_encoding": (posenc.fourier_encoding, (AT, AT)),
    "gaussian_encoding": (lambda p, c: posenc.gaussian_encoding(p, c, 1.0), (AT, AT)),
    "hybrid_encoding": (lambda p, t: posenc.hybrid_encoding(p, 2, t), (np.arange(6), TABLE)),
    "key_padding_mask": (posenc.batches.key_padding_mask, (REAL,)),
    "least_distance": (lambda c: posenc.analysis.least_distance(c, 1, 8), (AT,)),
    "masked_mean": (posenc.batches.masked_mean, (X[:, 0], REAL)),
    "mirror_pairs": (posenc.geometry.mirror_pairs, (X,)),
    "pe_similarity_by_distance": (posenc.pe_similarity_by_distance, (TABLE,)),
    "period_power": (posenc.analysis.period_power, (AT, AT, np.array([3.0]))),
    "periodic_encoding": (lambda p: posenc.periodic_encoding(p, [7, 24]), (AT,)),
    "position_ids": (posenc.batches.position_ids, (REAL,)),
    "query_for": (lambda k: posenc.analysis.query_for_offset(k, 3), (TABLE,)),
    "relative_position_bucket": (posenc.relative_position_bucket, (np.arange(6),)),
    "relative_scores": (posenc.relative_scores, (X[0], X[1], TABLE)),
    "rerotate_keys": (lambda x, p: posenc.rerotate_keys(x, p, -p), (X, np.arange(37))),
    "rotary_cos_sin": (lambda p: posenc.rotary_cos_sin(p, 8)[1], (AT,)),
    "rotate_pairs": (posenc.rotate_pairs, (X, COS, SIN)),
    "rotation_from_quaternion": (posenc.geometry.rotation_from_quaternion, (TABLE[:, :4],)),
    "score_waves": (lambda q, k: posenc.analysis.score_waves(q, k)[0], (TABLE, TABLE)),
    "separation": (posenc.analysis.separation, (TABLE,)),
    "sinusoidal_at": (lambda p: posenc.sinusoidal_at(p, 4), (AT,)),
    "six_from_rotation": (posenc.geometry.six_from_rotation, (ROTATIONS,)),
    "softmax": (posenc.softmax, (X,)),
    "softmax, first axis": (lambda x: posenc.softmax(x, axis=0), (X,)),
    "t5_bias": (lambda table: posenc.t5_bias(table, 4), (RNG.normal(size=(32, 2)),)),
    "xpos_scale": (lambda p: posenc.xpos_scale(p, 8), (AT,)),
    "zero_at_padding": (posenc.batches.zero_at_padding, (X[:, 0], REAL)),
}  # fmt: skip


ORDERS: dict[str, Callable[[Any], Any]] = {
    "columns": lambda x: x.copy(order="F"),
    "apart": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[..., ::-1].copy()[..., ::-1],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", CALLS)
def test_result_is_new_and_has_the_same_bits_in_any_memory_order(name: str, order: str) -> None:
    function, arrays = CALLS[name]
    locked = [ORDERS[order](array) for array in arrays]
    for array in locked:
        array.flags.writeable = False  # a write raises

    found, expected = (np.asarray(function(*given)) for given in (locked, arrays))

    assert_same_bits(found, expected)
    assert not any(np.shares_memory(found, array) for array in locked)
