"""Rotary position embedding: the rotation, M-RoPE, axial rotation, xPos."""
