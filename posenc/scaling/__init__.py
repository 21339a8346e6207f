"""Scaling: frequencies of a rotary embedding for sequences longer than in training."""

from posenc.scaling.models import LayerPositions, ModelPositions, model_positions
from posenc.scaling.parameters import RopeParameters, rope_parameters
from posenc.scaling.rules import ntk_base

__all__ = [
    "LayerPositions",
    "ModelPositions",
    "RopeParameters",
    "model_positions",
    "ntk_base",
    "rope_parameters",
]
