"""Links from the API pages to lines in the repository."""

import sys

import pytest

from check.package import digest_package
from check.page_source import read_page
from check.paths import PACKAGE, ROOT
from website.hosting import find_source


@pytest.fixture
def _without_extras(monkeypatch):
    """Make imports of PyTorch and numba fail, even if they are installed."""
    for name in ("torch", "numba", "posenc.torch", "posenc.numba"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize(
    ("name", "file", "definition"),
    [
        ("posenc.inv_freq", "core/frequencies.py", "def inv_freq("),
        ("posenc.apply_rotary", "rotary/rotation.py", "def apply_rotary("),  # with a decorator
        ("posenc.torch.RotaryEmbedding", "torch/rotary.py", "class RotaryEmbedding("),
        ("posenc.torch.RotaryEmbedding.forward", "torch/rotary.py", "    def forward("),
        ("posenc.numba.rotate_pairs", "numba/rotary.py", "def rotate_pairs("),
    ],
)
@pytest.mark.usefixtures("_without_extras")
def test_source_lines_are_found_without_pytorch_and_numba(name, file, definition):
    location = find_source(name, digest_package())

    assert location is not None
    path, first, last = location
    assert ROOT / path == PACKAGE / file
    lines = read_page(ROOT / path).splitlines()[first - 1 : last]
    start = next(line for line in lines if not line.strip().startswith("@"))
    assert start.startswith(definition)
    assert lines[-1].startswith("    "), "the last line of a body"


def test_a_module_has_no_source_lines():
    assert find_source("posenc.torch", digest_package()) is None
