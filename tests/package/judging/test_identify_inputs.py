"""posenc.identify and posenc.compare: what is read, and what is refused in which words."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain


class Tensor:
    """A tensor as PyTorch has it: NumPy may read it only once it is detached and wide."""

    def __init__(self, values: Any, dtype: str, needs_gradient: bool = True) -> None:
        self.values, self.dtype, self.needs_gradient = np.asarray(values), dtype, needs_gradient
        self.shape = self.values.shape

    def __array__(self, *rest: Any, **options: Any) -> Any:
        raise RuntimeError("Can't call numpy() on a tensor that requires a gradient")

    def __getitem__(self, index: Any) -> "Tensor":
        return Tensor(self.values[index], self.dtype, self.needs_gradient)

    def detach(self) -> "Tensor":
        """The tensor without its gradient."""
        return Tensor(self.values, self.dtype, needs_gradient=False)

    def cpu(self) -> "Tensor":
        """The tensor in memory."""
        return self

    def double(self) -> "Tensor":
        """The tensor as float64."""
        return Tensor(self.values.astype(np.float64), "torch.float64", self.needs_gradient)

    def numpy(self) -> Any:
        """The numbers."""
        assert not self.needs_gradient
        assert self.dtype == "torch.float64"
        return self.values


class Capsule:
    """An array that speaks DLPack and nothing else."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


def test_tensors_with_gradients_and_arrays_of_other_libraries_are_read():
    table = plain.make_table(96, 32, np.float32)
    narrow = table.view(np.uint32) & 0xFFFF0000  # bfloat16, cut

    for thing, dtype in (
        (Tensor(table, "torch.float32"), "float32"),
        (Capsule(table), "float32"),
        (table.tolist(), "float64"),
    ):
        found = posenc.identify(thing)
        assert (found.kind, found.base, found.dtype) == ("sinusoidal", 10000, dtype)
        assert posenc.compare(thing, "sinusoidal")
    cut = Tensor(narrow.view(np.float32), "torch.bfloat16")
    assert posenc.identify(cut).dtype == "bfloat16"
    # Cut, and not rounded: a whole unit off in the last place, where half a unit is right.
    assert not posenc.compare(cut, "sinusoidal")
    assert posenc.identify(cut).kind == "unknown"


def test_jax_arrays_are_read():
    jax = pytest.importorskip("jax")

    found = posenc.identify(
        jax.numpy.asarray(plain.make_table(96, 32, np.float32), dtype="bfloat16")
    )

    assert (found.kind, found.dtype, found.angles) == ("sinusoidal", "bfloat16", "float32")


def refusals() -> Iterator[tuple[Any, dict[str, Any], type[Exception], str]]:
    table = plain.make_table(16, 8)
    yield np.array(["a"]), {}, TypeError, "thing must hold real numbers"
    yield np.ma.masked_array(table), {}, TypeError, "thing must not be a masked array"
    yield object(), {}, TypeError, "thing must hold real numbers"
    yield [[1.0], [1.0, 2.0]], {}, ValueError, "thing must be an array"
    yield 1.0, {}, ValueError, "thing must have at least 1 axis, got shape ()"
    yield table[:1], {}, ValueError, "thing must have at least 2 positions"
    yield table[0], {}, ValueError, "thing with one axis must be rotary frequencies (inv_freq)"
    yield table[0], {"kind": "table"}, ValueError, "thing must be a table (L, d) or a bias"
    yield np.zeros((2, 3, 4, 5)), {}, ValueError, "thing must be a table (L, d) or a bias"
    yield np.where(table > 0.9, np.nan, table), {}, ValueError, "thing must be finite, got nan"
    yield np.full((3, 4, 4), np.inf), {}, ValueError, "thing must be finite or -inf"
    yield table, {"kind": "tables"}, ValueError, "kind must be one of 'table', 'rotary', 'bias'"
    yield table, {"kind": "rotary"}, ValueError, "thing must be a function rotate(x, positions)"
    yield table, {"seq_len": 1}, ValueError, "seq_len must be at least 2, got seq_len=1"
    yield table, {"head_dim": 2.0}, TypeError, "head_dim must be an integer, got head_dim=2.0"
    yield table, {"dtype": "int8"}, ValueError, "dtype must be one of 'float64',"
    yield (table, table[:, :3]), {}, ValueError, "cos and sin must both have the shape"
    yield lambda a, b, c: 0, {}, ValueError, "kind must be 'table', 'rotary' or 'bias' for a"
    yield lambda n: None, {}, TypeError, "what thing(512) returns must be an array, got None"
    yield lambda n: iter([n]), {}, TypeError, "or integers), got list_iterator"
    rng = np.random.default_rng(0)
    yield lambda x, p: rng.normal(size=x.shape), {}, ValueError, "the same result at each call"
    yield lambda x, p: x[:3], {}, ValueError, "thing(x, positions) must return the shape (512, 64)"


@pytest.mark.parametrize(("thing", "options", "error", "complaint"), [*refusals()])
def test_identify_refuses(thing, options, error, complaint):
    with pytest.raises(error) as refusal:
        posenc.identify(thing, **options)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    ("thing", "reference", "options", "error", "complaint"),
    [
        (plain.make_table(), "rope", {}, ValueError, "reference must be one of 'sinusoidal', "),
        (plain.make_table(), "llama", {}, TypeError, "thing must be callable"),
        (plain.make_table(), "alibi", {}, ValueError, "thing must be a bias (H, L_q, L_k)"),
        (lambda n: plain.make_table(n - 1), "sinusoidal", {}, ValueError, "must return 512 rows"),
        (
            plain.make_table(),
            "alibi",
            {"kind": "table"},
            ValueError,
            "kind must be 'bias' for reference",
        ),
        (
            plain.make_table()[:, :3],
            "sinusoidal",
            {},
            ValueError,
            "d must be even and at least 2, got d=3",
        ),
        (
            plain.make_table()[None, None, 0],
            "sinusoidal",
            {},
            ValueError,
            "thing must be a table (L, d)",
        ),
        (
            plain.make_table(),
            plain.make_table(8),
            {},
            ValueError,
            "thing must have the shape of reference, got",
        ),
        (plain.make_table(), {"rope_type": "x"}, {}, ValueError, "rope_type must be"),
        (
            lambda x, p: x,
            {"head_dim": 128},
            {"head_dim": 64},
            ValueError,
            "head_dim must be at least 128",
        ),
        (plain.make_table(), "t5", {"ignore_row_constants": 1}, TypeError, "must be a bool"),
    ],
)
def test_compare_refuses(thing, reference, options, error, complaint):
    with pytest.raises(error) as refusal:
        posenc.compare(thing, reference, **options)
    assert complaint in str(refusal.value)


def test_an_error_of_the_function_is_not_hidden():
    for function in (lambda n: 1 / 0, lambda x, p: 1 / 0):
        with pytest.raises(ZeroDivisionError):
            posenc.identify(function)


def test_inputs_are_not_changed():
    table = plain.make_table()
    table.flags.writeable = False  # a write raises

    assert posenc.identify(table).kind == "sinusoidal"
    assert posenc.compare(table, table)
    bias = plain.scale_by_head([0.5, 0.25], -abs(plain.offsets(32)))
    bias.flags.writeable = False
    assert posenc.compare(bias, "alibi-symmetric").explanation == (
        "slopes 2**(-(h+1)) for any number of heads"
    )


RNG = np.random.default_rng(0)


def dropped(numbers: Any) -> Any:
    return np.where(RNG.random(numbers.shape) < 0.1, 0.0, numbers / 0.9)


@pytest.mark.parametrize(
    ("thing", "kind", "reference"),
    [
        (lambda n: dropped(posenc.sinusoidal_positional_encoding(n, 32)), "table", "sinusoidal"),
        (lambda x, p: dropped(posenc.apply_rotary(x, p)), "rotary", "rotary"),
        (lambda n: dropped(posenc.alibi_bias(8, n, form="symmetric")), "bias", "alibi-symmetric"),
    ],
)
def test_a_function_in_training_is_refused(thing: Any, kind: Any, reference: str) -> None:
    said = r"dropout is on, as in training; call \.eval\(\) first"
    with pytest.raises(ValueError, match=said):
        posenc.identify(thing, kind=kind)
    with pytest.raises(ValueError, match=said):
        posenc.compare(thing, reference, kind=kind)
