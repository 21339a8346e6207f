"""Scaling: frequencies of a rotary embedding for sequences longer than in training."""

from posenc.scaling.parameters import RopeParameters, rope_parameters
from posenc.scaling.rules import ntk_base

__all__ = ["RopeParameters", "ntk_base", "rope_parameters"]
