"""Formulas as a line of text, such as ω_i k or √(d/2), for the search."""

import html
import re
from xml.etree import ElementTree as ET

from check.mathml_speech import ENTITY

DISPLAY = re.compile(r'<math\b[^>]*\bdisplay="block".*?</math>', re.DOTALL)
MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
INVISIBLE = "\u2061\u2062\u2063"
SPACED = re.compile(r"\s*([=≤≥<>≠≈→∈+−×⋅])\s*")
SIGN = re.compile(r"(^|[(\[^_/]|[,=<>≤≥≈→∈] ) ?([−+]) ")  # with nothing before it
ONE_PART = re.compile(r"−?\w+|.")


def write_formulas(page: str) -> str:
    """Return HTML with inline formulas as text, and without displayed formulas."""
    return MATH.sub(
        lambda math: html.escape(write_formula(math[0]), quote=False), DISPLAY.sub("", page)
    )


def write_formula(mathml: str) -> str:
    """Return a <math> element as a line of text."""
    plain = ENTITY.sub(lambda entity: html.unescape(entity[0]), mathml)
    text = SPACED.sub(r" \1 ", write_element(ET.fromstring(plain))).replace(",", ", ")
    return SIGN.sub(r"\1\2", text.replace("  ", " ").strip())


def write_element(node: ET.Element) -> str:
    """Return an element as text."""
    parts = [write_element(part) for part in node]
    match node.tag:
        case "mi" | "mn" | "mo" | "mtext":
            return (node.text or "").strip(INVISIBLE)
        case "mfrac":
            return f"{bracket(parts[0])}/{bracket(parts[1])}"
        case "msqrt":
            return f"√{bracket(join_parts(parts))}"
        case "msub" | "munder":
            return f"{parts[0]}_{bracket(parts[1])}"
        case "msup":
            return f"{parts[0]}^{bracket(parts[1])}"
        case "msubsup" | "munderover":
            return f"{parts[0]}_{bracket(parts[1])}^{bracket(parts[2])}"
        case "mover":
            return parts[0]  # without its bar
        case "mtr":
            return ", ".join(parts)
        case "mtable":
            return "; ".join(parts)
    return join_parts(parts)


def join_parts(parts: list[str]) -> str:
    """Return adjacent parts as text, with a space between longer ones: ω_i k, but 2d."""
    text = ""
    for before, part in zip(["", *filter(None, parts)], filter(None, parts), strict=False):
        apart = len(before) > 1 and before[-1].isalnum() and part[0].isalnum()
        text += f" {part}" if apart else part
    return text


def bracket(text: str) -> str:
    """Return text in brackets unless it is a single part."""
    return text if ONE_PART.fullmatch(text) else f"({text})"
