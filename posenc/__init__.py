"""Positional encodings in NumPy: every equation stated, implemented and verified."""

from posenc.frequencies import inv_freq, wavelengths
from posenc.sinusoidal import sinusoidal_at, sinusoidal_positional_encoding

__all__ = [
    "inv_freq",
    "sinusoidal_at",
    "sinusoidal_positional_encoding",
    "wavelengths",
]
