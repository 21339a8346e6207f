"""Whatever is done to a module, it gives the same numbers: conversions, devices, compilation."""

import copy
import io
from collections.abc import Callable
from typing import Any

import pytest
import torch

import posenc
from posenc.torch import (
    AlibiBias,
    AxialRotaryEmbedding,
    LearnedPositionalEncoding,
    MRotaryEmbedding,
    RotaryEmbedding,
    SinusoidalPositionalEncoding,
    T5Bias,
)

FAR = torch.tensor([0, 1, 131_071, 1_000_000])
POINTS = torch.tensor([[0, 0, 0], [7, 1, 2], [131_071, 9, 3], [1_000_000, 4, 1000]])
X = torch.randn(2, 3, 4, 8, generator=torch.Generator().manual_seed(0))


def on_meta(module):
    """Return a function that moves tensors to the meta device and calls the module."""

    def call(*arguments):
        moved = (one.to("meta") if isinstance(one, torch.Tensor) else one for one in arguments)
        return module(*moved)

    return call


Make = Callable[[], Any]
Call = Callable[[Any], Any]

# How each module is made, and how it is called.
MODULES: dict[str, tuple[Make, Call]] = {
    "rotary-half": (
        lambda: RotaryEmbedding(8, layout="half", seq_axis=-2), lambda m: m(X, FAR),
    ),
    "rotary-interleaved": (
        lambda: RotaryEmbedding(8, layout="interleaved", seq_axis=-3), lambda m: m(X),
    ),
    "rotary-clockwise": (
        lambda: RotaryEmbedding(8, layout="half", seq_axis=-2, clockwise=True),
        lambda m: m(X, FAR),
    ),
    "mrope": (
        lambda: MRotaryEmbedding(
            8, (2, 1, 1), assignment="interleaved", layout="half", seq_axis=-2
        ),
        lambda m: m(X, POINTS),
    ),
    "axial": (
        lambda: AxialRotaryEmbedding(8, 2, layout="interleaved", seq_axis=-2),
        lambda m: m(X, POINTS[:, 1:] / 2),
    ),
    "sinusoidal": (lambda: SinusoidalPositionalEncoding(8), lambda m: m(X, FAR)),
    "alibi": (lambda: AlibiBias(6), lambda m: m(3, 5)),
    "learned": (lambda: LearnedPositionalEncoding(9, 8, init="sinusoidal"), lambda m: m(X)),
    "t5": (lambda: T5Bias(6), lambda m: m(3, 5)),
}  # fmt: skip
OF_LENGTHS = AlibiBias | T5Bias
ROTARY = ("rotary-half", "rotary-interleaved", "rotary-clockwise", "mrope", "axial")
CONSTANT = (*ROTARY, "sinusoidal", "alibi")
every = pytest.mark.parametrize(("make", "call"), MODULES.values(), ids=MODULES)
constant = pytest.mark.parametrize(
    ("make", "call"), [MODULES[name] for name in CONSTANT], ids=CONSTANT
)


@pytest.mark.parametrize(
    "convert",
    [
        lambda m: m.half(),
        lambda m: m.bfloat16(),
        lambda m: m.to(torch.bfloat16).float(),
        lambda m: m.to("cpu", torch.float16),
        lambda m: m.to("meta").to_empty(device="cpu"),
        copy.deepcopy,
    ],
    ids=["half", "bfloat16", "and-back", "to", "meta", "copied"],
)
@constant
def test_constants_outlive_every_conversion(make, call, convert):
    module = make()
    before = call(module)

    assert (call(convert(module)) == before).all()


@constant
def test_module_built_on_the_meta_device_is_complete_after_to_empty(make, call):
    with torch.device("meta"):
        module = make()
    assert {buffer.device.type for buffer in module.buffers()} == {"meta"}

    assert (call(module.to_empty(device="cpu")) == call(make())).all()


@constant
def test_a_checkpoint_holds_no_constants(make, call):
    assert not make().state_dict()
    assert not [*make().parameters()]


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("rotary-half", lambda m: m(X)),
        ("rotary-half", lambda m: m(X, FAR)),
        ("rotary-half", lambda m: m.cos_sin(FAR, torch.float32)),
        ("mrope", lambda m: m(X, POINTS)),
        ("mrope", lambda m: m.cos_sin(POINTS, torch.float32)),
        ("sinusoidal", lambda m: m(X)),
        ("learned", lambda m: m(X)),
    ],
)
def test_module_on_the_meta_device_asks_for_to_empty(name, call):
    with torch.device("meta"):
        module = MODULES[name][0]()

    with pytest.raises(RuntimeError, match=r"meta device, .* call to_empty\(device=\.\.\.\)"):
        call(module)


@every
def test_shapes_can_be_tried_on_the_meta_device(make, call):
    with torch.device("meta"):
        module = make()
    found = call(on_meta(module))

    assert found.is_meta
    assert found.shape == ((6, 3, 5) if isinstance(module, OF_LENGTHS) else X.shape)


@every
def test_to_empty_and_a_reset_complete_a_module(make, call):
    with torch.device("meta"):
        module = make()

    module.to_empty(device="cpu").reset_parameters()

    if not isinstance(module, T5Bias):  # whose table is drawn
        assert (call(module) == call(make())).all()
    assert call(module).isfinite().any()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", CONSTANT)
def test_constants_in_a_checkpoint_are_ignored_if_they_are_equal(name, dtype):
    make, call = MODULES[name]
    module = torch.nn.ModuleDict({"inner": make()})
    stored = {key: value.to(dtype) for key, value in module.named_buffers()}

    module.load_state_dict(stored)

    assert (call(module["inner"]) == call(make())).all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_frequencies_that_a_library_computed_in_float32_are_accepted(dtype):
    rope = RotaryEmbedding(128, layout="half", seq_axis=-2, base=500000.0)
    theirs = 1.0 / (500000.0 ** (torch.arange(0, 128, 2).float() / 128))

    rope.load_state_dict({"inv_freq": theirs.to(dtype)})

    assert (rope.inv_freq.numpy() == posenc.inv_freq(128, 500000.0)).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f * (1 + 1e-5), "entry 0 is 1.00001, not 1"),
        (lambda f: torch.cat([f[:3], f[3:] / 8]), "entry 3 is 0.000125, not 0.001"),
        (lambda f: torch.cat([f[:3], f[3:] * torch.nan]), "entry 3 is nan, not 0.001"),
        (lambda f: f[:2], r"it has shape \(2,\), not \(4,\)"),
    ],
)
def test_other_frequencies_in_a_checkpoint_are_refused(change, said):
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
    model = torch.nn.Sequential(rope)

    for strict in (True, False):
        with pytest.raises(RuntimeError, match=f"0.inv_freq in the checkpoint is not .* {said}"):
            model.load_state_dict({"0.inv_freq": change(rope.inv_freq.float())}, strict=strict)


def test_other_entries_of_a_checkpoint_are_still_unexpected():
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)

    with pytest.raises(RuntimeError, match="Unexpected key"):
        rope.load_state_dict({"inv_freq": rope.inv_freq, "frequencies": rope.inv_freq})


@pytest.mark.filterwarnings("ignore:.*torch.jit.*deprecated")
@every
def test_torchscript_is_refused_with_what_to_use(make, call):
    for module in (make(), torch.nn.Sequential(make())):
        with pytest.raises(NotImplementedError, match=r"compiled by torch\.jit\.script: use"):
            torch.jit.script(module)


@every
def test_saved_and_loaded_a_module_is_the_same(make, call):
    module, file = make(), io.BytesIO()

    torch.save(module, file)
    file.seek(0)
    again = torch.load(file, weights_only=False)
    fresh = make()
    fresh.load_state_dict(module.state_dict())

    assert (call(again) == call(module)).all()
    assert (call(fresh) == call(module)).all()


@every
def test_autocast_changes_nothing(make, call):
    module = make()
    with torch.autocast("cpu", torch.bfloat16):
        found = call(module)

    assert (found == call(module)).all()
    assert found.dtype == call(module).dtype


@every
def test_compiled_module_is_one_graph_with_the_same_numbers(make, call):
    module = make()
    compiled = torch.compile(module, fullgraph=True)

    # A compiler may contract a product and a sum: one rounding of the three is left out.
    torch.testing.assert_close(call(compiled), call(module), rtol=2**-22, atol=2**-23)


@pytest.mark.parametrize(
    ("name", "n_axes"), [("rotary-half", 0), ("sinusoidal", 0), ("mrope", 3), ("axial", 2)]
)
def test_a_compiled_graph_serves_every_length(name, n_axes):
    module = MODULES[name][0]()
    compiled = torch.compile(module, fullgraph=True, dynamic=True)
    for length in (2, 5, 9):
        x = torch.randn(2, 3, length, 8)
        positions = torch.arange(length) + 1_000_000
        if n_axes:
            positions = positions[:, None] + torch.arange(n_axes)
        torch.testing.assert_close(
            compiled(x, positions), module(x, positions), rtol=2**-22, atol=2**-23
        )


@pytest.mark.parametrize(
    ("name", "positions"), [("rotary-half", FAR), ("mrope", POINTS), ("axial", POINTS[:, 1:])]
)
def test_module_can_be_exported(name, positions):
    rope = MODULES[name][0]()

    exported = torch.export.export(rope, (X, positions)).module()

    torch.testing.assert_close(exported(X, positions), rope(X, positions), rtol=2**-22, atol=2**-23)


@every
def test_default_dtype_is_the_pytorch_default(make, call):
    torch.set_default_dtype(torch.float64)
    try:
        module = make()
    finally:
        torch.set_default_dtype(torch.float32)

    assert {parameter.dtype for parameter in module.parameters()} <= {torch.float64}
    kept = {str(buffer.dtype) for buffer in module.buffers()}
    assert kept <= {"torch.float64", "torch.int64"}


@every
def test_repr_shows_the_settings(make, call):
    assert type(make()).__name__ in repr(make())
    assert "()" not in repr(make())
