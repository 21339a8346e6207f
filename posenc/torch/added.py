"""Encodings that are added to embeddings, as modules: sinusoidal and learned.

Letters in this module
    B  sequences in a batch      L  positions in a sequence      d  channels (d_model)
"""

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from posenc.core import checks
from posenc.core.frequencies import inv_freq
from posenc.core.layouts import Layout
from posenc.layers.learned import INITS
from posenc.tables.sinusoidal import sinusoidal_positional_encoding
from posenc.torch import inputs
from posenc.torch.constants import WithConstants


class SinusoidalPositionalEncoding(WithConstants):
    """Embeddings, plus the sines and cosines of their positions.

    Args:
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, as in `posenc.sinusoidal_positional_encoding`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `posenc.inv_freq`.

    Attributes:
        inv_freq: Shape (d/2,), float64 for life. Not in the `state_dict`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `d_model` is odd or below 2, `base` is not above 1, or a name is unknown.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5. Deviations: neither the factor
        √d nor dropout, as in `posenc.SinusoidalPositionalEncoding`. There is no table and no
        greatest length: rows are computed where they are used.

    Examples:
        >>> import torch
        >>> from posenc.torch import SinusoidalPositionalEncoding
        >>> encoder = SinusoidalPositionalEncoding(4).half()
        >>> encoder(torch.zeros(1, 2, 4), torch.tensor([0, 1_000_000]))
        tensor([[[ 0.0000,  1.0000,  0.0000,  1.0000],
                 [-0.3500,  0.9368, -0.3056, -0.9522]]])
    """

    inv_freq: Tensor

    def __init__(
        self,
        d_model: int,
        *,
        base: float = 10000.0,
        layout: Layout = "interleaved",
        exponent: Literal["paper", "tensor2tensor"] = "paper",
    ) -> None:
        super().__init__(inv_freq=inv_freq(d_model, base, exponent=exponent))
        self.d_model = int(d_model)
        self.layout = inputs.layout(layout)

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return x with the encoding of its position added to every vector.

        Args:
            x: Embeddings, any floating dtype, shape (..., L, d_model).
            positions: Integers, float32 or float64, on the device of x: shape (L,), or
                (B, L) with B the first axis of x. None: 0..L-1.

        Returns:
            Shape, dtype and device of x. Sines and cosines are computed in float64; the sum
            is one of float32 that is rounded to the dtype of x, or one of float64.

        Raises:
            TypeError: `x` does not hold floats, or `positions` holds float16, bfloat16 or
                no real numbers.
            ValueError: `x` has not d_model channels, or `positions` does not fit.
            RuntimeError: The module is on the meta device and x is not.
        """
        x = inputs.vectors("x", x, self.d_model)
        self.refuse_meta(x)
        p = inputs.positions("positions", positions, x, (*x.shape[:-1],))
        angles = p.unsqueeze(-1) * self.inv_freq  # (..., L, d/2), float64
        waves = (angles.sin(), angles.cos())
        interleaved = self.layout == "interleaved"
        rows = torch.stack(waves, -1).flatten(-2) if interleaved else torch.cat(waves, -1)
        dtype = inputs.wide(x)
        return (x.to(dtype) + rows.to(dtype)).to(x.dtype)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"{self.d_model}, layout={self.layout!r}"


class LearnedPositionalEncoding(WithConstants):
    """A table of parameters with a row for each position, added to every sequence.

    Args:
        max_seq_len: Positions in the table, at least 1.
        d_model: Channels d, at least 1; odd d is refused for `"sinusoidal"`.
        init: `"normal"`: independent entries with mean 0 and standard deviation `std`,
            drawn by PyTorch's generator. `"sinusoidal"`: the table of
            `posenc.sinusoidal_positional_encoding`.
        std: Standard deviation of the entries, at least 0; used by `"normal"` alone.

    Attributes:
        weight: The table, a parameter of shape (max_seq_len, d_model): the name that
            `nn.Embedding` has for it, so that its checkpoints fit.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A size is below 1, `d_model` is odd and `init` is `"sinusoidal"`, `std`
            is negative or not finite, or `init` is unknown.

    Source:
        Gehring et al. 2017, arXiv:1705.03122, section 3.1; the standard deviation is that
        of BERT. Deviation: none of `posenc.LearnedPositionalEncoding`.

    Examples:
        >>> import torch
        >>> from posenc.torch import LearnedPositionalEncoding
        >>> encoder = LearnedPositionalEncoding(512, 4, init="sinusoidal")
        >>> encoder(torch.zeros(1, 2, 4), torch.tensor([1, 511]))[0, 0]
        tensor([0.8415, 0.5403, 0.0100, 0.9999], grad_fn=<SelectBackward0>)
    """

    def __init__(
        self,
        max_seq_len: int,
        d_model: int,
        *,
        init: Literal["normal", "sinusoidal"] = "normal",
        std: float = 0.02,
    ) -> None:
        max_seq_len = checks.integer("max_seq_len", max_seq_len, least=1)
        checks.choice("init", init, INITS)
        if init == "sinusoidal":
            d_model = checks.even("d_model", d_model)
        d_model = checks.integer("d_model", d_model, least=1)
        super().__init__()
        self.init = init
        self.std = checks.at_least_zero("std", std)
        self.weight = nn.Parameter(torch.empty(max_seq_len, d_model))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table again, as PyTorch's own modules do it under this name."""
        if self.init == "normal":
            nn.init.normal_(self.weight, std=self.std)
            return
        table = sinusoidal_positional_encoding(*self.weight.shape)
        with torch.no_grad():
            self.weight.copy_(torch.from_numpy(table))

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return x with the row of its position added to every vector.

        Args:
            x: Embeddings, any floating dtype, shape (..., L, d_model); L is at most
                max_seq_len where `positions` is None.
            positions: Integers from 0 to max_seq_len - 1, on the device of x: shape (L,),
                or (B, L) with B the first axis of x. None: 0..L-1.

        Returns:
            Shape, dtype and device of x: the sum in the widest of float32 and the dtypes of
            x and the table, rounded once.

        Raises:
            TypeError: `x` does not hold floats, or `positions` no integers.
            ValueError: `x` has not d_model channels or too many positions, or `positions`
                does not fit.
            IndexError: A position is not in the table; from PyTorch, on a CPU. On a GPU
                that is an assertion of the device.
            RuntimeError: The module is on the meta device and x is not.
        """
        max_seq_len, d_model = self.weight.shape
        x = inputs.vectors("x", x, d_model)
        self.refuse_meta(x)
        if positions is None:
            if x.shape[-2] > max_seq_len:
                raise ValueError(
                    f"x must have at most max_seq_len={max_seq_len} positions,"
                    f" got shape {(*x.shape,)}"
                )
            rows = self.weight[: x.shape[-2]]
        else:
            if isinstance(positions, Tensor) and positions.is_floating_point():
                raise TypeError(f"positions must hold integers, got dtype {positions.dtype}")
            p = inputs.positions("positions", positions, x, (*x.shape[:-1],))
            rows = functional.embedding(p.long(), self.weight)
        dtype = torch.promote_types(inputs.wide(x), inputs.wide(rows))
        return (x.to(dtype) + rows.to(dtype)).to(x.dtype)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return ", ".join(map(str, self.weight.shape))
