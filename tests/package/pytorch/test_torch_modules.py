"""Whatever is done to a module, it gives the same numbers: conversions, devices, compilation."""

import copy
import io
from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc.torch import (
    AlibiBias,
    LearnedPositionalEncoding,
    RotaryEmbedding,
    SinusoidalPositionalEncoding,
    T5Bias,
)

FAR = torch.tensor([0, 1, 131_071, 1_000_000])
X = torch.randn(2, 3, 4, 8, generator=torch.Generator().manual_seed(0))

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
    "sinusoidal": (lambda: SinusoidalPositionalEncoding(8), lambda m: m(X, FAR)),
    "alibi": (lambda: AlibiBias(6), lambda m: m(3, 5)),
    "learned": (lambda: LearnedPositionalEncoding(9, 8, init="sinusoidal"), lambda m: m(X)),
    "t5": (lambda: T5Bias(6), lambda m: m(3, 5)),
}  # fmt: skip
CONSTANT = ("rotary-half", "rotary-interleaved", "sinusoidal", "alibi")
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


@pytest.mark.parametrize("name", ["rotary-half", "sinusoidal"])
def test_a_compiled_graph_serves_every_length(name):
    module = MODULES[name][0]()
    compiled = torch.compile(module, fullgraph=True, dynamic=True)
    for length in (2, 5, 9):
        x = torch.randn(2, 3, length, 8)
        positions = torch.arange(length) + 1_000_000
        torch.testing.assert_close(
            compiled(x, positions), module(x, positions), rtol=2**-22, atol=2**-23
        )


def test_module_can_be_exported():
    rope = MODULES["rotary-half"][0]()

    exported = torch.export.export(rope, (X, FAR)).module()

    torch.testing.assert_close(exported(X, FAR), rope(X, FAR), rtol=2**-22, atol=2**-23)


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
