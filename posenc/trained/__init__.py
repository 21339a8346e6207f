"""Positions in a trained model: its table and the attention of its first layer.

The weights come with the package, under the Apache License 2.0, and are read from their file when
`load_minilm` is called; `import posenc` does not load them.
"""

from posenc.trained.minilm import FirstLayer, load_minilm
from posenc.trained.rotations import fit_rotations

__all__ = ["FirstLayer", "fit_rotations", "load_minilm"]
