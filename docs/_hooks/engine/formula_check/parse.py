r"""From MathML to a tree: what a displayed formula says, as a mathematician reads it.

The tree is made from what is drawn, as the words for a screen reader are. Conventions of the
book: a slash divides by all that stands behind it side by side, so $k/2\pi$ is k/(2π); a
function takes what stands behind it up to the next sign or function, and a sum the whole product.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile
from xml.etree import ElementTree as ET

ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)\w+;")
APPLY, INVISIBLE = "\u2061", "\u2063"
RELATIONS = ("=", "<", ">", "≤", "≥", "≠", "≈", "⟺")
FUNCTIONS = (
    "sin", "cos", "ln", "log", "exp", "max", "min", "sgn", "arg", "Re", "erfc", "clip", "mean",
    "var", "Γ",
)  # fmt: skip
CLOSING = {"(": ")", "[": "]", "⌊": "⌋", "⌈": "⌉", "|": "|", "‖": "‖", "⟨": "⟩"}
OPENS, ENDS, MARKS = (*"([⟨⌊⌈",), (*")]⟩⌋⌉",), (",", ";", ".")
JOINTS = ("or", "so", "and", "turns")  # words between formulas, or behind one
DOTTED = ["=", ",", ".", ".", ".", ","]
DOTS = ("⋱", "⋮")
BEGINS = (*CLOSING, "∑", "{", *DOTS, APPLY)  # what no letter is, and a factor begins with
WIDE = 1.0  # em: a space that sets two formulas apart


class Unread(Exception):  # noqa: N818, not an error: most of mathematics is beyond this reader
    """A formula, or a part of one, that is not understood."""


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str


@dataclass(frozen=True)
class Name:
    """A letter or a word, with what is written on it: `ω`, `PE`, `b′`, `u¯`."""

    text: str


@dataclass(frozen=True)
class Indexed:
    """Something with an index: `L_0`, `M_k`, `W_Q`, `x_{p,c}`."""

    base: "Tree"
    indices: tuple["Tree", ...]


@dataclass(frozen=True)
class Power:
    """Something with an exponent, a transpose or an inverse."""

    base: "Tree"
    exponent: "Tree"


@dataclass(frozen=True)
class Fenced:
    """Something in brackets, of which there may be several, with the kind of bracket."""

    kind: str
    parts: tuple["Tree", ...]


@dataclass(frozen=True)
class Applied:
    """A function with what it is applied to, or a sum: `bounds` are those of the index."""

    function: str
    body: "Tree"
    power: "Tree | None" = None
    bounds: tuple["Tree", ...] = ()
    index: str = ""


@dataclass(frozen=True)
class Product:
    """Factors side by side; a function of the page may stand before its argument."""

    factors: tuple["Tree", ...]


@dataclass(frozen=True)
class Quotient:
    """One over another, or the remainder of it."""

    above: "Tree"
    below: "Tree"
    kind: str = "/"


@dataclass(frozen=True)
class Total:
    """Terms with their signs."""

    terms: tuple[tuple[str, "Tree"], ...]


@dataclass(frozen=True)
class Matrix:
    """Rows of entries in brackets."""

    rows: tuple[tuple["Tree", ...], ...]


@dataclass(frozen=True)
class Cases:
    """Values, each with its condition; the last may have none."""

    cases: tuple[tuple["Tree", "Chain | None"], ...]


@dataclass(frozen=True)
class Chain:
    """Sides with the relations between them, and the condition under which they hold."""

    sides: tuple["Tree", ...]
    relations: tuple[str, ...] = ()
    condition: "Chain | None" = None


Tree = (
    Number | Name | Indexed | Power | Fenced | Applied | Product | Quotient | Total | Matrix
    | Cases | Chain
)  # fmt: skip


@dataclass
class Row:
    """Elements side by side, and how far they were read."""

    parts: list[ET.Element]
    place: int = 0
    closing: list[str] = field(default_factory=list)

    @property
    def here(self) -> ET.Element | None:
        """Return the next element."""
        return self.parts[self.place] if self.place < len(self.parts) else None

    @property
    def sign(self) -> str:
        """Return the next operator, or nothing; one with an index or exponent is meant, too."""
        here = self.here
        if here is not None and here.tag in ("msup", "msub", "msubsup") and here[0].tag == "mo":
            here = here[0]
        return (here.text or "").strip() if here is not None and here.tag == "mo" else ""

    def take(self) -> ET.Element:
        """Return the next element and go on."""
        if self.here is None:
            raise Unread("the formula ends where something should follow")
        self.place += 1
        return self.parts[self.place - 1]


def chains(mathml: str) -> Iterator[Chain]:
    """Yield what a formula says, each chain of relations by itself; Unread says why not."""
    root = ET.fromstring(ENTITY.sub(lambda entity: html.unescape(entity[0]), mathml))
    for line in _lines(root):
        for piece in _pieces(line):
            yield _chain(piece)


def _lines(root: ET.Element) -> Iterator[list[ET.Element]]:
    """Yield the chains of a display; a row whose left cell is empty goes on with the one above."""
    parts = [*_flat(root)]
    if len(parts) != 1 or parts[0].tag != "mtable":
        yield parts
        return
    line: list[ET.Element] = []
    for row in parts[0]:
        first, *rest = [[*_flat(cell)] for cell in row if not _label(cell)]
        rest = [[*dropwhile(lambda part: part.tag == "apart", cell)] for cell in rest]
        ended = bool(line) and (line[-1].text or "").strip() in (",", ".", ";")
        goes_on = not first and rest and (rest[0][0].text or "") in ("+", "−", *RELATIONS)
        if line and not (goes_on and not ended):
            yield line
            line = []
        line += [*first, *(part for cell in rest for part in cell)]
    yield line


def _label(cell: ET.Element) -> bool:
    """Return whether a cell holds words alone: what a line is called."""
    parts = [*_flat(cell)]
    return len(parts) == 1 and parts[0].tag == "mtext" and _plain(parts[0]) not in JOINTS


def _flat(node: ET.Element) -> Iterator[ET.Element]:
    """Yield the children of an element; groups that only group are opened."""
    for part in node:
        if part.tag in ("mrow", "mpadded"):
            yield from _flat(part)
        elif part.tag == "mspace":
            width = part.get("width", "0em").removesuffix("em")
            if float(width or 0) >= WIDE:
                yield ET.Element("apart")
        elif part.tag != "mphantom" and (part.text or "") != INVISIBLE:
            yield part


def _pieces(parts: list[ET.Element]) -> Iterator[list[ET.Element]]:
    """Yield the formulas that commas, wide spaces or words set apart on one line."""
    piece: list[ET.Element] = []
    depth = 0
    for part in parts:
        sign = (part.text or "").strip() if part.tag == "mo" else ""
        closed = part.tag in ("msup", "msub", "msubsup") and (part[0].text or "") in ENDS
        depth += (sign in OPENS) - (sign in ENDS or closed)
        condition = any(one.tag == "mtext" for one in piece)
        joined = part.tag == "mtext" and _plain(part) in JOINTS
        if part.tag == "apart" or joined or (sign in MARKS and depth == 0 and not condition):
            if piece and part.tag != "apart":
                yield piece
                piece = []
            continue
        piece.append(part)
    if piece and (piece[-1].text or "").strip() in (",", "."):
        piece.pop()
    if piece:
        yield piece


def _chain(parts: list[ET.Element]) -> Chain:
    for part in parts:
        if part.tag == "mtext" and _plain(part) == "if and only if":
            part.tag, part.text = "mo", "⟺"
    words = next((n for n, part in enumerate(parts) if part.tag == "mtext"), len(parts))
    row = Row(parts[:words])
    sides, relations = [_expression(row)], []
    while row.sign in RELATIONS:
        relations.append(row.take().text or "")
        sides.append(_expression(row))
    if row.here is not None:
        raise Unread(f"{_said(row.here)} is not understood here")
    return Chain(tuple(sides), tuple(relations), _condition(parts[words:]))


def _condition(parts: list[ET.Element]) -> Chain | None:
    if not parts:
        return None
    said, rest = _plain(parts[0]), parts[1:]
    if said in ("for", "if") and rest:
        return _span(rest) or _chain([part for part in rest if (part.text or "").strip() != ","])
    if said in ("otherwise", "else") and not rest:
        return None
    raise Unread(f"the words “{said}” are not understood")


def _span(parts: list[ET.Element]) -> Chain | None:
    """Return what k = 1, …, n says of k, if that is what parts say."""
    signs = [(part.text or "").strip() if part.tag == "mo" else "" for part in parts]
    if [one for one in signs if one in ("=", ",", ".")] not in (DOTTED, [*DOTTED, "."]):
        return None
    equals, first = signs.index("="), signs.index(",")
    last = len(signs) - 1 - signs[::-1].index(",")
    end = len(parts) - (signs[-1] == ".")
    sides = (parts[equals + 1 : first], parts[:equals], parts[last + 1 : end])
    low, name, high = (_expression(Row(side)) for side in sides)
    return Chain((low, name, high), ("≤", "≤"))


def _expression(row: Row) -> Tree:
    """Return a sum of products."""
    sign = (row.take().text or "") if row.sign in ("+", "−", "±") else "+"
    terms = [(sign, _product(row))]
    while row.sign in ("+", "−", "±"):
        terms.append((row.take().text or "", _product(row)))
    return terms[0][1] if len(terms) == 1 and sign == "+" else Total(tuple(terms))


def _product(row: Row) -> Tree:
    """Return factors side by side, over others where there is a slash."""
    value = Product(tuple(_factors(row))) if row.sign not in ("⋅", "×", "/") else None
    if value is None or not value.factors:
        raise Unread(f"{_said(row.here)} stands where a factor should")
    tree: Tree = _single(value)
    while row.sign in ("⋅", "×", "/") or _word(row) == "mod":
        sign = _word(row) or row.sign
        row.take()
        other = _single(Product(tuple(_factors(row))))
        tree = Product((tree, other)) if sign == "⋅" else Quotient(tree, other, sign)
    return tree


def _single(product: Product) -> Tree:
    return product.factors[0] if len(product.factors) == 1 else product


def _factors(row: Row) -> Iterator[Tree]:
    while row.here is not None and _word(row) != "mod":
        sign = row.sign
        if (
            sign
            and not sign.isalpha()
            and sign not in (*CLOSING, "∑", "{", *DOTS, *FUNCTIONS, APPLY)
        ):
            return
        if row.closing and sign == row.closing[-1]:
            return
        if sign == APPLY:
            row.take()
            continue
        yield _factor(row)


def _factor(row: Row) -> Tree:
    here = row.here
    if here is None:
        raise Unread("the formula ends where a factor should follow")
    if _function(here):
        return _application(row)
    if row.sign in CLOSING:
        return _brackets(row)
    row.take()
    if (here.text or "").strip() == "{" and row.here is not None and row.here.tag == "mtable":
        return _table(row.take())
    return _structure(here)


def _structure(node: ET.Element) -> Tree:
    """Return what one element is."""
    parts = list(node)
    match node.tag:
        case "mn":
            return Number((node.text or "").strip())
        case "mi" | "mo" if (node.text or "").strip() not in ("", "."):
            name = (node.text or "").strip()
            upright = node.get("mathvariant") == "normal" and name in ("i", "E", "e")
            return Name(f"{name}!" if upright else name)
        case "mtext":
            return Name((node.text or "").strip())
        case "mfrac":
            return Quotient(_inside(parts[0]), _inside(parts[1]))
        case "msqrt":
            return Applied("sqrt", _inside(_row(parts)))
        case "msub":
            return Indexed(_structure(parts[0]), _list(parts[1]))
        case "msup":
            return _raised(_structure(parts[0]), parts[1])
        case "msubsup":
            return _marked(_structure(parts[0]), parts[1], parts[2])
        case "mover" | "munder" if (parts[1].text or "") in ("¯", "⏟"):
            inner = _inside(parts[0])
            return Power(inner, Name("¯")) if parts[1].text == "¯" else inner
        case "munder" if parts[0].tag == "munder":  # a brace with its words
            return _structure(parts[0])
        case "mtable":
            return _table(node)
        case "mrow" | "mtd" | "mpadded":
            return _inside(node)
    raise Unread(f"{_said(node)} is not understood")


def _raised(base: Tree, exponent: ET.Element) -> Tree:
    """Return a power, or a name with a mark on it."""
    said = "".join(exponent.itertext()).strip()
    first, *rest = [*_flat(exponent)] or [exponent]
    if rest and first.text == "′" and isinstance(base, Name):  # b′ with a power
        return Power(Name(base.text + "′"), _inside(_row(rest)))
    if isinstance(base, Name) and (exponent.tag == "mtext" or said in ("′", "∗")):
        return Name(base.text + said)
    if said in ("′", "∗"):
        raise Unread(f"{said} on what is no name")
    if isinstance(base, Name) and base.text == "e":
        return Applied("exp", _inside(exponent))
    return Power(base, Name("⊤") if said == "⊤" else _inside(exponent))


def _marked(base: Tree, below: ET.Element, above: ET.Element) -> Tree:
    """Return what has an index and something above it: the mark is the name's, a power is not."""
    raised = _raised(base, above)
    if isinstance(raised, Name):
        return Indexed(raised, _list(below))
    return _raised(Indexed(base, _list(below)), above)


def _inside(node: ET.Element) -> Tree:
    """Return the one expression in an element."""
    parts = [*_flat(node)] if node.tag in ("mrow", "mtd", "mpadded") else [node]
    row = Row(parts)
    tree = _expression(row)
    if row.here is not None:
        raise Unread(f"{_said(row.here)} is not understood here")
    return tree


def _row(parts: list[ET.Element]) -> ET.Element:
    node = ET.Element("mrow")
    node.extend(parts)
    return node


def _list(node: ET.Element) -> tuple[Tree, ...]:
    """Return the expressions of an index."""
    if node.tag in ("mtext", "mo"):
        return (Name((node.text or "").strip()),)
    parts = [*_flat(node)] if node.tag == "mrow" else [node]
    return tuple(_chain(piece).sides[0] for piece in _pieces(parts))


def _brackets(row: Row) -> Tree:
    """Return what stands in brackets, with the powers and indices of the closing one."""
    opening = row.sign
    if row.take().tag != "mo":
        raise Unread(f"{opening} opens nothing")
    row.closing.append(CLOSING[opening])
    parts = [_expression(row)]
    while row.sign in (",", ";"):
        row.take()
        parts.append(_expression(row))
    if row.sign != row.closing.pop():
        raise Unread(f"{opening} is not closed")
    end = row.take()
    tree: Tree = Fenced(opening, tuple(parts))
    if opening in "([" and len(parts) == 1 and isinstance(parts[0], Matrix):
        tree = parts[0]
    if end.tag in ("msub", "msubsup"):
        tree = Indexed(tree, _list(end[1]))
    return _raised(tree, end[-1]) if end.tag in ("msup", "msubsup") else tree


def _function(node: ET.Element) -> str:
    """Return the name of a function or a sum, whatever is written around it."""
    kernel = node
    while kernel.tag in ("msub", "msup", "msubsup", "munder", "munderover", "mrow") and len(kernel):
        inner = [part for part in kernel if part.tag != "mspace"]
        kernel = inner[0]
    name = (kernel.text or "").strip() if kernel.tag in ("mi", "mo") else ""
    return name if name in ("∑", *FUNCTIONS) else ""


def _application(row: Row) -> Tree:
    node = row.take()
    name = _function(node)
    around = list(node)[1:] if node.tag not in ("mi", "mo", "mrow") else []
    if row.sign == APPLY:
        row.take()
    if name == "∑" or node.tag == "munder":
        return _ranging(name, around, row)
    power = _inside(around[-1]) if node.tag in ("msup", "msubsup") else None
    bounds = (_inside(around[0]),) if node.tag in ("msub", "msubsup") else ()
    return Applied(name, _argument(row), power, bounds)


def _argument(row: Row) -> Tree:
    """Return what a function is applied to: brackets alone, or all up to the next function."""
    if row.sign == "(":
        return _brackets(row)
    here = row.here
    if here is not None and _function(here):
        return _application(row)
    factors = []
    for factor in _factors(row):
        factors.append(factor)
        if row.here is None or _function(row.here):
            break
    if not factors:
        raise Unread("a function without an argument")
    return _single(Product(tuple(factors)))


def _ranging(name: str, around: list[ET.Element], row: Row) -> Tree:
    """Return a sum, or the largest or least, over an index."""
    if not around:
        raise Unread(f"{name} without an index")
    below = [*_flat(around[0])] if around[0].tag == "mrow" else [around[0]]
    chain = _chain(below)
    index = chain.sides[0]
    if not isinstance(index, Name):
        raise Unread(f"{name} over what is no index")
    if chain.relations == ("≠",) and isinstance(chain.sides[1], Name):
        index = Name(f"{index.text}≠{chain.sides[1].text}")
        return Applied(name, _product(row), None, (), index.text)
    bounds: tuple[Tree, ...] = chain.sides[1:]
    if chain.relations == ("<",):
        bounds = (Number("0"), Total((("+", bounds[0]), ("−", Number("1")))))
    elif chain.relations not in ((), ("=",)):
        raise Unread(f"the range of {name} is not understood")
    if len(around) > 1:
        bounds = (*bounds, _inside(around[1]))
    if len(bounds) not in (0, 2):
        raise Unread(f"the range of {name} is not understood")
    return Applied("sum" if name == "∑" else name, _product(row), None, bounds, index.text)


def _table(node: ET.Element) -> Tree:
    """Return a matrix, or cases where words say when."""
    rows = [[[*_flat(cell)] for cell in row] for row in node]
    if any(part.tag == "mtext" for row in rows for cell in row for part in cell):
        cases = []
        for value, *rest in rows:
            ended = value[:-1] if (value[-1].text or "").strip() == "," else value
            condition = [part for cell in rest for part in cell]
            while condition and (condition[-1].text or "").strip() in (",", "."):
                condition.pop()
            cases.append((_chain(ended).sides[0], _condition(condition)))
        return Cases(tuple(cases))
    blank: Tree = Name("")
    return Matrix(
        tuple(tuple(_chain(cell).sides[0] if cell else blank for cell in row) for row in rows)
    )


def _plain(part: ET.Element) -> str:
    """Return the words of a text, whatever its spaces are made of."""
    return " ".join((part.text or "").split()).strip(" .,")


def _word(row: Row) -> str:
    here = row.here
    return "mod" if here is not None and here.tag == "mi" and here.text == "mod" else ""


def _said(node: ET.Element | None) -> str:
    return "nothing" if node is None else "".join(node.itertext()).strip() or node.tag
