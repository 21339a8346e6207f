"""Embedding layer: from token ids to vectors with a positional encoding.

Letters in this module
    B  sequences in a batch      L  positions in a sequence      d  channels (d_model)
    N  tokens in the vocabulary (vocab_size)
"""

from __future__ import annotations  # so that an import does not load numpy.random

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.frequencies import Exponent
from posenc.core.layouts import Layout
from posenc.core.memory import check_memory
from posenc.layers.parameter_table import TrainedTable, round_parameters
from posenc.layers.sinusoidal import SinusoidalPositionalEncoding


class PositionalEmbedding:
    """A trainable table of tokens plus a fixed table of positions: the first layer of a model.

    Args:
        vocab_size: Tokens N in the vocabulary, at least 1; their numbers are 0..N-1.
        max_seq_len: Positions in the table, at least 1: the longest sequence L.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.
        scale: Factor of the token vectors before the sum; positions aren't scaled.
            Finite, above 0. The paper has sqrt(d), which is too large with `std=1`.
        std: Standard deviation of the token table at the start, finite, at least 0.
        dropout: Probability, from 0 to below 1, that an entry of the sum is set to 0
            in training; those that stay are divided by 1 - dropout.
        padding_id: A token whose row starts at 0 and gets no gradient, or None. Its
            vectors are not 0, since positions are added; hide them with a mask.
        rng: Generator that draws the token table; None seeds a new one at random.
        dtype: float64, float32 or float16: of both tables, the gradient, and what
            `forward` returns. Entries are drawn in float64 and rounded once.

    Attributes:
        vocab_size: As given, an int. So are `max_seq_len`, `d_model`, `padding_id`.
        scale: As given, a float. So is `dropout`.
        embedding: The token table, (N, d), to be trained: write to it. An
            assignment copies the values into the same array.
        grad_embedding: Gradient of the loss by the token table, (N, d); zeros before the
            first `backward`. Each `backward` and each assignment makes a new array.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is out of its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, sections 3.4 (scale), 3.5 (sum) and 5.4
        (dropout after it). Deviations: the scale is 1 by default, and the table
        is not shared with the last layer. `std=1` and `padding_id` are as in PyTorch's
        `torch.nn.Embedding`; the division in training is that of Srivastava et al.
        2014, section 10, whose main text multiplies the weights at test time instead.

    Examples:
        >>> from posenc import PositionalEmbedding
        >>> layer = PositionalEmbedding(vocab_size=10, max_seq_len=20, d_model=4)
        >>> layer.embedding[7] = [1.0, 2.0, 3.0, 4.0]
        >>> layer.forward([[7, 7]]).round(4)
        array([[[1.    , 3.    , 3.    , 5.    ],
                [1.8415, 2.5403, 3.01  , 5.    ]]])
    """

    @np.errstate(over="ignore", under="ignore")  # what overflows is refused
    def __init__(
        self,
        vocab_size: int,
        max_seq_len: int,
        d_model: int,
        *,
        base: float = 10000.0,
        layout: Layout = "interleaved",
        exponent: Exponent = "paper",
        inv_freq: ArrayLike | None = None,
        scale: float = 1.0,
        std: float = 1.0,
        dropout: float = 0.0,
        padding_id: int | None = None,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.vocab_size = checks.integer("vocab_size", vocab_size, least=1)
        self.max_seq_len = checks.integer("max_seq_len", max_seq_len, least=1)
        check_memory("the table", self.vocab_size, checks.even("d_model", d_model))
        self.scale = checks.real("scale", scale)
        if not self.scale > 0:
            raise ValueError(f"scale must be above 0, got {scale=}")
        std = checks.at_least_zero("std", std)
        self.dropout = checks.real("dropout", dropout)
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, got {dropout=}")
        self.padding_id = padding_id
        if padding_id is not None:
            self.padding_id = checks.integer("padding_id", padding_id, least=0)
            if self.padding_id >= self.vocab_size:
                raise ValueError(
                    f"padding_id must be below vocab_size={self.vocab_size},"
                    f" got padding_id={checks.describe_value(self.padding_id)}"
                )
        rng = checks.generator("rng", rng)
        self._encoder = SinusoidalPositionalEncoding(
            self.max_seq_len,
            d_model,
            base=base,
            layout=layout,
            exponent=exponent,
            inv_freq=inv_freq,
            dtype=dtype,
        )
        self.d_model = self._encoder.d_model
        # --8<-- [start:tables]
        table = std * rng.standard_normal((self.vocab_size, self.d_model))  # (N, d)
        # --8<-- [end:tables]
        if self.padding_id is not None:
            table[self.padding_id] = 0
        self._table = TrainedTable(round_parameters(table, std, self.pe.dtype))
        # What the next backward needs: the ids, and which entries dropout has kept.
        self._cache: tuple[NDArray[np.intp], NDArray[np.bool_] | None] | None = None

    @property
    def pe(self) -> NDArray[Any]:
        """The whole table of positions, (max_seq_len, d_model), read-only: it is not trained."""
        return self._encoder.pe

    @property
    def embedding(self) -> NDArray[Any]:
        """The token table, (vocab_size, d_model); it can be assigned."""
        return self._table.embedding

    @embedding.setter
    def embedding(self, value: ArrayLike) -> None:
        self._table.embedding = value

    @property
    def grad_embedding(self) -> NDArray[Any]:
        """The gradient of the token table, (vocab_size, d_model)."""
        return self._table.grad_embedding

    @grad_embedding.setter
    def grad_embedding(self, value: ArrayLike) -> None:
        self._table.grad_embedding = value

    def forward(
        self,
        token_ids: ArrayLike,
        *,
        training: bool = False,
        rng: np.random.Generator | None = None,
    ) -> NDArray[Any]:
        """Return the vector of each token plus the encoding of its position.

        Args:
            token_ids: Integers in 0..vocab_size-1, shape (B, L), or (L,) for one
                sequence; L at most `max_seq_len`. B and L may be 0.
            training: Whether to drop entries, each with the probability `dropout`.
            rng: Generator that draws the dropped entries; None seeds a new one at random. Only
                used in training.

        Returns:
            Shape (B, L, d_model) or (L, d_model), a new array of the tables' dtype:
            scale · embedding[token_ids] + pe[:L], and dropout after the sum, in float64
            and rounded once.

        Raises:
            TypeError: `token_ids` does not hold integers, `training` is not a bool, or
                `rng` is not a generator.
            ValueError: `token_ids` does not have 1 or 2 axes, has more than `max_seq_len`
                positions, or an id out of range; negative ids don't count from the end.
        """
        self._cache = None  # ids that are refused leave nothing to go back from
        ids = self._tokens(token_ids)
        training = checks.boolean("training", training)
        rng = checks.generator("rng", rng)
        # --8<-- [start:sum]
        # --8<-- [start:scaled]
        rows = self.embedding[ids].astype(np.float64)  # (..., L, d): a row for each token
        embedded = self.scale * rows
        # --8<-- [end:scaled]
        total: NDArray[Any] = embedded + self.pe[: ids.shape[-1]]  # (..., L, d) + (L, d)
        # --8<-- [end:sum]
        keep = None
        if training and self.dropout > 0:
            # --8<-- [start:dropout]
            keep = rng.random(total.shape) >= self.dropout  # one draw an entry
            total = np.where(keep, total / (1 - self.dropout), 0)
            # --8<-- [end:dropout]
        self._cache = ids, keep
        return total.astype(self.embedding.dtype, copy=False)

    def backward(self, grad_output: ArrayLike, *, accumulate: bool = False) -> None:
        """Set the gradient of the token table.

        Each call belongs to the latest `forward`, so the next one needs another `forward`. The
        gradient of a token is the sum over its occurrences. Dropped entries contribute 0,
        the others are divided by 1 - dropout; the row of `padding_id` stays 0. Nothing is
        returned, since token ids have no gradient.

        Args:
            grad_output: Gradient of the loss by the result of `forward`, of the same
                shape, float.
            accumulate: Whether to add to `grad_embedding` instead of replacing it, for a
                batch that is split into several.

        Raises:
            TypeError: `grad_output` does not hold floats, or `accumulate` is not a bool.
            RuntimeError: There was no `forward` since the last `backward`, or its tokens
                were refused.
            ValueError: `grad_output` does not have the shape of the result of `forward`.
        """
        grad = checks.floats("grad_output", grad_output).astype(np.float64, copy=False)
        accumulate = checks.boolean("accumulate", accumulate)
        if self._cache is None:
            raise RuntimeError("backward must follow a forward pass, one for each call")
        ids, keep = self._cache
        if grad.shape != (*ids.shape, self.d_model):
            raise ValueError(
                f"grad_output must have the shape {(*ids.shape, self.d_model)} of the latest "
                f"forward, got shape {grad.shape}"
            )
        # --8<-- [start:backward]
        if keep is not None:
            grad = np.where(keep, grad / (1 - self.dropout), 0)
        gradient = np.zeros(self.embedding.shape)  # (N, d)
        np.add.at(gradient, ids, self.scale * grad)  # += would count a repeated token once
        if self.padding_id is not None:
            gradient[self.padding_id] = 0
        # --8<-- [end:backward]
        self._table.collect(gradient, accumulate=accumulate)
        self._cache = None

    def zero_grad(self) -> None:
        """Set the gradient to 0, before the first part of a split batch."""
        self._table.zero_grad()

    def _tokens(self, value: ArrayLike) -> NDArray[np.intp]:
        """Return a copy of value, which must hold token ids of one or more sequences."""
        ids = checks.integers("token_ids", value)
        if ids.ndim not in (1, 2):
            raise ValueError(f"token_ids must have shape (B, L) or (L,), got shape {ids.shape}")
        if ids.shape[-1] > self.max_seq_len:
            raise ValueError(
                f"token_ids must have at most max_seq_len={self.max_seq_len} positions, "
                f"got L={ids.shape[-1]}"
            )
        # As Python's own numbers, which short integers are compared with safely.
        for extreme in (ids.max(initial=0).item(), ids.min(initial=0).item()):
            if not 0 <= extreme < self.vocab_size:
                raise ValueError(
                    f"token_ids must lie within 0..{self.vocab_size - 1}, got {extreme}"
                )
        return ids.astype(np.intp)
