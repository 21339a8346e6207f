"""Readings: a displayed formula is read as it is drawn, and computed.

A session holds code against code; between it and the formula above it stands the eye of an
author. Here the formula itself is taken from the page: its MathML becomes a tree
(`parsing`), the tree a value (`computing`), in the notation of the book (`notation`), at points
of the domain that the card was tried for (`drawing`).
"""
