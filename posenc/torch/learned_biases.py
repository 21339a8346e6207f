"""Learned biases of a distance, as modules: KERPLE, FIRE, and the windows of Swin.

Letters in this module
    H    heads        p, q  positions of a query and of a key
    L_q  queries      L_k   keys
"""

import math

import torch
from torch import Tensor, nn

from posenc.biases.alibi import FORMS, Form
from posenc.biases.kerple import KINDS, Kind
from posenc.biases.swin import window_index
from posenc.core import checks
from posenc.torch import inputs
from posenc.torch.biases import key_offsets
from posenc.torch.constants import WithConstants

LEAST = 1e-2  # that r1 and r2 of KERPLE and c of FIRE keep, as in the authors' code of KERPLE


class KerpleBias(WithConstants):
    """What KERPLE adds to the scores of each head: a learned logarithm or power of the distance.

    Args:
        n_heads: Heads H, at least 1.
        kind: `"log"` for -r1 * log(1 + r2 * n), `"power"` for -r1 * n**r2.
        form: `"causal"` hides later keys; `"symmetric"` shows them, as in
            `posenc.kerple_bias`.

    Attributes:
        r1: How much the bias falls, a parameter of shape (H,), drawn from 0 to 2.
        r2: How fast, a parameter of shape (H,), drawn from 0 to 1 for `"log"` and from 0 to
            2 for `"power"`. Where training moves one of them below 0.01, or a power above
            2, `forward` uses that bound.

    Raises:
        TypeError: `n_heads` is not an integer, or a name is not a string.
        ValueError: `n_heads` is below 1, or a name is unknown.

    Source:
        Chi et al. 2022, arXiv:2205.09921v2, section 4. Deviation: the symmetric form; the
        paper does not give the initial values.

    Examples:
        >>> import torch
        >>> from posenc.torch import KerpleBias
        >>> bias = KerpleBias(1)
        >>> with torch.no_grad():
        ...     _ = bias.r1.fill_(1), bias.r2.fill_(1)
        >>> bias(1, 4).detach()
        tensor([[[-1.3863, -1.0986, -0.6931, -0.0000]]])
    """

    def __init__(self, n_heads: int, *, kind: Kind = "log", form: Form = "causal") -> None:
        n_heads = checks.integer("n_heads", n_heads, least=1)
        super().__init__()
        self.kind = checks.choice("kind", kind, KINDS)
        self.form = checks.choice("form", form, FORMS)
        self.r1 = nn.Parameter(torch.empty(n_heads))
        self.r2 = nn.Parameter(torch.empty(n_heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw both parameters again."""
        nn.init.uniform_(self.r1, LEAST, 2)
        nn.init.uniform_(self.r2, LEAST, 1 if self.kind == "log" else 2)

    def forward(self, q_len: int, k_len: int | None = None) -> Tensor:
        """Return the bias, for `attn_mask` of `scaled_dot_product_attention`.

        Args:
            q_len: Queries L_q, at least 0: the last L_q of the L_k positions.
            k_len: Keys L_k, at least `q_len`; None for as many as queries.

        Returns:
            Shape (H, L_q, L_k), dtype and device of the parameters; in the causal form -inf
            where q > p. Computed in float32, or in float64 for parameters in float64.

        Raises:
            TypeError: A length is not an integer.
            ValueError: `q_len` is negative, or `k_len` below `q_len`.
        """
        k = key_offsets(*inputs.lengths(q_len, k_len), self.r1.device)
        dtype = inputs.wide(self.r1)
        r1, r2 = (r.to(dtype).clamp(min=LEAST)[:, None, None] for r in (self.r1, self.r2))
        n = k.abs().to(dtype)
        if self.kind == "log":
            fall = torch.log1p(r2 * n)
        else:
            near = n.clamp(min=1)  # the gradient of 0**r2 is not finite
            fall = torch.where(n > 0, near ** r2.clamp(max=2), torch.zeros_like(n))
        bias = -r1 * fall
        if self.form == "causal":
            bias = bias.masked_fill(k > 0, -math.inf)
        return bias.to(self.r1.dtype)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"{len(self.r1)}, kind={self.kind!r}, form={self.form!r}"


class FireBias(WithConstants):
    """What FIRE adds to the scores of each head: a small network of the relative distance.

    Args:
        n_heads: Heads H, at least 1.
        hidden: Width of the network, at least 1; 32 in the paper.
        c: Initial value of the parameter in the logarithm, above 0.
        threshold: Initial value of the threshold in positions, above 0.

    Attributes:
        mlp: The network: `nn.Linear(1, hidden)`, ReLU, `nn.Linear(hidden, H)`.
        c: A parameter, a scalar; `forward` uses its size, at least 1e-4.
        threshold: A parameter, a scalar; `forward` uses its size, at least 1.

    Raises:
        TypeError: A size is not an integer, or `c` or `threshold` not a real number.
        ValueError: A size is below 1, or `c` or `threshold` not above 0.

    Source:
        Li et al. 2023, arXiv:2310.04418v2, as FIRE. Deviation: positions are counted from 0,
        as in `posenc.fire_bias`, and later keys get -inf.

    Examples:
        >>> from posenc.torch import FireBias
        >>> FireBias(8)(2, 5).shape
        torch.Size([8, 2, 5])
    """

    def __init__(
        self, n_heads: int, *, hidden: int = 32, c: float = 0.1, threshold: float = 512.0
    ) -> None:
        n_heads = checks.integer("n_heads", n_heads, least=1)
        hidden = checks.integer("hidden", hidden, least=1)
        self_c, start = checks.above_zero("c", c), checks.above_zero("threshold", threshold)
        super().__init__()
        self._initial = self_c, start
        self.mlp = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, n_heads))
        self.c = nn.Parameter(torch.tensor(self_c))
        self.threshold = nn.Parameter(torch.tensor(start))

    def reset_parameters(self) -> None:
        """Give c and the threshold their initial values, and draw the network again."""
        with torch.no_grad():
            self.c.fill_(self._initial[0])
            self.threshold.fill_(self._initial[1])
        for layer in (self.mlp[0], self.mlp[2]):
            layer.reset_parameters()

    def forward(self, q_len: int, k_len: int | None = None) -> Tensor:
        """Return the bias, for `attn_mask` of `scaled_dot_product_attention`.

        Args:
            q_len: Queries L_q, at least 0: the last L_q of the L_k positions.
            k_len: Keys L_k, at least `q_len`; None for as many as queries.

        Returns:
            Shape (H, L_q, L_k), dtype and device of the network; -inf where q > p. The
            relative distance is computed in float32 at least.

        Raises:
            TypeError: A length is not an integer.
            ValueError: `q_len` is negative, or `k_len` below `q_len`.
        """
        k = key_offsets(*inputs.lengths(q_len, k_len), self.c.device)
        dtype = inputs.wide(self.c)
        c = self.c.to(dtype).abs().clamp(min=1e-4)
        threshold = self.threshold.to(dtype).abs().clamp(min=1)
        p = -k[:, :1].to(dtype)  # key 0 is p positions before its query
        n = (-k).clamp(min=0).to(dtype)
        z = torch.log1p(c * n) / torch.log1p(c * torch.maximum(p, threshold))
        rows: Tensor = self.mlp(z.to(self.c.dtype).unsqueeze(-1))  # (L_q, L_k, H)
        return rows.permute(2, 0, 1).masked_fill(k > 0, -math.inf)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"c={self._initial[0]}, threshold={self._initial[1]}"


class SwinBias(WithConstants):
    """What Swin adds to the scores within a window: a learned number for each offset.

    Args:
        n_heads: Heads H, at least 1.
        height: Rows of patches in a window, at least 1.
        width: Columns of patches, at least 1; None for a square window.

    Attributes:
        relative_position_bias_table: A parameter of shape
            ((2 height - 1) * (2 width - 1), H), the name in checkpoints. Drawn with the
            standard deviation 0.02.
        relative_position_index: `posenc.window_index(height, width)`, int64.

    Raises:
        TypeError: A size is not an integer.
        ValueError: A size is below 1.

    Source:
        Liu et al. 2021, arXiv:2103.14030v2, section 3.2. Deviation: none.

    Examples:
        >>> from posenc.torch import SwinBias
        >>> SwinBias(4, 7)().shape
        torch.Size([4, 49, 49])
    """

    relative_position_index: Tensor

    def __init__(self, n_heads: int, height: int, width: int | None = None) -> None:
        n_heads = checks.integer("n_heads", n_heads, least=1)
        width = height if width is None else width
        super().__init__(relative_position_index=window_index(height, width))
        self.window = int(height), int(width)
        rows = (2 * self.window[0] - 1) * (2 * self.window[1] - 1)
        self.relative_position_bias_table = nn.Parameter(torch.empty(rows, n_heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table again, and write the index again."""
        super().reset_parameters()
        nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def forward(self) -> Tensor:
        """Return the bias of a window, patches row by row.

        Returns:
            Shape (H, N, N) with N = height * width, dtype and device of the table.
        """
        rows = self.relative_position_bias_table[self.relative_position_index]
        return rows.permute(2, 0, 1)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"{self.relative_position_bias_table.shape[1]}, window={self.window}"
