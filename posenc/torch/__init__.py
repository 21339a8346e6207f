"""The encodings as modules of PyTorch: the numbers of `posenc`, on any device and in any dtype.

Not imported with `posenc`; it needs the extra `posenc[torch]`. A module keeps its frequencies,
slopes and bounds of buckets in float64 or int64 whatever is done to it: `.half()`,
`.bfloat16()`, `.to(device)`, or `to_empty` after it was built on the meta device. Vectors are
rotated in their own dtype.
"""

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise ImportError("posenc.torch needs PyTorch: pip install torch") from error

from posenc.torch.added import LearnedPositionalEncoding, SinusoidalPositionalEncoding
from posenc.torch.biases import AlibiBias, T5Bias
from posenc.torch.cached_keys import rerotate_keys
from posenc.torch.contextual import CopeBias, DebertaBias
from posenc.torch.learned_biases import FireBias, KerpleBias, SwinBias
from posenc.torch.models import from_config
from posenc.torch.packed import packed_positions
from posenc.torch.points import AxialRotaryEmbedding, MRotaryEmbedding
from posenc.torch.rotary import RotaryEmbedding
from posenc.torch.rotation import rotate_pairs
from posenc.torch.xpos import XPosEmbedding

__all__ = [
    "AlibiBias",
    "AxialRotaryEmbedding",
    "CopeBias",
    "DebertaBias",
    "FireBias",
    "KerpleBias",
    "LearnedPositionalEncoding",
    "MRotaryEmbedding",
    "RotaryEmbedding",
    "SinusoidalPositionalEncoding",
    "SwinBias",
    "T5Bias",
    "XPosEmbedding",
    "from_config",
    "packed_positions",
    "rerotate_keys",
    "rotate_pairs",
]
