"""Encodings of scores that depend on the contents, as modules: CoPE and DeBERTa's.

Letters in this module
    H    heads        d_k  channels of a head
    L_q  queries      L_k  keys
"""

from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from posenc.biases.deberta_buckets import deberta_bucket
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


class DebertaBias(WithConstants):
    """What DeBERTa adds to the products of queries and keys: content to position, and back.

    Args:
        max_position: `max_relative_positions` of a config, or where that is below 1 its
            `max_position_embeddings`; at least 1.
        num_buckets: `position_buckets` of a config, as in `posenc.deberta_bucket`; None as
            in version 1, where each offset below `max_position` has a row of its own.

    Attributes:
        buckets: The bucket of each distance, int64; larger distances count as the last.
        n_rows: Rows that `forward` expects for offsets: 2 `num_buckets`, or
            2 `max_position` without buckets.

    Raises:
        TypeError: A size is not an integer.
        ValueError: A size is refused as in `posenc.deberta_bucket`, or `convention` is
            neither.

    Source:
        transformers 5.24.0, `modeling_deberta_v2.py`, which multiplies the key by the row
        of p - q, as the query, with p the position of the query; He et al. 2020,
        arXiv:2006.03654v6, section 3.1, has the row of q - p there. Deviation: none.

    Examples:
        >>> import torch
        >>> from posenc.torch import DebertaBias
        >>> bias = DebertaBias(512, num_buckets=256)
        >>> q, k = torch.randn(2, 12, 7, 64)
        >>> of_offsets = torch.randn(2, 12, bias.n_rows, 64)
        >>> bias(q, k, *of_offsets).shape
        torch.Size([12, 7, 7])
    """

    buckets: Tensor

    def __init__(
        self,
        max_position: int,
        *,
        num_buckets: int | None = None,
        convention: Literal["library", "paper"] = "library",
    ) -> None:
        checks.choice("convention", convention, ("library", "paper"))
        max_position = checks.integer("max_position", max_position, least=1)
        if num_buckets is None:
            half, buckets = max_position, np.arange(max_position + 1)
        else:
            half = num_buckets
            distances = np.arange(max_position + 1)
            buckets = deberta_bucket(distances, num_buckets=num_buckets, max_position=max_position)
        super().__init__(buckets=buckets)
        self.convention = convention
        self.n_rows = 2 * half

    def forward(self, q: Tensor, k: Tensor, relative_q: Tensor, relative_k: Tensor) -> Tensor:
        """Return the bias; add it to the products, and divide the sum by sqrt(3 d_k).

        Args:
            q: Queries of the contents, any floating dtype, shape (..., L_q, d_k).
            k: Keys of the contents, shape (..., L_k, d_k), L_k at least L_q: the queries
                are the last L_q positions.
            relative_q: Queries of the offsets, shape (..., `n_rows`, d_k), with the leading
                axes of `q` or none: the rows of `rel_embeddings` after the projection for
                queries.
            relative_k: Keys of the offsets, in the same form.

        Returns:
            Shape (..., L_q, L_k), dtype of `q`. The query is multiplied by the row of p - q
            in `relative_k`, and the key by the row of p - q, or of q - p in the paper, in
            `relative_q`.

        Raises:
            TypeError: An argument does not hold floats.
            ValueError: Shapes do not fit.
            RuntimeError: The module is on the meta device and `q` is not.
        """
        d_k = q.shape[-1] if isinstance(q, Tensor) and q.ndim > 1 else 1
        named = {"q": q, "k": k, "relative_q": relative_q, "relative_k": relative_k}
        q, k, relative_q, relative_k = (
            inputs.vectors(name, value, d_k) for name, value in named.items()
        )
        if k.shape[:-2] != q.shape[:-2] or k.shape[-2] < q.shape[-2]:
            raise ValueError(
                "k must have the leading axes of q and at least as many positions, got shapes"
                f" {(*k.shape,)} and {(*q.shape,)}"
            )
        for name, rows in (("relative_q", relative_q), ("relative_k", relative_k)):
            if rows.shape[-2] != self.n_rows or rows.shape[:-2] not in ((), q.shape[:-2]):
                raise ValueError(
                    f"{name} must have {self.n_rows} rows and the leading axes of q or none, got"
                    f" shape {(*rows.shape,)}"
                )
        self.refuse_meta(q)
        offset = -key_offsets(q.shape[-2], k.shape[-2], q.device)  # p - q
        bucket = offset.sign() * self.buckets[offset.abs().clamp(max=len(self.buckets) - 1)]
        half = self.n_rows // 2
        ahead = (half + bucket).clamp(0, self.n_rows - 1).expand(*q.shape[:-1], -1)
        toward_key = bucket if self.convention == "library" else -bucket
        back = (half + toward_key).clamp(0, self.n_rows - 1).mT.expand(*k.shape[:-1], -1)
        to_position = (q @ relative_k.mT).gather(-1, ahead)
        from_position = (k @ relative_q.mT).gather(-1, back).mT
        return to_position + from_position

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"n_rows={self.n_rows}, convention={self.convention!r}"
