"""Every block of code on the page runs, and does what the page says."""

import doctest
import sys
from types import ModuleType

import pytest
import torch

import posenc
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from posenc.torch import RotaryEmbedding

PAGE = read_page(ROOT / "docs/reference/torch.md")
BLOCKS = [fence for fence in find_fences(PAGE) if "not-run" in fence.classes]
FILES = {fence.attributes["title"]: fence.source for fence in BLOCKS if fence.language == "python"}
SESSIONS = [fence.source for fence in BLOCKS if fence.language == "pycon"]


@pytest.fixture(scope="module", autouse=True)
def _files_of_the_page():
    """Let sessions import the files that the page shows before them."""
    for name, code in FILES.items():
        module = ModuleType(name.removesuffix(".py"))
        exec(compile(code, name, "exec"), vars(module))
        sys.modules[module.__name__] = module
    yield
    for name in FILES:
        del sys.modules[name.removesuffix(".py")]


def shown(file: str, name: str):
    """Return what a file on the page defines."""
    return getattr(sys.modules[file], name)


def test_no_block_is_left_out():
    assert len(FILES) + len(SESSIONS) == len(BLOCKS)
    assert len(FILES) >= 5
    assert len(SESSIONS) >= 4


def test_sessions_show_what_they_return():
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    session = doctest.DocTestParser().get_doctest(
        "".join(SESSIONS), {}, "torch.md", "docs/reference/torch.md", 0
    )
    said: list[str] = []

    runner.run(session, out=said.append)

    assert not said, "".join(said)
    assert runner.summarize(verbose=False).attempted > 20


@pytest.mark.parametrize(
    # Sums in another order; in bfloat16 outputs near 1 are 2**-8 apart.
    ("dtype", "allowed"),
    [(torch.float64, 1e-14), (torch.float32, 1e-6), (torch.bfloat16, 2**-6)],
)
@pytest.mark.parametrize("steps", [(3, 1, 1, 1), (2, 4), (1, 3, 2), (6,)])
def test_a_cache_changes_nothing(dtype, allowed, steps):
    layer = shown("attention", "Attention")(32, n_heads=4, n_kv_heads=2).to(dtype)
    x = torch.randn(2, 6, 32, dtype=torch.float64).to(dtype)
    whole, _ = layer(x)

    cache, found = None, []
    for new in x.split(steps, 1):
        out, cache = layer(new, cache)
        found.append(out)

    assert abs(torch.cat(found, 1) - whole).max().item() <= allowed


def test_scores_depend_on_offsets_alone():
    layer = shown("attention", "Attention")(32, n_heads=4, n_kv_heads=2).double()
    x = torch.randn(1, 1, 32, dtype=torch.float64)
    nothing = torch.zeros(1, 2, 1000, 8, dtype=torch.float64)

    _, (near, _) = layer(x)
    _, (far, _) = layer(x, (nothing, nothing))

    expected = posenc.apply_rotary(near.detach().numpy(), [1000], layout="half")
    assert abs(far[:, :, -1:].detach().numpy() - expected).max() < 1e-14


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_layers_share_tables(dtype):
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
    positions = torch.arange(5) + 1000
    layers = [(torch.randn(1, 4, 5, 8).to(dtype), torch.randn(1, 2, 5, 8).to(dtype))] * 3

    for q, k in shown("shared", "rotate_layers")(rope, layers, positions):
        assert (q == rope(layers[0][0], positions)).all()
        assert (k == rope(layers[0][1], positions)).all()


def test_packed_sequences_see_only_themselves():
    attend = shown("packed", "attend")
    rope = RotaryEmbedding(16, layout="half", seq_axis=-2)
    q, k, v = torch.randn(3, 1, 4, 9, 16, dtype=torch.float64)
    together = attend(rope, q, k, v, torch.tensor([0, 5, 5, 8]))

    for start, end in ((0, 5), (5, 8)):
        part = (x[:, :, start:end] for x in (q, k, v))
        alone = attend(rope, *part, torch.tensor([0, end - start]))
        assert abs(together[:, :, start:end] - alone).max() < 1e-14


def test_tokens_are_dropped_from_the_middle_of_a_cache():
    rope = RotaryEmbedding(16, layout="half", seq_axis=-2)
    k, v = torch.randn(2, 1, 2, 9, 16, dtype=torch.float64)
    left = [0, 5, 6, 7, 8]

    keys, values = shown("shifting", "drop_tokens")(rope, (rope(k), v), n_keep=1, n_drop=4)

    torch.testing.assert_close(keys, rope(k[:, :, left]), rtol=0, atol=1e-14)
    assert (values == v[:, :, left]).all()
