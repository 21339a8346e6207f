"""Measure what each model of transformers does with positions."""
