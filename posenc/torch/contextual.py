"""Encodings of scores that depend on the contents, as modules: CoPE and DeBERTa's.

Letters in this module
    H    heads        d_k  channels of a head
    L_q  queries      L_k  keys
"""

import torch
from torch import Tensor, nn

from posenc.core import checks
from posenc.torch import inputs
from posenc.torch.biases import key_offsets
from posenc.torch.constants import WithConstants


class CopeBias(WithConstants):
    """What CoPE adds to the scores: the product of each query with a contextual position.

    Args:
        head_dim: Channels d_k of a head, at least 1.
        max_pos: Rows of the table, at least 1: positions 0 to max_pos - 1. Larger ones
            count as the last.

    Attributes:
        pos_emb: A parameter of shape (max_pos, d_k), zeros at first, shared by all heads:
            the name and the shape in x-transformers.

    Raises:
        TypeError: A size is not an integer.
        ValueError: A size is below 1.

    Source:
        Golovneva et al. 2024, arXiv:2405.18719v2, section 4. Deviation: none.

    Examples:
        >>> import torch
        >>> from posenc.torch import CopeBias
        >>> bias = CopeBias(16, 64)
        >>> q, k = torch.randn(2, 1, 8, 5, 16)
        >>> bias(q, q @ k.mT).shape
        torch.Size([1, 8, 5, 5])
    """

    def __init__(self, head_dim: int, max_pos: int) -> None:
        head_dim = checks.integer("head_dim", head_dim, least=1)
        max_pos = checks.integer("max_pos", max_pos, least=1)
        super().__init__()
        self.pos_emb = nn.Parameter(torch.zeros(max_pos, head_dim))

    def reset_parameters(self) -> None:
        """Set the table to zeros."""
        nn.init.zeros_(self.pos_emb)

    def forward(self, q: Tensor, products: Tensor) -> Tensor:
        """Return the bias; add it to the products before they are divided by sqrt(d_k).

        Args:
            q: Queries, any floating dtype, shape (..., L_q, d_k).
            products: Products of queries and keys, shape (..., L_q, L_k), L_k at least L_q:
                the queries are the last L_q positions. Later keys are left out here, and
                need a causal mask in the scores.

        Returns:
            Shape of `products`, dtype of `q`. Gates are summed in float32 at least.

        Raises:
            TypeError: An argument does not hold floats.
            ValueError: Shapes do not fit.
            RuntimeError: The module is on the meta device and `q` is not.
        """
        n = self.pos_emb.shape[0] - 1
        q = inputs.vectors("q", q, self.pos_emb.shape[1])
        logits = inputs.tensor("products", products)
        q_len, k_len = q.shape[-2], logits.shape[-1] if logits.ndim else 0
        if logits.shape[:-1] != q.shape[:-1] or k_len < q_len:
            raise ValueError(
                "products must have the axes of q and at least as many keys as queries, got"
                f" shapes {(*logits.shape,)} and {(*q.shape,)}"
            )
        self.refuse_meta(q)
        dtype = inputs.wide(q)
        later = key_offsets(q_len, k_len, q.device) > 0
        gates = logits.to(dtype).sigmoid().masked_fill(later, 0)
        places = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=n)
        below = places.detach().floor().long()
        part = places - below
        # A product and a sum, no matmul: autocast would round that to half precision.
        whole = (q.to(dtype).unsqueeze(-2) * self.pos_emb.to(dtype)).sum(-1)
        lower, upper = whole.gather(-1, below), whole.gather(-1, (below + 1).clamp(max=n))
        return ((1 - part) * lower + part * upper).to(q.dtype)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"{self.pos_emb.shape[1]}, max_pos={self.pos_emb.shape[0]}"
