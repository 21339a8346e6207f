"""Relative encodings: what is added to attention scores, by the offset."""
