"""Window offsets: one number for the two offsets of two patches of a window.

Letters in this module
    M_y, M_x  height and width of a window, in patches
    y, x      row and column of a patch
"""

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.core.memory import check_memory


def window_index(height: int, width: int) -> NDArray[np.int64]:
    """Return which row of a table of biases serves each two patches of a window.

    Args:
        height: Rows of patches M_y, at least 1.
        width: Columns of patches M_x, at least 1.

    Returns:
        Shape (M_y * M_x, M_y * M_x), int64: entry [p, q] is
        (y_p - y_q + M_y - 1) * (2 M_x - 1) + x_p - x_q + M_x - 1, query minus key, with
        patches counted row by row; from 0 to (2 M_y - 1) * (2 M_x - 1) - 1.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: An argument is below 1.

    Source:
        Liu et al. 2021, arXiv:2103.14030v2, section 3.2, for the table; the order of its
        rows is that of the authors' program. Deviation: none.

    Examples:
        >>> from posenc import window_index
        >>> window_index(1, 3)
        array([[2, 1, 0],
               [3, 2, 1],
               [4, 3, 2]])
    """
    height = checks.integer("height", height, least=1)
    width = checks.integer("width", width, least=1)
    check_memory("the index", height * width, height * width)
    # --8<-- [start:index]
    patch = np.arange(height * width, dtype=np.int64)
    y, x = patch // width, patch % width
    down = y[:, np.newaxis] - y + height - 1
    across = x[:, np.newaxis] - x + width - 1
    return down * (2 * width - 1) + across
    # --8<-- [end:index]
