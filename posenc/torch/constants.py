"""Constants of a module: arrays that follow it to a device, and keep their dtype."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class WithConstants(nn.Module):
    """A module with arrays that no conversion rounds and no checkpoint holds.

    PyTorch casts each floating buffer with its module: in bfloat16 the frequency 0.1 is off
    by 1 part in 400, and a thousand positions later so is the angle, by radians. So whatever
    is done to the module, the arrays are written anew from NumPy's, on the device where the
    module now is. That also fills them after `to_empty`, where a module was built on the
    meta device and its buffers hold whatever was in memory.
    """

    def __init__(self, **constants: NDArray[np.float64] | NDArray[np.int64]) -> None:
        super().__init__()
        self._constants = constants
        for name, value in constants.items():
            self.register_buffer(name, torch.tensor(value), persistent=False)

    def _apply(self, fn: Callable[[Tensor], Tensor], *args: Any, **kwargs: Any) -> Self:
        super()._apply(fn, *args, **kwargs)
        for name, value in self._constants.items():
            setattr(self, name, torch.tensor(value, device=getattr(self, name).device))
        return self
