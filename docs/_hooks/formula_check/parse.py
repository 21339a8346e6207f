r"""Parse the MathML of a formula into a tree.

Conventions of the book: a slash divides by all factors after it, so $k/2\pi$ is k/(2π). A
function takes the factors after it up to the next sign or function, a sum the whole product.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile
from xml.etree import ElementTree as ET

ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)\w+;")
APPLY, INVISIBLE = "\u2061", "\u2063"
RELATIONS = ("=", "<", ">", "≤", "≥", "≠", "≈", "∝", "⟺")
FUNCTIONS = (
    "sin", "cos", "ln", "log", "exp", "max", "min", "sgn", "arg", "Re", "erfc", "clip", "mean",
    "var", "Γ", "Var",
)  # fmt: skip
CLOSING = {"(": ")", "[": "]", "⌊": "⌋", "⌈": "⌉", "|": "|", "‖": "‖", "⟨": "⟩"}
OPENING, CLOSERS, SEPARATORS = (*"([⟨⌊⌈",), (*")]⟩⌋⌉",), (",", ";", ".")
MOMENTS = ("E", "Var")
CONNECTING_WORDS = ("or", "so", "and", "turns")  # words between formulas, or after one
DOTTED_RANGE = ["=", ",", ".", ".", ".", ","]
DOTS = ("⋱", "⋮")
FACTOR_STARTS = (*CLOSING, "∑", "{", *DOTS, APPLY)  # operators that begin a factor
WIDE_SPACE = 1.0  # em: a space that sets two formulas apart


class UnsupportedFormula(Exception):  # noqa: N818, not an error: no parser reads all of mathematics
    """A formula that cannot be parsed or computed."""


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str


@dataclass(frozen=True)
class Name:
    """A letter or a word, with the mark on it: `ω`, `PE`, `b′`, `u¯`."""

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
class Brackets:
    """One or more expressions in brackets, with the kind of bracket."""

    kind: str
    parts: tuple["Tree", ...]


@dataclass(frozen=True)
class Application:
    """A function of an argument, or a sum over indices within bounds and under a condition."""

    function: str
    body: "Tree"
    power: "Tree | None" = None
    bounds: tuple["Tree", ...] = ()
    indices: tuple[str, ...] = ()
    condition: "Chain | None" = None


@dataclass(frozen=True)
class Product:
    """Factors side by side; one of them may be a function, and the next its argument."""

    factors: tuple["Tree", ...]


@dataclass(frozen=True)
class Quotient:
    """A quotient or a remainder."""

    above: "Tree"
    below: "Tree"
    kind: str = "/"


@dataclass(frozen=True)
class Sum:
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
    Number | Name | Indexed | Power | Brackets | Application | Product | Quotient | Sum | Matrix
    | Cases | Chain
)  # fmt: skip


@dataclass
class Row:
    """Elements side by side, with the place up to which they are parsed."""

    parts: list[ET.Element]
    place: int = 0
    closing: list[str] = field(default_factory=list)

    @property
    def next_part(self) -> ET.Element | None:
        """Return the next element."""
        return self.parts[self.place] if self.place < len(self.parts) else None

    @property
    def sign(self) -> str:
        """Return the next operator, without its index or exponent, or an empty string."""
        here = self.next_part
        if here is not None and here.tag in ("msup", "msub", "msubsup") and here[0].tag == "mo":
            here = here[0]
        return (here.text or "").strip() if here is not None and here.tag == "mo" else ""

    def take(self) -> ET.Element:
        """Return the next element and go on."""
        if self.next_part is None:
            raise UnsupportedFormula("the formula ends too early")
        self.place += 1
        return self.parts[self.place - 1]


def normalise_name(name: str) -> str:
    """Return a name as Python reads it as an identifier: ℓ is l, and ϵ is ε."""
    return "".join(unicodedata.normalize("NFKC", one) if one.isalpha() else one for one in name)


def parse_chains(mathml: str) -> Iterator[Chain]:
    """Yield each chain of relations in a formula, or raise `UnsupportedFormula`."""
    root = ET.fromstring(ENTITY.sub(lambda entity: html.unescape(entity[0]), mathml))
    for line in _split_lines(root):
        for piece in _split_pieces(line):
            yield _parse_chain(piece)


def _split_lines(root: ET.Element) -> Iterator[list[ET.Element]]:
    """Yield the chains of a display; a row with an empty left cell continues the one above."""
    parts = [*_flatten(root)]
    if len(parts) != 1 or parts[0].tag != "mtable":
        yield parts
        return
    line: list[ET.Element] = []
    for row in parts[0]:
        first, *rest = [[*_flatten(cell)] for cell in row if not _is_label(cell)]
        rest = [[*dropwhile(lambda part: part.tag == "apart", cell)] for cell in rest]
        ended = bool(line) and (line[-1].text or "").strip() in (",", ".", ";")
        goes_on = not first and rest and (rest[0][0].text or "") in ("+", "−", *RELATIONS)
        if line and not (goes_on and not ended):
            yield line
            line = []
        line += [*first, *(part for cell in rest for part in cell)]
    yield line


def _is_label(cell: ET.Element) -> bool:
    """Return whether a cell has only words, such as the name of a line."""
    parts = [*_flatten(cell)]
    return (
        len(parts) == 1
        and parts[0].tag == "mtext"
        and _join_words(parts[0]) not in CONNECTING_WORDS
    )


def _flatten(node: ET.Element) -> Iterator[ET.Element]:
    """Yield the children of an element, and those of groups in place of the groups."""
    for part in node:
        if part.tag in ("mrow", "mpadded"):
            yield from _flatten(part)
        elif part.tag == "mspace":
            width = part.get("width", "0em").removesuffix("em")
            if float(width or 0) >= WIDE_SPACE:
                yield ET.Element("apart")
        elif part.tag != "mphantom" and (part.text or "") != INVISIBLE:
            yield part


def _split_pieces(parts: list[ET.Element]) -> Iterator[list[ET.Element]]:
    """Yield the formulas of a line that commas, wide spaces or words separate."""
    piece: list[ET.Element] = []
    depth = 0
    for part in parts:
        sign = (part.text or "").strip() if part.tag == "mo" else ""
        closed = part.tag in ("msup", "msub", "msubsup") and (part[0].text or "") in CLOSERS
        depth += (sign in OPENING) - (sign in CLOSERS or closed)
        condition = any(one.tag == "mtext" for one in piece)
        joined = part.tag == "mtext" and _join_words(part) in CONNECTING_WORDS
        if part.tag == "apart" or joined or (sign in SEPARATORS and depth == 0 and not condition):
            if piece and part.tag != "apart":
                yield piece
                piece = []
            continue
        piece.append(part)
    if piece and (piece[-1].text or "").strip() in (",", "."):
        piece.pop()
    if piece:
        yield piece


def _parse_chain(parts: list[ET.Element]) -> Chain:
    for part in parts:
        if part.tag == "mtext" and _join_words(part) == "if and only if":
            part.tag, part.text = "mo", "⟺"
    words = next((n for n, part in enumerate(parts) if part.tag == "mtext"), len(parts))
    row = Row(parts[:words])
    sides, relations = [_parse_sum(row)], []
    while row.sign in RELATIONS:
        relations.append(row.take().text or "")
        sides.append(_parse_sum(row))
    if row.next_part is not None:
        raise UnsupportedFormula(f"{_get_text(row.next_part)} is not understood here")
    return Chain(tuple(sides), tuple(relations), _parse_condition(parts[words:]))


def _parse_condition(parts: list[ET.Element]) -> Chain | None:
    if not parts:
        return None
    words, rest = _join_words(parts[0]), parts[1:]
    if words in ("for", "if") and rest:
        return _parse_dotted_range(rest) or _parse_chain(
            [part for part in rest if (part.text or "").strip() != ","]
        )
    if words in ("otherwise", "else") and not rest:
        return None
    raise UnsupportedFormula(f"the words “{words}” are not understood")


def _parse_dotted_range(parts: list[ET.Element]) -> Chain | None:
    """Return the bounds of k for a condition of the form k = 1, …, n."""
    signs = [(part.text or "").strip() if part.tag == "mo" else "" for part in parts]
    if [one for one in signs if one in ("=", ",", ".")] not in (DOTTED_RANGE, [*DOTTED_RANGE, "."]):
        return None
    equals, first = signs.index("="), signs.index(",")
    last = len(signs) - 1 - signs[::-1].index(",")
    end = len(parts) - (signs[-1] == ".")
    sides = (parts[equals + 1 : first], parts[:equals], parts[last + 1 : end])
    low, name, high = (_parse_sum(Row(side)) for side in sides)
    return Chain((low, name, high), ("≤", "≤"))


def _parse_sum(row: Row) -> Tree:
    """Return a sum of products."""
    sign = (row.take().text or "") if row.sign in ("+", "−", "±") else "+"
    terms = [(sign, _parse_product(row))]
    while row.sign in ("+", "−", "±"):
        terms.append((row.take().text or "", _parse_product(row)))
    return terms[0][1] if len(terms) == 1 and sign == "+" else Sum(tuple(terms))


def _parse_product(row: Row) -> Tree:
    """Return a product, divided by the factors after a slash."""
    value = Product(tuple(_parse_factors(row))) if row.sign not in ("⋅", "×", "/") else None
    if value is None or not value.factors:
        raise UnsupportedFormula(f"{_get_text(row.next_part)} where a factor should be")
    tree: Tree = _unwrap(value)
    while row.sign in ("⋅", "×", "/") or _get_word(row) == "mod":
        sign = _get_word(row) or row.sign
        row.take()
        other = _unwrap(Product(tuple(_parse_factors(row))))
        tree = Product((tree, other)) if sign == "⋅" else Quotient(tree, other, sign)
    return tree


def _unwrap(product: Product) -> Tree:
    return product.factors[0] if len(product.factors) == 1 else product


def _parse_factors(row: Row) -> Iterator[Tree]:
    while row.next_part is not None and _get_word(row) != "mod":
        sign = row.sign
        if sign and not sign.isalpha() and sign not in (*FACTOR_STARTS, *FUNCTIONS):
            return
        if row.closing and sign == row.closing[-1]:
            return
        if sign == APPLY:
            row.take()
            continue
        yield _parse_factor(row)


def _parse_factor(row: Row) -> Tree:
    here = row.next_part
    if here is None:
        raise UnsupportedFormula("the formula ends where a factor should be")
    if _name_function(here):
        return _parse_application(row)
    if row.sign in CLOSING:
        return _parse_brackets(row)
    row.take()
    if (
        (here.text or "").strip() == "{"
        and row.next_part is not None
        and row.next_part.tag == "mtable"
    ):
        return _parse_table(row.take())
    return _parse_element(here)


def _parse_element(node: ET.Element) -> Tree:
    """Return the tree of one element."""
    parts = list(node)
    match node.tag:
        case "mn":
            return Number((node.text or "").strip())
        case "mi" | "mo" if (node.text or "").strip() not in ("", "."):
            name = normalise_name((node.text or "").strip())
            upright = node.get("mathvariant") == "normal" and name in ("i", "e")
            return Name(f"{name}!" if upright else name)
        case "mtext":
            return Name(normalise_name((node.text or "").strip()))
        case "mfrac":
            return Quotient(_parse_content(parts[0]), _parse_content(parts[1]))
        case "msqrt":
            return Application("sqrt", _parse_content(_make_row(parts)))
        case "msub":
            return Indexed(_parse_element(parts[0]), _parse_indices(parts[1]))
        case "msup":
            return _parse_power(_parse_element(parts[0]), parts[1])
        case "msubsup":
            return _parse_index_and_power(_parse_element(parts[0]), parts[1], parts[2])
        case "mover" | "munder" if (parts[1].text or "") in ("¯", "⏟"):
            inner = _parse_content(parts[0])
            return Power(inner, Name("¯")) if parts[1].text == "¯" else inner
        case "munder" if parts[0].tag == "munder":  # a brace with its words
            return _parse_element(parts[0])
        case "mtable":
            return _parse_table(node)
        case "mrow" | "mtd" | "mpadded":
            return _parse_content(node)
    raise UnsupportedFormula(f"{_get_text(node)} is not understood")


def _parse_power(base: Tree, exponent: ET.Element) -> Tree:
    """Return a power, or a name with a mark on it."""
    mark = "".join(exponent.itertext()).strip()
    first, *rest = [*_flatten(exponent)] or [exponent]
    if rest and first.text == "′" and isinstance(base, Name):  # b′ with a power
        return Power(Name(base.text + "′"), _parse_content(_make_row(rest)))
    if isinstance(base, Name) and (exponent.tag == "mtext" or mark in ("′", "∗")):
        return Name(base.text + mark)
    if mark in ("′", "∗"):
        raise UnsupportedFormula(f"{mark} is only supported on a name")
    if mark == "⊤":
        return Power(base, Name("⊤"))
    if isinstance(base, Name) and base.text == "e":
        return Application("exp", _parse_content(exponent))
    return Power(base, _parse_content(exponent))


def _parse_index_and_power(base: Tree, below: ET.Element, above: ET.Element) -> Tree:
    """Return something with an index, and a power or a mark; a mark belongs to the name."""
    raised = _parse_power(base, above)
    if isinstance(raised, Name):
        return Indexed(raised, _parse_indices(below))
    return _parse_power(Indexed(base, _parse_indices(below)), above)


def _parse_content(node: ET.Element) -> Tree:
    """Return the one expression in an element."""
    parts = [*_flatten(node)] if node.tag in ("mrow", "mtd", "mpadded") else [node]
    row = Row(parts)
    tree = _parse_sum(row)
    if row.next_part is not None:
        raise UnsupportedFormula(f"{_get_text(row.next_part)} is not understood here")
    return tree


def _make_row(parts: list[ET.Element]) -> ET.Element:
    node = ET.Element("mrow")
    node.extend(parts)
    return node


def _parse_indices(node: ET.Element) -> tuple[Tree, ...]:
    """Return the expressions of an index."""
    if node.tag in ("mtext", "mo"):
        return (Name((node.text or "").strip()),)
    parts = [*_flatten(node)] if node.tag == "mrow" else [node]
    return tuple(_parse_chain(piece).sides[0] for piece in _split_pieces(parts))


def _parse_brackets(row: Row) -> Tree:
    """Return brackets, with the power and the index of the closing one."""
    opening = row.sign
    if row.take().tag != "mo":
        raise UnsupportedFormula(f"{opening} opens nothing")
    row.closing.append(CLOSING[opening])
    parts = [_parse_sum(row)]
    while row.sign in (",", ";"):
        row.take()
        parts.append(_parse_sum(row))
    if row.sign != row.closing.pop():
        raise UnsupportedFormula(f"{opening} is not closed")
    end = row.take()
    tree: Tree = Brackets(opening, tuple(parts))
    if opening in "([" and len(parts) == 1 and isinstance(parts[0], Matrix):
        tree = parts[0]
    if end.tag in ("msub", "msubsup"):
        tree = Indexed(tree, _parse_indices(end[1]))
    return _parse_power(tree, end[-1]) if end.tag in ("msup", "msubsup") else tree


def _name_function(node: ET.Element) -> str:
    """Return the name of a function or a sum, without its indices and powers."""
    kernel = node
    while kernel.tag in ("msub", "msup", "msubsup", "munder", "munderover", "mrow") and len(kernel):
        inner = [part for part in kernel if part.tag != "mspace"]
        kernel = inner[0]
    name = (kernel.text or "").strip() if kernel.tag in ("mi", "mo") else ""
    upright = kernel.tag == "mo" or kernel.get("mathvariant") == "normal"
    return name if name in ("∑", *FUNCTIONS) or (name == "E" and upright) else ""


def _parse_application(row: Row) -> Tree:
    node = row.take()
    name = _name_function(node)
    around = list(node)[1:] if node.tag not in ("mi", "mo", "mrow") else []
    if row.sign == APPLY:
        row.take()
    if name in MOMENTS:
        return _parse_moment(name, row)
    if name == "∑" or node.tag == "munder":
        return _parse_big_operator(name, around, row)
    power = _parse_content(around[-1]) if node.tag in ("msup", "msubsup") else None
    bounds = (_parse_content(around[0]),) if node.tag in ("msub", "msubsup") else ()
    return Application(name, _parse_argument(row), power, bounds)


def _parse_moment(name: str, row: Row) -> Tree:
    """Return a mean or variance of square brackets, or of the product up to the next one."""
    if row.sign == "[":
        tree = _parse_brackets(row)
        if isinstance(tree, Power):
            return Application(name, tree.base, tree.exponent)
        return Application(name, tree)
    factors = []
    for factor in _parse_factors(row):
        factors.append(factor)
        if row.next_part is None or _name_function(row.next_part) in MOMENTS:
            break
    if not factors:
        raise UnsupportedFormula(f"{name} without an argument")
    return Application(name, _unwrap(Product(tuple(factors))))


def _parse_argument(row: Row) -> Tree:
    """Return the argument of a function: brackets, or the factors up to the next function."""
    if row.sign == "(":
        return _parse_brackets(row)
    here = row.next_part
    if here is not None and _name_function(here):
        return _parse_application(row)
    factors = []
    for factor in _parse_factors(row):
        factors.append(factor)
        if row.next_part is None or _name_function(row.next_part) or _is_matrix(row):
            break
    if not factors:
        raise UnsupportedFormula("a function without an argument")
    return _unwrap(Product(tuple(factors)))


def _is_matrix(row: Row) -> bool:
    """Return whether a matrix comes next, which no function takes as a factor of its argument."""
    after = row.parts[row.place + 1 : row.place + 2]
    return row.sign in ("(", "[") and bool(after) and after[0].tag == "mtable"


def _parse_big_operator(name: str, around: list[ET.Element], row: Row) -> Tree:
    """Return a sum, a maximum or a minimum over one or more indices."""
    if not around:
        raise UnsupportedFormula(f"{name} without an index")
    below = [*_flatten(around[0])] if around[0].tag == "mrow" else [around[0]]
    indices, bounds, condition = _parse_range(name, below)
    if len(around) > 1:
        bounds = (*bounds, _parse_content(around[1]))
    if len(bounds) not in (0, 2):
        raise UnsupportedFormula(f"the range of {name} is not understood")
    function = "sum" if name == "∑" else name
    return Application(function, _parse_product(row), None, bounds, indices, condition)


def _parse_range(
    name: str, below: list[ET.Element]
) -> tuple[tuple[str, ...], tuple[Tree, ...], Chain | None]:
    """Return the indices below a sum, the bounds that are written there, and a condition."""
    signs = [(part.text or "").strip() if part.tag == "mo" else "" for part in below]
    if ":" in signs:  # j: p_j = p
        colon = signs.index(":")
        indices, bounds, _ = _parse_range(name, below[:colon])
        return indices, bounds, _parse_chain(below[colon + 1 :])
    *others, chain = [_parse_chain(piece) for piece in _split_pieces(below)]
    first, *rest = chain.sides
    indices = tuple(one.sides[0].text for one in others if isinstance(one.sides[0], Name))
    if len(rest) > 1 or len(indices) < len(others):
        raise UnsupportedFormula(f"the range of {name} is not understood")
    match first, chain.relations, rest:
        case Name(text), (), []:
            return (*indices, text), (), None
        case Name(text), ("=",), [low]:
            return (*indices, text), (low,), None
        case Name(text), ("<",), [end]:
            return (text,), (Number("0"), Sum((("+", end), ("−", Number("1"))))), None
        case Name(text), ("≥",), [low]:
            return (text,), (low, Name("∞")), None
        case Name(text), ("≠",), [Name(other)]:
            return (text, other), (), chain
        case Name(text), ("≠",), [_]:
            return (text,), (), chain
        case Indexed(_, (Name(text),)), ("=",), [_]:  # u_p = 1
            return (text,), (), chain
    raise UnsupportedFormula(f"the range of {name} is not understood")


def _parse_table(node: ET.Element) -> Tree:
    """Return a matrix, or the cases of a definition if there are words in it."""
    rows = [[[*_flatten(cell)] for cell in row] for row in node]
    if any(part.tag == "mtext" for row in rows for cell in row for part in cell):
        cases = []
        for value, *rest in rows:
            ended = value[:-1] if (value[-1].text or "").strip() == "," else value
            condition = [part for cell in rest for part in cell]
            while condition and (condition[-1].text or "").strip() in (",", "."):
                condition.pop()
            cases.append((_parse_chain(ended).sides[0], _parse_condition(condition)))
        return Cases(tuple(cases))
    blank: Tree = Name("")
    return Matrix(
        tuple(tuple(_parse_chain(cell).sides[0] if cell else blank for cell in row) for row in rows)
    )


def _join_words(part: ET.Element) -> str:
    """Return the words of a text, with single spaces."""
    return " ".join((part.text or "").split()).strip(" .,")


def _get_word(row: Row) -> str:
    here = row.next_part
    return "mod" if here is not None and here.tag == "mi" and here.text == "mod" else ""


def _get_text(node: ET.Element | None) -> str:
    return "nothing" if node is None else "".join(node.itertext()).strip() or node.tag
