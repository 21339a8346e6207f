"""xPos as a module: rotated queries shrink with their position, and rotated keys grow.

Letters in this module
    L  positions (seq_len)      r  channels that are rotated (rotary_dim)
"""

from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from posenc.core import checks
from posenc.rotary.xpos import xpos_scale
from posenc.torch.rotary import RotaryEmbedding


class XPosEmbedding(RotaryEmbedding):
    """Queries or keys, rotated and scaled by the factors of xPos.

    Args:
        head_dim: Channels of a head, at least 2.
        scale_base: In positions, as in `posenc.xpos_scale`.
        gamma: As in `posenc.xpos_scale`.
        options: `layout`, `seq_axis` and the other arguments of `RotaryEmbedding`.

    Attributes:
        log_scale: Shape (r/2,), float64 for life: the logarithm of a query's factor at
            position 1. Not in the `state_dict`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is refused as in `RotaryEmbedding` or `posenc.xpos_scale`.

    Source:
        Sun et al. 2022, arXiv:2212.10554v1, section 3.2. Deviations: those of
        `posenc.xpos_scale`; in particular, positions are not counted from the middle. In
        float16, a key overflows some thousand positions from 0: subtract one number from
        the positions of queries and keys there.

    Examples:
        >>> import torch
        >>> from posenc.torch import XPosEmbedding
        >>> xpos = XPosEmbedding(4, layout="half", seq_axis=-2)
        >>> q, k = torch.ones(2, 1, 1, 600, 4)
        >>> scores = xpos(q, role="query") @ xpos(k, role="key").mT
        >>> torch.allclose(scores[0, 0, 90, 40], scores[0, 0, 590, 540], atol=1e-4)
        True
    """

    log_scale: Tensor

    def __init__(
        self, head_dim: int, *, scale_base: float = 512.0, gamma: float = 0.4, **options: Any
    ) -> None:
        super().__init__(head_dim, **options)
        factors = xpos_scale([scale_base], self.rotary_dim, scale_base=scale_base, gamma=gamma)
        self._constants["log_scale"] = np.log(factors[0]) / scale_base
        log_scale = torch.tensor(self._constants["log_scale"])
        self.register_buffer("log_scale", log_scale, persistent=False)

    def forward(  # type: ignore[override]
        self, x: Tensor, positions: Tensor | None = None, *, role: Literal["query", "key"]
    ) -> Tensor:
        """Return queries or keys, rotated and scaled.

        Args:
            x: As in `RotaryEmbedding`.
            positions: As in `RotaryEmbedding`.
            role: `"query"` multiplies by the factors, `"key"` divides by them.

        Returns:
            Shape, dtype and device of x. Factors are computed in float64.

        Raises:
            TypeError: As in `RotaryEmbedding`.
            ValueError: `role` is unknown, or as in `RotaryEmbedding`.
            RuntimeError: The module is on the meta device and x is not.
        """
        if role not in ("query", "key"):
            said = checks.describe_value(role)
            raise ValueError(f"role must be 'query' or 'key', got role={said}")
        rotated = super().forward(x, positions)
        exponents = self._read_positions(positions, x).unsqueeze(-1) * self.log_scale
        pairs = (exponents if role == "query" else -exponents).exp()
        interleaved = self.layout == "interleaved"
        factors = pairs.repeat_interleave(2, -1) if interleaved else torch.cat((pairs, pairs), -1)
        if self.seq_axis == -3:
            factors = factors.unsqueeze(-2)
        r = self.rotary_dim
        scaled = (rotated[..., :r] * factors).to(x.dtype)
        return scaled if r == x.shape[-1] else torch.cat((scaled, rotated[..., r:]), -1)
