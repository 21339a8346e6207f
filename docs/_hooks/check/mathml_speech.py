"""A formula in words: what a screen reader without MathML says, and what the search reads.

The words are made from the MathML, so they say what is drawn. They stand in `alttext`, which
readers that know MathML leave alone: `aria-label` would take the formula away from them.
Brackets are kept as they are; what a bracket would be needed for elsewhere ends with "end".
"""

import html
import re
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree as ET

ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)\w+;")
MATH = re.compile(r"<math\b[^>]*?>.*?</math>", re.DOTALL)
ALTTEXT = re.compile(r'<math\b[^>]*?\balttext="([^"]*)"')
END = re.compile(r" end (?:fraction|floor|ceiling|norm|power|product|root|sub|value)\b")
TIDY = (
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
    """Return what a <math> element says."""
    plain = ENTITY.sub(lambda entity: html.unescape(entity[0]), mathml)
    said = speak_element(ET.fromstring(plain))
    for pattern, new in TIDY:
        said = pattern.sub(new, said)
    return said.strip()


def add_alttext(mathml: str) -> str:
    """Return a <math> element that carries its words."""
    return mathml.replace("<math", f'<math alttext="{html.escape(speak(mathml))}"', 1)


def replace_formulas(page: str) -> str:
    """Return HTML in which each formula is its words, without those that end something."""

    def said(math: re.Match[str]) -> str:
        carried = ALTTEXT.match(math[0])
        return END.sub("", carried[1] if carried else html.escape(speak(math[0])))

    return MATH.sub(said, page)


def speak_element(node: ET.Element) -> str:
    """Return the words of one element."""
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
    """Return the name of a symbol, or the text itself."""
    text = text.strip().replace("\N{NO-BREAK SPACE}", " ")
    if text in WORDS:
        return WORDS[text]
    if len(text) == 1:
        name = unicodedata.name(unicodedata.normalize("NFKC", text), "")
        if greek := re.match(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", name):
            letter = greek[2].lower().replace("lamda", "lambda")  # as nobody but Unicode spells it
            return ("capital " if greek[1] == "CAPITAL" else "") + letter
    return text


def speak_row(parts: list[ET.Element]) -> str:
    """Return elements that stand side by side; bars open and close in turn."""
    signs = [next(part.iter("mo"), part).text for part in parts]  # a closing bar may be squared
    said, opened = [], dict.fromkeys(BARS, 0)
    for place, (part, sign) in enumerate(zip(parts, signs, strict=True)):
        if sign in BARS and (part.tag == "mo" or (part.tag != "mrow" and part[0].text == sign)):
            bar = part if part.tag == "mo" else part[0]
            form = bar.get("form") or ("prefix", "postfix")[opened[sign] % 2]
            alone = bar.get("form") is None and signs.count(sign) % 2
            opened[sign] += 1
            said.append("given" if alone else BARS[sign][form == "postfix"])
            said += [speak_exponent(part[-1])] if part is not bar else []
        elif part.tag == "mtable" and place and signs[place - 1] == "{":
            said.append("cases: " + speak_element(part))
        else:
            said.append(speak_element(part))
    return " ".join(said)


def is_simple(node: ET.Element) -> bool:
    """Return whether an element is one symbol, with an index at most."""
    leaves = [leaf for leaf in node.iter() if leaf.text and leaf.text.strip()]
    return len(leaves) == 1 or (node.tag == "msub" and len(leaves) == 2)


def mark_end(said: str, name: str, node: ET.Element) -> str:
    """Return words with an end to them where it could be missed."""
    if all(map(is_simple, node)) and len(node) <= 2:
        return said
    return f"{name} {said} end {name}" if name == "fraction" else f"{said} end {name}"


def speak_index(index: ET.Element) -> str:
    """Return an index."""
    return f" sub {speak_element(index)}" + ("" if is_simple(index) else " end sub")


def speak_exponent(exponent: ET.Element) -> str:
    """Return an exponent, or what else is written above."""
    text = "".join(exponent.itertext()).strip()
    if text in POWERS:
        return f" {POWERS[text]}"
    return f" to the power of {speak_element(exponent)}" + (
        "" if is_simple(exponent) else " end power"
    )


def speak_limits(tag: str, parts: list[ET.Element]) -> str:
    """Return what has something below, above or both: a sum, a bar, a brace with its text."""
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
    """Return lines under each other, or a matrix by rows."""
    lines = [[speak_element(cell) for cell in line] for line in node]
    if node.get("displaystyle") == "true":
        return "; ".join(" ".join(line) for line in lines)
    matrix = "; ".join(", ".join(filter(None, line)) for line in lines)
    return f"rows {matrix}" if len(lines) > 1 else matrix
