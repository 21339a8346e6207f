"""Tables and rotations in compiled loops: the numbers of `posenc`, bit for bit, in less time.

Not imported with `posenc`; it needs the extra `posenc[numba]`. A function is compiled when it is
first called with arrays of a type, which takes a second or a few; nothing compiled is written to
disk. What no loop is compiled for, `posenc` does.
"""

try:
    import numba as _numba  # noqa: F401
except ImportError as error:
    raise ImportError("posenc.numba needs numba: pip install numba") from error

from posenc.numba.rotary import rotate_pairs
from posenc.numba.table import sinusoidal_positional_encoding

__all__ = ["rotate_pairs", "sinusoidal_positional_encoding"]
