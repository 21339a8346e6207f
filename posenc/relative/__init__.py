"""Relative encodings, the second part of the book: rotary ones, biases, kernels."""
