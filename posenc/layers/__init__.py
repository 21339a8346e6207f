"""Layers: a table of positions, and its sum with a batch of embeddings."""
