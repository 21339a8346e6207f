"""Constants of a module: arrays that follow it to a device, and keep their dtype."""

from collections.abc import Callable
from typing import Any, NoReturn, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

Constant = NDArray[np.float64] | NDArray[np.int64]

# Frequencies that were computed in float32 are off by a few units of their last place.
COMPUTED = 16 * torch.finfo(torch.float32).eps


class WithConstants(nn.Module):
    """A module with arrays that no conversion rounds and no checkpoint holds.

    PyTorch casts each floating buffer with its module: in bfloat16 the frequency 0.1 is off
    by 1 part in 400, and a thousand positions later so is the angle, by radians. So whatever
    is done to the module, the arrays are written again from NumPy's, on the device where the
    module now is. That also fills them after `to_empty`, where a module was built on the
    meta device and its buffers hold whatever was in memory.

    A checkpoint that does hold them, as those of other libraries may, is loaded if they are
    the same up to rounding, and refused if not.
    """

    def __init__(self, **constants: Constant) -> None:
        super().__init__()
        self._constants = constants
        for name, value in constants.items():
            self.register_buffer(name, torch.tensor(value), persistent=False)

    def reset_parameters(self) -> None:
        """Write the constants again: FSDP calls this for modules built on the meta device."""
        self._write_constants()

    def refuse_meta(self, other: Tensor) -> None:
        """Refuse to compute while this module is on the meta device and its input is not."""
        tensors = (*self._parameters.values(), *self._buffers.values())
        if not other.is_meta and any(one.is_meta for one in tensors):
            name = type(self).__name__
            raise RuntimeError(
                f"{name} is on the meta device, where its tensors have no values: call"
                " to_empty(device=...) on the model, then load its parameters or reset them"
            )

    def _apply(self, fn: Callable[[Tensor], Tensor], *args: Any, **kwargs: Any) -> Self:
        super()._apply(fn, *args, **kwargs)
        self._write_constants()
        return self

    def _write_constants(self) -> None:
        for name, value in self._constants.items():
            setattr(self, name, torch.tensor(value, device=getattr(self, name).device))

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        lists = missing_keys, unexpected_keys, error_msgs
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, *lists)
        for name, value in self._constants.items():
            key = prefix + name
            if key not in state_dict:
                continue
            if key in unexpected_keys:
                unexpected_keys.remove(key)
            difference = _describe_difference(value, state_dict[key])
            if difference:
                error_msgs.append(
                    f"{key} in the checkpoint is not that of this {type(self).__name__}:"
                    f" {difference}. Build the module with the settings of the checkpoint."
                )

    def __prepare_scriptable__(self) -> NoReturn:
        raise NotImplementedError(
            f"{type(self).__name__} can't be compiled by torch.jit.script: use torch.compile,"
            " torch.export or torch.jit.trace"
        )


def _describe_difference(own: Constant, stored: Tensor) -> str:
    """Return how a stored constant differs from our own by more than rounding, or ''."""
    if tuple(stored.shape) != own.shape:
        return f"it has shape {(*stored.shape,)}, not {own.shape}"
    if stored.is_meta:
        return ""
    found = stored.detach().to("cpu", torch.float64).numpy()
    allowed = np.zeros_like(found)
    if stored.is_floating_point():
        about = torch.finfo(stored.dtype)
        allowed = abs(own) * max(about.eps, COMPUTED) + about.smallest_normal * about.eps
    wrong = np.flatnonzero(~(abs(found - own) <= allowed))
    if not wrong.size:
        return ""
    i = wrong[0]
    return f"entry {i} is {found[i]:.6g}, not {own[i]:.6g}"
