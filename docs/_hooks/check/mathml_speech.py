"""Formulas in words, for screen readers that don't support MathML.

The words are generated from the MathML, so they agree with the rendered formula. They are put into
`alttext` because screen readers that support MathML ignore it, whereas `aria-label` would replace
the formula. Brackets stay as they are. Where a formula has none and the words would be ambiguous,
"end" marks the end of a part.
"""

import html
import re
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree as ET

ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)\w+;")
REPLACEMENTS = (
    (re.compile(r"\.(?: ?\.)+"), "and so on"),
    (re.compile(r"\s+"), " "),
    (re.compile(r"([(\[{]) "), r"\1"),
    (re.compile(r" ([)\]},.;:])"), r"\1"),
    (re.compile(r"\bof of\b"), "of"),
    (re.compile(r",;"), ";"),
)

WORDS = {
    "\u2061": "of", "\u2063": "", "=": "equals", "−": "minus", "-": "minus", "+": "plus",
    "/": "over", "⋅": "times", "×": "times", "∗": "star", "≤": "is at most", "≥": "is at least",
    "<": "is less than", ">": "is greater than", "≠": "is not", "≈": "is about",
    "≡": "is congruent to", "∑": "sum", "∏": "product", "∫": "integral", "±": "plus or minus",
    "∈": "in", "→": "to", "↦": "maps to", "⟺": "if and only if", "⟹": "implies", "∞": "infinity",
    "∂": "partial", "°": "degrees", "′": "prime", "!": "factorial", "¯": "bar", "⊤": "transposed",
    "⟨": "inner product of", "⟩": "end product", "⌊": "floor of", "⌋": "end floor",
    "⌈": "ceiling of", "⌉": "end ceiling", "⋯": "and so on", "⋮": "and so on", "⋱": "and so on",
    "∘": "after", "⊙": "times, number by number", "sin": "sine", "cos": "cosine",
    "tan": "tangent", "tanh": "hyperbolic tangent", "arcsin": "arc sine", "arccos": "arc cosine",
    "ln": "natural logarithm", "log": "logarithm", "exp": "exponential", "max": "maximum",
    "min": "minimum", "mod": "modulo", "Re": "real part", "Im": "imaginary part", "sgn": "sign",
    "arg": "argument", "var": "variance", "Var": "variance", "std": "standard deviation",
    "erfc": "complementary error function", "Att": "attention",
}  # fmt: skip
BARS = {"|": ("absolute value of", "end value"), "‖": ("norm of", "end norm")}
POWERS = {"2": "squared", "3": "cubed", "⊤": "transposed", "′": "prime", "∗": "star"}
LARGE = ("∑", "∏", "∫")


@lru_cache(maxsize=4096)
def speak(mathml: str) -> str:
    """Return a <math> element in words."""
    plain = ENTITY.sub(lambda entity: html.unescape(entity[0]), mathml)
    words = speak_element(ET.fromstring(plain))
    for pattern, new in REPLACEMENTS:
        words = pattern.sub(new, words)
    return words.strip()


def add_alttext(mathml: str) -> str:
    """Return a <math> element with its words as the `alttext` attribute."""
    return mathml.replace("<math", f'<math alttext="{html.escape(speak(mathml))}"', 1)


def speak_element(node: ET.Element) -> str:
    """Return an element in words."""
    parts = list(node)
    match node.tag:
        case "mi" | "mn" | "mo" | "mtext":
            return speak_symbol(node.text or "")
        case "mspace" | "mphantom":
            return ""
        case "mfrac":
            return mark_end(
                f"{speak_element(parts[0])} over {speak_element(parts[1])}", "fraction", node
            )
        case "msqrt":
            return mark_end(f"square root of {speak_row(parts)}", "root", node)
        case "mroot":
            return f"root of order {speak_element(parts[1])} of {speak_element(parts[0])} end root"
        case "msub":
            return speak_element(parts[0]) + speak_index(parts[1])
        case "msup":
            return speak_element(parts[0]) + speak_exponent(parts[1])
        case "msubsup":
            return speak_element(parts[0]) + speak_index(parts[1]) + speak_exponent(parts[2])
        case "munder" | "mover" | "munderover":
            return speak_limits(node.tag, parts)
        case "mtable":
            return speak_table(node)
    return speak_row(parts)


def speak_symbol(text: str) -> str:
    """Return the name of a symbol, or its text if it has none."""
    text = text.strip().replace("\N{NO-BREAK SPACE}", " ")
    if text in WORDS:
        return WORDS[text]
    if len(text) == 1:
        name = unicodedata.name(unicodedata.normalize("NFKC", text), "")
        if greek := re.match(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", name):
            letter = greek[2].lower().replace("lamda", "lambda")  # Unicode's spelling
            return ("capital " if greek[1] == "CAPITAL" else "") + letter
    return text


def speak_row(parts: list[ET.Element]) -> str:
    """Return adjacent elements in words; bars open and close alternately."""
    signs = [next(part.iter("mo"), part).text for part in parts]  # a closing bar may be squared
    words, bar_counts = [], dict.fromkeys(BARS, 0)
    for index, (part, sign) in enumerate(zip(parts, signs, strict=True)):
        if sign in BARS and (part.tag == "mo" or (part.tag != "mrow" and part[0].text == sign)):
            bar = part if part.tag == "mo" else part[0]
            form = bar.get("form") or ("prefix", "postfix")[bar_counts[sign] % 2]
            single = bar.get("form") is None and signs.count(sign) % 2
            bar_counts[sign] += 1
            words.append("given" if single else BARS[sign][form == "postfix"])
            words += [speak_exponent(part[-1])] if part is not bar else []
        elif part.tag == "mtable" and index and signs[index - 1] == "{":
            words.append("cases: " + speak_element(part))
        else:
            words.append(speak_element(part))
    return " ".join(words)


def is_simple(node: ET.Element) -> bool:
    """Return whether an element is a single symbol, perhaps with an index."""
    leaves = [leaf for leaf in node.iter() if leaf.text and leaf.text.strip()]
    return len(leaves) == 1 or (node.tag == "msub" and len(leaves) == 2)


def mark_end(words: str, name: str, node: ET.Element) -> str:
    """Return the words of an element, with "end …" after them if they would be ambiguous."""
    if all(map(is_simple, node)) and len(node) <= 2:
        return words
    return f"{name} {words} end {name}" if name == "fraction" else f"{words} end {name}"


def speak_index(index: ET.Element) -> str:
    """Return an index in words."""
    return f" sub {speak_element(index)}" + ("" if is_simple(index) else " end sub")


def speak_exponent(exponent: ET.Element) -> str:
    """Return an exponent, or another superscript, in words."""
    text = "".join(exponent.itertext()).strip()
    if text in POWERS:
        return f" {POWERS[text]}"
    return f" to the power of {speak_element(exponent)}" + (
        "" if is_simple(exponent) else " end power"
    )


def speak_limits(tag: str, parts: list[ET.Element]) -> str:
    """Return an element with parts above or below it in words: a sum, a bar or a brace."""
    kernel = speak_element(parts[0])
    if parts[0].tag == "mo" and (parts[0].text in LARGE or tag != "mover"):
        below = (
            f" over {speak_element(parts[1])}"
            if tag == "munder"
            else f" from {speak_element(parts[1])}"
        )
        return (
            kernel
            + below
            + (f" to {speak_element(parts[2])}" if tag == "munderover" else "")
            + " of"
        )
    marks = [speak_element(part) for part in parts[1:] if part.text != "⏟"]
    return " ".join([kernel, *marks])


def speak_table(node: ET.Element) -> str:
    """Return lines of a derivation, or the rows of a matrix, in words."""
    lines = [[speak_element(cell) for cell in line] for line in node]
    if node.get("displaystyle") == "true":
        return "; ".join(" ".join(line) for line in lines)
    matrix = "; ".join(", ".join(filter(None, line)) for line in lines)
    return f"rows {matrix}" if len(lines) > 1 else matrix
