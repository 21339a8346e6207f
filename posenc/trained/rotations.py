"""Which rotations take each row of a table to the next?"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks

Complex = NDArray[np.complex128]


def fit_rotations(rows: ArrayLike, pairs: int) -> tuple[Complex, Complex]:
    """Fit one matrix that takes each row of a table to the next, and take it apart.

    The rows, less their mean, are projected onto their `2 * pairs` leading directions. The matrix
    is the least-squares solution between neighbours there. Each pair of its complex eigenvalues
    rotates a plane: within it, a row is a complex number, and the next row is about `factor` times
    that number.

    Args:
        rows: Shape (n, d), consecutive rows, with n > 2 * pairs.
        pairs: At least 1, at most d / 2.

    Returns:
        `factors`, the eigenvalues with a positive imaginary part, by falling angle; and the rows
        in their planes, shape (n, len(factors)). The angle of a factor is the frequency in radians
        per position. There are fewer factors than `pairs` if some eigenvalues are real.

    Raises:
        TypeError: `rows` does not hold real numbers, or `pairs` is not an integer.
        ValueError: `rows` does not have 2 axes or enough rows, or `pairs` is out of range.

    Source:
        Own definition; the fit is dynamic mode decomposition (Schmid 2010).

    Examples:
        A table of sinusoids is made of such rotations, and the fit finds their frequencies.

        >>> import numpy as np
        >>> import posenc
        >>> table = posenc.sinusoidal_positional_encoding(200, 8, base=100)
        >>> factors, planes = posenc.trained.fit_rotations(table, 4)
        >>> np.angle(factors).round(3).tolist()
        [1.0, 0.316, 0.1, 0.032]
    """
    table = checks.finite("rows", rows, ndim=2)
    pairs = checks.integer("pairs", pairs, least=1)
    if 2 * pairs > table.shape[1]:
        raise ValueError(f"pairs must be at most {table.shape[1] // 2}, got pairs={pairs}")
    if len(table) <= 2 * pairs:
        raise ValueError(f"rows must have more than {2 * pairs} rows, got {len(table)}")
    centred = table - table.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][: 2 * pairs]
    x = centred @ directions.T
    matrix = np.linalg.lstsq(x[:-1], x[1:], rcond=None)[0]
    values, vectors = np.linalg.eig(matrix)
    order = [i for i in np.argsort(-np.angle(values)) if values[i].imag > 0]
    return values[order].astype(complex), (x @ vectors[:, order]).astype(complex)
