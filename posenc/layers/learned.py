"""The learned encoding as a layer: a table of parameters, its sum with a batch, its gradient.

Letters in this module
    B  sequences in a batch      L  positions in a sequence      d  channels (d_model)
"""

from __future__ import annotations  # so that an import does not load numpy.random

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.layers.parameter_table import TrainedTable, round_parameters
from posenc.tables.sinusoidal import sinusoidal_positional_encoding

Init = Literal["normal", "sinusoidal"]
INITS: tuple[Init, ...] = get_args(Init)


class LearnedPositionalEncoding:
    """A table of parameters with a row for each position, added to every sequence.

    Args:
        max_seq_len: Positions in the table, at least 1.
        d_model: Channels d, at least 1; even for `"sinusoidal"`.
        init: `"normal"`: independent entries with mean 0 and standard deviation `std`.
            `"sinusoidal"`: a copy of `sinusoidal_positional_encoding`.
        std: Standard deviation (not variance) of the entries, dimensionless, at least
            0; used only by `"normal"`.
        rng: Generator that draws the entries; None for a new one with fresh entropy.
            NumPy's global state is neither read nor changed.
        dtype: float64, float32 or float16: the dtype of table and gradient. Entries
            are drawn in float64 and rounded once.

    Attributes:
        max_seq_len: As given, an int.
        d_model: As given, an int.
        embedding: The table, (max_seq_len, d_model). Write to it: an optimiser
            updates it in place. It is always the same array: an assignment copies
            the values into it, rounded to its dtype.
        grad_embedding: Gradient of the loss by the table, same shape and dtype; zeros
            before the first `backward`. Each `backward` and each assignment makes a new
            array, so earlier ones don't change.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `max_seq_len` or `d_model` is below 1, `d_model` is odd and `init`
            is `"sinusoidal"`, `std` is negative or not finite, or `init` or `dtype`
            is unknown.

    Source:
        Gehring et al. 2017, arXiv:1705.03122, section 3.1: learned vectors of absolute
        positions, added to the embeddings; Vaswani et al. 2017, arXiv:1706.03762v7,
        section 3.5, which compares them with sinusoids. The standard deviation 0.02
        is that of BERT (Devlin et al. 2018, arXiv:1810.04805, its released code).
        Deviations: BERT cuts the normal distribution off at two standard deviations;
        neither scaling nor dropout, as in `SinusoidalPositionalEncoding`.

    Examples:
        >>> import numpy as np
        >>> from posenc import LearnedPositionalEncoding
        >>> encoder = LearnedPositionalEncoding(3, 2, rng=np.random.default_rng(0))
        >>> encoder.embedding.round(4)
        array([[ 0.0025, -0.0026],
               [ 0.0128,  0.0021],
               [-0.0107,  0.0072]])
        >>> encoder.forward(np.ones((4, 2, 2)))[3].round(4)
        array([[1.0025, 0.9974],
               [1.0128, 1.0021]])
        >>> _ = encoder.backward(np.ones((4, 2, 2)))
        >>> encoder.grad_embedding
        array([[4., 4.],
               [4., 4.],
               [0., 0.]])
        >>> encoder.embedding -= 0.01 * encoder.grad_embedding
    """

    @np.errstate(over="ignore", under="ignore")  # what overflows is refused
    def __init__(
        self,
        max_seq_len: int,
        d_model: int,
        *,
        init: Init = "normal",
        std: float = 0.02,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.max_seq_len = checks.integer("max_seq_len", max_seq_len, least=1)
        init = checks.choice("init", init, INITS)
        self.d_model = checks.integer("d_model", d_model, least=1)
        check_memory("the table", self.max_seq_len, self.d_model)
        std = checks.at_least_zero("std", std)
        rng = checks.generator("rng", rng)
        dtype = checks.float_dtype("dtype", dtype)
        # --8<-- [start:init]
        if init == "sinusoidal":  # refuses an odd width
            table = sinusoidal_positional_encoding(self.max_seq_len, self.d_model)
        else:
            table = std * rng.standard_normal((self.max_seq_len, self.d_model))
        # --8<-- [end:init]
        self._table = TrainedTable(round_parameters(table, std, dtype))
        # Shape of the batch that the next backward answers, None if there is none.
        self._shape: tuple[int, ...] | None = None

    @property
    def embedding(self) -> NDArray[Any]:
        """The table, (max_seq_len, d_model); it can be assigned."""
        return self._table.embedding

    @embedding.setter
    def embedding(self, value: ArrayLike) -> None:
        self._table.embedding = value

    @property
    def grad_embedding(self) -> NDArray[Any]:
        """The gradient of the table, (max_seq_len, d_model)."""
        return self._table.grad_embedding

    @grad_embedding.setter
    def grad_embedding(self, value: ArrayLike) -> None:
        self._table.grad_embedding = value

    def forward(self, X: ArrayLike) -> NDArray[Any]:
        """Return X with the row of its position added to every vector.

        Args:
            X: Embeddings, shape (B, L, d_model), float, L at most `max_seq_len`.
                B and L may be 0.

        Returns:
            Shape (B, L, d_model), a new array. Its dtype is the wider of that of X and
            that of the table, NumPy's usual rule.

        Raises:
            TypeError: X does not hold floats. Integers are not converted.
            ValueError: X does not have three axes or d_model channels, or has too many positions.
        """
        self._shape = None  # a batch that is refused leaves nothing to go back from
        embeddings = checks.batch("X", X, max_seq_len=self.max_seq_len, d_model=self.d_model)
        length = embeddings.shape[1]
        # --8<-- [start:forward]
        encoded: NDArray[Any] = embeddings + self.embedding[:length]  # (B, L, d) + (L, d)
        # --8<-- [end:forward]
        self._shape = encoded.shape
        return encoded

    def backward(self, grad_output: ArrayLike, *, accumulate: bool = False) -> NDArray[Any]:
        """Set the gradient of the table, and return that of X.

        Each call belongs to the latest `forward`, so the next one needs another `forward`. The
        gradients depend only on the shape of that batch.

        Args:
            grad_output: Gradient of the loss by the result of `forward`, shape
                (B, L, d_model), float.
            accumulate: Whether to add to `grad_embedding` instead of replacing it, for a
                batch that is split into several. If False,
                rows L and beyond become 0; if True, they stay as they were.

        Returns:
            Gradient of the loss by X: a copy of `grad_output`, same shape and dtype.

        Raises:
            TypeError: `grad_output` does not hold floats, or `accumulate` is not a bool.
            RuntimeError: There was no `forward` since the last `backward`, or X was
                refused there.
            ValueError: `grad_output` does not have the shape of the result of `forward`.
        """
        upstream = checks.floats("grad_output", grad_output)
        accumulate = checks.boolean("accumulate", accumulate)
        if self._shape is None:
            raise RuntimeError("backward must follow a forward pass, one for each call")
        if upstream.shape != self._shape:
            raise ValueError(
                f"grad_output must have the shape {self._shape} of the latest forward, "
                f"got shape {upstream.shape}"
            )
        length = upstream.shape[1]
        # --8<-- [start:backward]
        gradient = np.zeros(self.embedding.shape)  # rows L and beyond stay 0
        gradient[:length] = upstream.sum(axis=0, dtype=np.float64)  # (B, L, d) -> (L, d)
        # --8<-- [end:backward]
        self._table.collect(gradient, accumulate=accumulate)
        self._shape = None
        return upstream.copy()

    def zero_grad(self) -> None:
        """Set the gradient of the table to 0, before the first part of a split batch."""
        self._table.zero_grad()
