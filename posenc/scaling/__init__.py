"""Scaling: what a model's config says of its positions, and the frequencies that follow from it."""

from posenc.scaling.facts import ModelFacts, get_facts, list_model_types
from posenc.scaling.models import LayerPositions, ModelPositions

__all__ = ["LayerPositions", "ModelFacts", "ModelPositions", "get_facts", "list_model_types"]
