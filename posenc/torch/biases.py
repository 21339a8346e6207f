"""Biases that are added to the scores of attention, as modules: ALiBi and T5's.

Letters in this module
    H    heads        p, q  positions of a query and of a key
    L_q  queries      L_k   keys
"""

import math

import torch
from torch import Tensor, nn

from posenc.biases.alibi import FORMS, Form, alibi_slopes
from posenc.biases.t5 import bucket_starts, relative_position_bucket
from posenc.core import checks
from posenc.torch import inputs
from posenc.torch.constants import WithConstants


class AlibiBias(WithConstants):
    """What ALiBi adds to the scores of each head.

    Args:
        n_heads: Heads H, at least 1; any number, not only powers of two.
        form: `"causal"` hides later keys; `"symmetric"` shows them, as in
            `posenc.alibi_bias`.
        bias_max: Exponent of the flattest slope, as in `posenc.alibi_slopes`.

    Attributes:
        slopes: Shape (H,), float64 for life. Not in the `state_dict`.

    Raises:
        TypeError: `n_heads` is not an integer, `form` is not a string, or `bias_max` not a
            real number.
        ValueError: `n_heads` is below 1, `form` is unknown, or `bias_max` is refused as in
            `posenc.alibi_slopes`.

    Source:
        Press et al. 2021, arXiv:2108.12409v2, section 3. Deviations: those of
        `posenc.alibi_bias`.

    Examples:
        >>> from posenc.torch import AlibiBias
        >>> AlibiBias(8).bfloat16()(2, 3)[0]
        tensor([[-0.5000,  0.0000,    -inf],
                [-1.0000, -0.5000,  0.0000]])
    """

    slopes: Tensor

    def __init__(self, n_heads: int, *, form: Form = "causal", bias_max: float = 8.0) -> None:
        super().__init__(slopes=alibi_slopes(n_heads, bias_max=bias_max))
        self.form = checks.choice("form", form, FORMS)

    def forward(
        self, q_len: int, k_len: int | None = None, *, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        """Return the bias, for `attn_mask` of `scaled_dot_product_attention`.

        Args:
            q_len: Queries L_q, at least 0: the last L_q of the L_k positions.
            k_len: Keys L_k, at least `q_len`; None for as many as queries.
            dtype: Of the bias: that of the queries, where it is an `attn_mask`.

        Returns:
            Shape (H, L_q, L_k), on the device of the module. Computed in float64 and
            rounded once: entry [h, r, q] is -m_h * |p - q| with p = r + L_k - L_q; in the
            causal form -inf where q > p, so that no further mask is needed.

        Raises:
            TypeError: A length is not an integer, or `dtype` is not a floating dtype.
            ValueError: `q_len` is negative, or `k_len` below `q_len`.
        """
        k = key_offsets(*inputs.lengths(q_len, k_len), self.slopes.device)
        bias = self.slopes[:, None, None] * -k.abs()  # float64
        if self.form == "causal":
            bias = bias.masked_fill(k > 0, -math.inf)
        return bias.to(inputs.float_dtype(dtype))

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"{len(self.slopes)}, form={self.form!r}"


class T5Bias(WithConstants):
    """What T5 adds to the scores of each head: a learned number for each bucket of offsets.

    Args:
        n_heads: Heads H, at least 1.
        num_buckets: Rows of the table, as in `posenc.relative_position_bucket`.
        max_distance: In positions, as there.
        bidirectional: True for encoders, False for decoders, as there. False hides nothing,
            so use it with a causal mask.

    Attributes:
        relative_attention_bias: An `nn.Embedding` whose weight has shape (num_buckets, H):
            the name in checkpoints of transformers. Drawn with the standard deviation of
            `nn.Embedding`, 1; T5 draws with the initializer_factor of its config times
            `d_model**-0.5`.
        starts: Where each bucket of one direction but the first begins, int64.

    Raises:
        TypeError: A size is not an integer, or `bidirectional` is not a bool.
        ValueError: A size is refused as in `posenc.relative_position_bucket`.

    Source:
        Raffel et al. 2019, arXiv:1910.10683v4, section 2.1. Deviation: buckets are found by
        whole numbers instead of logarithms in float32, as in
        `posenc.relative_position_bucket`.

    Examples:
        >>> import torch
        >>> from posenc.torch import T5Bias
        >>> bias = T5Bias(1)
        >>> with torch.no_grad():
        ...     _ = bias.relative_attention_bias.weight.copy_(torch.arange(32.0)[:, None])
        >>> bias(3)[0].detach()
        tensor([[ 0., 17., 18.],
                [ 1.,  0., 17.],
                [ 2.,  1.,  0.]])
    """

    starts: Tensor

    def __init__(
        self,
        n_heads: int,
        *,
        num_buckets: int = 32,
        max_distance: int = 128,
        bidirectional: bool = True,
    ) -> None:
        n_heads = checks.integer("n_heads", n_heads, least=1)
        relative_position_bucket(  # refuses what is wrong
            0, bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance
        )
        directed = num_buckets // 2 if bidirectional else num_buckets
        super().__init__(starts=bucket_starts(directed, max_distance))
        self.bidirectional = bidirectional
        self.relative_attention_bias = nn.Embedding(num_buckets, n_heads)

    def reset_parameters(self) -> None:
        """Draw the table again, and write the constants again."""
        super().reset_parameters()
        self.relative_attention_bias.reset_parameters()

    def forward(self, q_len: int, k_len: int | None = None) -> Tensor:
        """Return the bias; add it to scores that are not divided by sqrt(d_k), if T5's.

        Args:
            q_len: Queries L_q, at least 0: the last L_q of the L_k positions.
            k_len: Keys L_k, at least `q_len`; None for as many as queries.

        Returns:
            Shape (H, L_q, L_k), dtype and device of the table: entry [h, r, q] is that of
            the bucket of q - p and of head h, with p = r + L_k - L_q. No number is changed.

        Raises:
            TypeError: A length is not an integer.
            ValueError: `q_len` is negative, or `k_len` below `q_len`.
        """
        k = key_offsets(*inputs.lengths(q_len, k_len), self.starts.device)
        distance = k.abs() if self.bidirectional else (-k).clamp(min=0)
        bucket = torch.bucketize(distance, self.starts, right=True)
        if self.bidirectional:
            bucket = bucket + (k > 0) * (len(self.starts) + 1)
        rows: Tensor = self.relative_attention_bias(bucket)  # (L_q, L_k, H)
        return rows.permute(2, 0, 1)

    def extra_repr(self) -> str:
        """Return what PyTorch prints of this module."""
        return f"bidirectional={self.bidirectional}"


def key_offsets(q_len: int, k_len: int, device: torch.device) -> Tensor:
    """Return q - p, key minus query, for the last q_len of k_len positions as queries."""
    q = torch.arange(k_len, device=device)
    return q - q[k_len - q_len :, None]  # (L_q, L_k)
