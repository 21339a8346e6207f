"""The sinusoidal encoding as a layer: one table, computed once, added to every batch.

Letters in this module
    B  sequences in a batch      L  positions in a sequence      d  channels (d_model)
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.frequencies import Exponent
from posenc.core.layouts import Layout
from posenc.tables.sinusoidal import sinusoidal_positional_encoding


class SinusoidalPositionalEncoding:
    """A sinusoidal table of fixed length, and the sum of embeddings and table.

    Args:
        max_seq_len: Positions in the table, at least 1.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies instead of those from base and exponent, shape (d/2,), as in
            `sinusoidal_positional_encoding`.
        dtype: float64, float32 or float16: the dtype of the table.

    Attributes:
        max_seq_len: As given, an int.
        d_model: As given, an int.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `max_seq_len` is below 1, or another argument is refused as in
            `sinusoidal_positional_encoding`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5. Deviations: the paper
        multiplies the embeddings by √d before the sum (section 3.4) and applies
        dropout after it (section 5.4). This class does neither: both belong to the
        model around it.

    Examples:
        >>> import numpy as np
        >>> from posenc import SinusoidalPositionalEncoding
        >>> encoder = SinusoidalPositionalEncoding(max_seq_len=100, d_model=4)
        >>> encoder.forward(np.ones((1, 2, 4))).round(4)
        array([[[1.    , 2.    , 1.    , 2.    ],
                [1.8415, 1.5403, 1.01  , 2.    ]]])
    """

    def __init__(
        self,
        max_seq_len: int,
        d_model: int,
        *,
        base: float = 10000.0,
        layout: Layout = "interleaved",
        exponent: Exponent = "paper",
        inv_freq: ArrayLike | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.max_seq_len = checks.integer("max_seq_len", max_seq_len, least=1)
        self.d_model = checks.even("d_model", d_model)
        table = sinusoidal_positional_encoding(
            self.max_seq_len,
            self.d_model,
            base=base,
            layout=layout,
            exponent=exponent,
            inv_freq=inv_freq,
            dtype=checks.float_dtype("dtype", dtype),
        )
        # Bytes: a read-only array could be made writable again.
        self._bytes, self._dtype = table.tobytes(), table.dtype

    @property
    def pe(self) -> NDArray[Any]:
        """The whole table, (max_seq_len, d_model), read-only."""
        return np.frombuffer(self._bytes, self._dtype).reshape(self.max_seq_len, self.d_model)

    def forward(self, X: ArrayLike) -> NDArray[Any]:
        """Return X with the encoding of its position added to every vector.

        Args:
            X: Embeddings, shape (B, L, d_model), float, L at most `max_seq_len`.
                B and L may be 0.

        Returns:
            Shape (B, L, d_model), a new array. Its dtype is the wider of that of X and
            that of the table, NumPy's usual rule: float32 embeddings plus a float64
            table are float64. For float32 results, use `dtype=np.float32`.

        Raises:
            TypeError: X does not hold floats. Integers are not converted.
            ValueError: X does not have three axes or d_model channels, or has too many positions.
        """
        embeddings = checks.batch("X", X, max_seq_len=self.max_seq_len, d_model=self.d_model)
        length = embeddings.shape[1]
        # --8<-- [start:forward]
        encoded: NDArray[Any] = embeddings + self.pe[:length]  # (B, L, d) + (L, d)
        # --8<-- [end:forward]
        return encoded

    def get_encoding(self, seq_len: int) -> NDArray[Any]:
        """Return the first rows of the table.

        Args:
            seq_len: Number of rows L, from 0 to `max_seq_len`.

        Returns:
            Shape (L, d_model), the dtype of the table: a read-only view of it, no copy.

        Raises:
            TypeError: `seq_len` is not an integer.
            ValueError: `seq_len` is negative or above `max_seq_len`.
        """
        seq_len = checks.integer("seq_len", seq_len, least=0)
        if seq_len > self.max_seq_len:
            raise ValueError(
                f"seq_len must be at most max_seq_len={self.max_seq_len}, got seq_len={seq_len}"
            )
        return self.pe[:seq_len]
