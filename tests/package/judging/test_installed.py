"""Code of libraries, as installed, is recognised.

Skipped unless the environment variable POSENC_TORCH is 1. Then it needs, as last judged: torch
2.15.0, transformers 5.24.0, x-transformers 2.31.10, rotary-embedding-torch 0.9.1 and
positional-encodings 6.0.3.
"""

import importlib
import inspect
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posenc
from docs.reference.mistakes.catalogue import Judge, compared, identified

# Libraries warn, of themselves and of others.
pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings("ignore")]

D = 64  # channels of a head
TURN = {"head_dim": D, "seq_len": 300}


@pytest.fixture(autouse=True, scope="module")
def _asked() -> None:
    """Skip, and say so, unless the libraries are said to be there; then they must be."""
    if os.environ.get("POSENC_TORCH") != "1":
        pytest.skip("POSENC_TORCH is not 1: no code of installed libraries was judged")


def module(name: str) -> Any:
    """Import a module of a library, which need not be there."""
    return importlib.import_module(name)


def model(name: str) -> Any:
    """Import the modelling code of transformers for a model."""
    return module(f"transformers.models.{name}.modeling_{name}")


@dataclass(frozen=True)
class Case:
    """What a library has, made when it is wanted, and what judges it."""

    name: str
    make: Callable[[], Any]
    judge: Judge


RIGHT: list[Case] = []
Maker = Callable[[], Any]


def right(judge: Judge) -> Callable[[Maker], Maker]:
    """Enter a maker of something right."""

    def enter(make: Maker) -> Maker:
        RIGHT.append(Case(make.__name__.replace("_", "-"), make, judge))
        return make

    return enter


def queries(x: Any, dtype: str = "float32") -> Any:
    """Return vectors (L, d) as queries (1, 1, L, d) that need a gradient."""
    torch = module("torch")
    made = torch.tensor(x, requires_grad=True)[None, None]
    return made.to(getattr(torch, dtype))


def places(p: Any) -> Any:
    """Return positions (1, L)."""
    return module("torch").as_tensor(np.ascontiguousarray(p))[None]


# Tables.

PAPER_HALF: dict[str, Any] = {
    "kind": "sinusoidal",
    "layout": "half",
    "exponent": "paper",
    "base": 10000,
    "start": 0,
}
PROGRAM: dict[str, Any] = {**PAPER_HALF, "exponent": "tensor2tensor"}


def marian() -> Any:
    found = model("marian").MarianSinusoidalPositionalEmbedding(300, D)
    return found.create_weight()


@right(identified(**PAPER_HALF, first="sin", angles="float32", notes=()))
def marian_table():
    return marian().requires_grad_()


def speech(length: int = 300) -> Any:
    kept = model("speech_to_text").Speech2TextSinusoidalPositionalEmbedding
    return kept.get_embedding(length, D, 1)


@right(identified(**PROGRAM, first="sin", angles="float32"))
def speech_to_text_table():
    return speech()


@right(compared("fairseq"))
def speech_to_text_as_it_is_used():
    torch = module("torch")
    kept = model("speech_to_text").Speech2TextSinusoidalPositionalEmbedding(300, D, 1)
    return kept(torch.full((1, 200), 7))


@right(compared("tensor2tensor"))
def whisper_table():
    return model("whisper").sinusoids(300, D)


def scaled() -> Any:
    return module("x_transformers.x_transformers").ScaledSinusoidalEmbedding(D)


@right(identified(**PAPER_HALF, first="sin", scale=D**-0.5))
def x_transformers_scaled_sinusoidal():
    return scaled()(module("torch").zeros(1, 300, D))  # its scale is learned: it has a gradient


def multidim() -> Any:
    return module("positional_encodings.torch_encodings")


@right(compared("sinusoidal"))
def positional_encodings_of_a_text():
    return multidim().PositionalEncoding1D(D)(module("torch").zeros(1, 300, D))


@right(compared(posenc.axial_encoding(posenc.grid_points((6, 10)).reshape(-1, 2), D)))
def positional_encodings_of_an_image():
    encoded = multidim().PositionalEncoding2D(D)(module("torch").zeros(1, 6, 10, D))
    return encoded[0].flatten(0, 1)


# Rotations of transformers.


def llama(x: Any, p: Any, dtype: str = "float32", **config: Any) -> Any:
    """Turn queries as Llama does, with cosines and sines of its module."""
    code = model("llama")
    made = module("transformers").LlamaConfig(head_dim=D, **config)
    q = queries(x, dtype)
    cos, sin = code.LlamaRotaryEmbedding(made)(q, places(p))
    return code.apply_rotary_pos_emb(q, q, cos, sin)[0]


LLAMA = compared("llama", **TURN)
THETA = {"rope_type": "default", "rope_theta": 500000.0}
LLAMA31 = {**THETA, "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0}
LLAMA31 |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0}
YARN |= {"original_max_position_embeddings": 256}


@right(LLAMA)
def llama_rotary():
    return llama


@right(compared("llama3", **TURN))
def llama3_rotary():
    return lambda x, p: llama(x, p, rope_parameters=THETA)


@right(compared("llama3.1", **TURN))
def llama31_rotary_in_bfloat16():
    return lambda x, p: llama(x, p, "bfloat16", rope_parameters=LLAMA31)


@right(compared({**YARN, "head_dim": D}, **TURN))
def llama_rotary_with_yarn():
    return lambda x, p: llama(x, p, rope_parameters=YARN)


def gpt_neox(x: Any, p: Any) -> Any:
    code = model("gpt_neox")
    parameters = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25}
    made = module("transformers").GPTNeoXConfig(
        hidden_size=4 * D, num_attention_heads=4, rope_parameters=parameters
    )
    q = queries(x)
    cos, sin = code.GPTNeoXRotaryEmbedding(made)(q, places(p))
    return code.apply_rotary_pos_emb(q, q, cos, sin)[0]


NEOX = compared("gpt-neox", **TURN)


@right(NEOX)
def gpt_neox_rotary():
    return gpt_neox


def every_two(name: str) -> Callable[[Any, Any], Any]:
    """Return the rotation of a model that turns neighbours, from its table and its helper."""

    def turn(x: Any, p: Any) -> Any:
        code, q = model(name), queries(x).transpose(1, 2)  # (B, L, H, d)
        table = code.create_sinusoidal_positions(1024, D)
        sin, cos = table[places(p)].chunk(2, dim=-1)
        return code.apply_rotary_pos_emb(q, sin, cos)

    return turn


@right(compared("gpt-j", **TURN))
def gptj_rotary():
    return every_two("gptj")


@right(compared("gpt-j", **TURN))
def codegen_rotary():
    return every_two("codegen")


# Rotations of the other libraries.


def rotary_torch(dtype: str = "float32", **options: Any) -> Callable[[Any, Any], Any]:
    """Return the rotation of rotary-embedding-torch, by the frequencies of given positions."""
    found = module("rotary_embedding_torch")

    def turn(x: Any, p: Any) -> Any:
        torch = module("torch")
        kept = found.RotaryEmbedding(D, cache_if_possible=False, **options)
        q = queries(x, dtype)
        angles = kept(torch.as_tensor(np.ascontiguousarray(p)).to(q.dtype))
        return found.apply_rotary_emb(angles, q)

    return turn


ROTARY = compared("rotary", **TURN)


@right(ROTARY)
def rotary_embedding_torch():
    return rotary_torch()


@right(compared("rotary", kind="rotary", **TURN))
def rotary_embedding_torch_as_it_is_called():
    kept = module("rotary_embedding_torch").RotaryEmbedding(D)
    return lambda x: kept.rotate_queries_or_keys(queries(x))


@right(identified({**TURN, "kind": "rotary"}, kind="rotary", step=0.25, base=10000))
def rotary_embedding_torch_interpolated():
    kept = module("rotary_embedding_torch").RotaryEmbedding(D, interpolate_factor=4.0)
    return lambda x: kept.rotate_queries_or_keys(queries(x))


def x_rotary(**options: Any) -> Callable[[Any, Any], Any]:
    code, torch = module("x_transformers.x_transformers"), module("torch")
    kept = code.RotaryEmbedding(D, **options)

    def turn(x: Any, p: Any) -> Any:
        freqs, scale = kept(torch.as_tensor(np.ascontiguousarray(p)))
        return code.apply_rotary_pos_emb(queries(x), freqs, scale)

    return turn


@right(ROTARY)
def x_transformers_rotary():
    return x_rotary()


@right(identified(TURN, kind="rotary", step=0.5, base=10000))
def x_transformers_rotary_interpolated():
    return x_rotary(interpolation_factor=2.0)


# Biases.


def masked(bias: Any) -> Any:
    """Return the bias of keys (H, 1, L) for all queries, later keys hidden."""
    torch = module("torch")
    later = torch.ones(bias.shape[-1], bias.shape[-1]).triu(1).bool()
    return bias.expand(-1, len(later), -1).masked_fill(later, -math.inf)


def bloom(heads: int, dtype: str = "float32") -> Any:
    torch = module("torch")
    mask = torch.ones(1, 96, dtype=torch.long)
    return model("bloom").build_alibi_tensor(mask, heads, getattr(torch, dtype))


KEYS = compared("alibi", ignore_row_constants=True)


@right(KEYS)
def bloom_alibi_of_12_heads():
    return masked(bloom(12))


@right(identified({"kind": "bias"}, kind="alibi", slopes_rule="paper", form="key"))
def bloom_alibi_of_12_heads_as_it_comes_in_bfloat16():
    return bloom(12, "bfloat16").expand(-1, 96, -1)


def mpt(heads: int) -> Any:
    return model("mpt").build_mpt_alibi_tensor(heads, 96)


@right(KEYS)
def mpt_alibi_of_12_heads():
    return masked(mpt(12))


def falcon(heads: int = 12) -> Any:
    torch = module("torch")
    mask = torch.ones(1, 96, dtype=torch.long)
    return model("falcon").build_alibi_tensor(mask, heads, torch.bfloat16)


@right(identified({"kind": "bias"}, kind="alibi", slopes_rule="paper"))
def falcon_alibi():
    return falcon().expand(-1, 96, -1)


def x_alibi() -> Any:
    return module("x_transformers.x_transformers").AlibiPositionalBias(12)


@right(compared("alibi-symmetric"))
def x_transformers_alibi():
    return x_alibi()(96, 96)


@right(compared("alibi-symmetric"))
def x_transformers_alibi_of_one_new_query():
    return x_alibi()(1, 96)


def t5(*, decoder: bool, queries: int = 200) -> Any:
    made = module("transformers").T5Config(d_model=D, d_kv=16, num_heads=4)
    made.is_decoder = decoder
    attention = model("t5").T5Attention(made, has_relative_attention_bias=True, layer_idx=0)
    module("torch").nn.init.normal_(attention.relative_attention_bias.weight)
    return attention.compute_bias(queries, 200, past_seen_tokens=200 - queries)


@right(compared("t5"))
def t5_encoder():
    return t5(decoder=False)


@right(compared("t5-decoder"))
def t5_decoder():
    return t5(decoder=True)


@right(compared("t5-decoder"))
def t5_decoder_in_bfloat16_of_eight_new_queries():
    return t5(decoder=True, queries=8).bfloat16()


def x_t5(causal: bool) -> Any:
    code = module("x_transformers.x_transformers")
    return code.RelativePositionBias(D**0.5, causal=causal)(200, 200)


@right(compared("t5"))
def x_transformers_t5_bias():
    return x_t5(False)


@right(compared("t5-decoder"))
def x_transformers_t5_bias_of_a_decoder():
    return x_t5(True)


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_installed_library_code_is_recognised(case: Case):
    verdict = case.judge(case.make())

    assert verdict.accepted, verdict.words


def classes(code: Any) -> list[tuple[str, Any]]:
    """Return the classes of a module, by name."""
    return inspect.getmembers(code, inspect.isclass)


def modelling(words: str) -> Iterator[Any]:
    """Yield the modelling code of all models of transformers that has these words."""
    root = Path(module("transformers").__file__).parent / "models"
    for file in sorted(root.glob("*/modeling_*.py")):
        if words in file.read_text("utf-8"):
            yield module(f"transformers.models.{file.parent.name}.{file.stem}")


def test_every_sinusoidal_table_of_transformers_is_named():
    found = {}
    for code in modelling("SinusoidalPositionalEmbedding("):
        for name, kept in classes(code):
            if kept.__module__ != code.__name__ or "SinusoidalPositionalEmbedding" not in name:
                continue
            if hasattr(kept, "get_embedding") and "num_embeddings" in str(
                inspect.signature(kept.get_embedding)
            ):
                few = len(inspect.signature(kept.get_embedding).parameters)
                table = kept.get_embedding(*(300, D, 1)[:few])
            elif hasattr(kept, "create_weight"):
                table = kept(300, D).create_weight()
            else:
                continue
            found[name] = posenc.identify(table)
    assert found
    for name, identity in found.items():
        first = "cos" if "Musicgen" in name else "sin"
        assert (identity.kind, identity.base, identity.first) == ("sinusoidal", 10000, first), name
        assert identity.exponent in ("paper", "tensor2tensor"), name


def test_every_rotation_of_transformers_that_can_be_made_is_named():
    """All models whose helper takes queries, keys, cosines and sines, with their own default."""
    layouts: dict[str, str | None] = {}
    unnamed = {}
    for code in modelling("\ndef apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1"):
        name = code.__name__.rpartition(".")[2].removeprefix("modeling_")
        turn = turn_of(code)
        if turn is None:
            continue
        found = posenc.identify(turn[0], head_dim=turn[1], seq_len=64)
        if found.kind == "rotary":
            layouts[name] = found.layout
        else:
            unnamed[name] = str(found)
    assert not unnamed, unnamed
    assert set(layouts.values()) == {"half", "interleaved"}


def turn_of(code: Any) -> tuple[Callable[[Any, Any], Any], int] | None:
    """Return the rotation of a model and how wide its heads are, or None where it has another."""
    for name, kept in classes(code):
        if not name.endswith("RotaryEmbedding") or kept.__module__ != code.__name__:
            continue
        try:
            made = kept.__init__.__annotations__["config"]()
            width = getattr(made, "head_dim", None) or made.hidden_size // made.num_attention_heads
            module_of = kept(made)

            def turn(x: Any, p: Any, module_of: Any = module_of) -> Any:
                q = queries(x)
                cos, sin = module_of(q, places(p))
                return code.apply_rotary_pos_emb(q, q, cos, sin)[0]

            turn(np.ones((4, width), dtype=np.float32), np.arange(4))
            cos, _ = module_of(queries(np.ones((4, width), dtype=np.float32)), places(np.arange(4)))
            if cos.shape[:2] != (1, 4):  # of a vision tower, whose patches have two coordinates
                continue
        except Exception:  # of another signature, or with several coordinates
            continue
        return turn, width
    return None


def rotate_with_heads(x: Any, positions: Any) -> Any:
    """Rotate queries (B, H, L, d) as Llama does, without a wrapper for NumPy."""
    code = model("llama")
    rotary = code.LlamaRotaryEmbedding(module("transformers").LlamaConfig(head_dim=D))
    return code.apply_rotary_pos_emb(x, x, *rotary(x, positions))[0]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_tensors_go_in_where_they_are_asked_for(dtype):
    config = module("transformers").LlamaConfig(head_dim=D)
    verdict = posenc.compare(rotate_with_heads, config, arrays="torch", dtype=dtype, seq_len=64)

    assert verdict, str(verdict)
    assert verdict.dtype == dtype


def test_modules_and_annotated_functions_take_tensors():
    class Rotary(module("torch").nn.Module):  # type: ignore[misc]
        """A module that takes (L, d)."""

        def forward(self, x: Any, positions: Any) -> Any:
            """Rotate x."""
            return rotate_with_heads(x[None, None], positions[None])[0, 0]

    def annotated(x, positions):
        return Rotary()(x, positions)

    annotated.__annotations__ = {"x": module("torch").Tensor}
    for function in (Rotary(), Rotary().forward, annotated):
        assert posenc.compare(function, "llama", seq_len=64)
    for axis in (-2, -3):
        rotary = module("posenc.torch").RotaryEmbedding(D, layout="half", seq_axis=axis)
        assert posenc.compare(rotary, "llama", seq_len=64, dtype="bfloat16")


def test_float64_shows_that_transformers_computes_in_float32():
    verdict = posenc.compare(
        rotate_with_heads, "llama", arrays="torch", dtype="float64", seq_len=64
    )

    assert verdict.explanation == "cos and sin in float32 instead of float64"


def test_tensor_functions_without_tensors_say_what_to_pass():
    with pytest.raises(ValueError, match=r"NumPy arrays.*pass arrays='torch'"):
        posenc.compare(rotate_with_heads, "llama")


def test_cosines_and_sines_of_a_module_are_no_rotation():
    rotary = model("llama").LlamaRotaryEmbedding(module("transformers").LlamaConfig(head_dim=D))

    with pytest.raises(ValueError, match="cosines and sines: rotate x by them"):
        posenc.compare(rotary, "llama")
