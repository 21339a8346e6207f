r"""Domains: each card of a chapter says what it compares, for which values, and means it.

What a statement says of a letter in front of its formula, as *for every real $p$ and base
$b > 1$*, and the domain from which a comparison of the card draws that letter, have to agree: in
the kind of its numbers, and in where they begin. A letter that a comparison reduces wherever it
reads it, as *p* % 2ⁿ, is drawn from less than its domain says, and the statement has to end there,
below 2ⁿ and not at it. So is one of which the larger or smaller of two is taken, as max(*m*, *n*).
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sybil import Document, Region

from engine import comparisons, statements, trees
from engine.complaints import complaint
from engine.formulas import DISPLAY
from engine.readings.cards import stated
from engine.readings.drawing import letter
from engine.texts import by_text
from engine.witnesses import FUNCTIONS, Helpers, prompts

_LETTER = r"\\?[A-Za-z]+(?:_\{?\\?\w+(?:\{\w+\})?\}?)?"
LETTER = re.compile(_LETTER)
BEGINS = re.compile(
    rf"\$(?P<letters>{_LETTER}(?:\s*,\s*{_LETTER})*)\s*(?P<sign>\\ge|>)\s*(?P<least>\d+)\$"
)
KIND = re.compile(
    r"\b(?P<kind>real|whole)\*? (?:\w+ )?(?P<formulas>\$[^$]+\$(?:(?:, | and |, and )\$[^$]+\$)*)"
)
FORMULA = re.compile(r"\$([^$]+)\$")
GREEK = re.compile(r"\\([A-Za-z]+)")
KINDS = {"real": ("real", "above"), "whole": ("whole", "even", "one_of")}
ABOVE = re.compile(r"above\((\d+),")
DRAWN = "says {}, and its card draws {} from {}; let one comparison draw what the statement says"
REDUCED = (
    "does not say where {0} ends, and its card reduces {0} wherever it reads it; say in the "
    "statement for which values it holds, or compare it as it is drawn"
)
NEAR = 2  # another domain that lies above a number begins within so much of it


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each card that does not say what it compares, or for what."""
    if Path(document.path).parent.name != "chapters":
        return
    for card in statements.cards(document.text):
        if not card.verification.title:
            yield complaint(
                card.verification.start,
                "a verification that does not say what it compares, in the line behind which it "
                "is folded; write /// verification | What is compared",
            )
        proven = card.support.text if card.support.kind == "proof" else ""
        if not comparisons.domain_of(proven + card.verification.text):
            yield complaint(
                card.verification.start,
                "a card that does not say for which values it was tried; compare with gap, share, "
                "everywhere or steps of posenc.proofs, the domain of each variable in the call",
            )
    for start, message in dict.fromkeys(reductions(document.text)):
        yield complaint(start, message)
    for one in stated(document.text):
        for message in contradictions(one.block.text, one.domains):
            yield complaint(one.block.start, f"{one.id} {message}")


def contradictions(statement: str, domains: list[dict[str, str]]) -> Iterator[str]:
    """Yield what a statement says of a letter, and no comparison of its card draws."""
    head = DISPLAY.split(statement, maxsplit=1)[0]
    if "d_k" in head and not re.search(r"\bd\b", head):  # the width of a head is d in a session
        domains = [{"d_k" if name == "d" else name: one[name] for name in one} for one in domains]
    drawn: dict[str, set[str]] = {}
    for name, text in (pair for domain in domains for pair in domain.items()):
        drawn.setdefault(name, set()).add(text)
    for kind, name in kinds(head):
        if name in drawn and not any(text.startswith(KINDS[kind]) for text in drawn[name]):
            yield DRAWN.format(f"{kind} {name}", name, " and ".join(sorted(drawn[name])))
    for name, sign, least in beginnings(head):
        if name in drawn and not any(begins(text, sign, least) for text in drawn[name]):
            yield DRAWN.format(f"{name} {sign} {least}", name, " and ".join(sorted(drawn[name])))


def kinds(text: str) -> Iterator[tuple[str, str]]:
    """Yield which letters a text calls real or whole."""
    for match in KIND.finditer(text):
        for formula in FORMULA.findall(match["formulas"]):
            for part in formula.split(","):
                if name := LETTER.match(part.strip()):
                    yield match["kind"], plain(name[0])


def beginnings(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield at or above which whole number a text has letters begin."""
    for match in BEGINS.finditer(text):
        for name in match["letters"].split(","):
            yield plain(name), "≥" if match["sign"] == r"\ge" else ">", int(match["least"])


def begins(text: str, sign: str, least: int) -> bool:
    """Return whether a domain begins there; one whose values have no order does not say."""
    try:
        edges = comparisons.read_domain(text).edges
    except ValueError:  # complained of where the session is read
        return True
    numbers = [edge for edge in edges if isinstance(edge, int | float)]
    if not numbers:
        return True
    if sign == ">" and (bound := ABOVE.match(text)):
        return bound[1] == str(least)
    first = min(numbers)
    return first == least if sign == "≥" else least < first <= least + NEAR


def plain(name: str) -> str:
    r"""Return a letter of TeX as the domains have it: `\lambda` is λ, `d_{k}` is `d_k`."""
    bare = re.sub(r"[{}\s]|\\text", "", name)
    return GREEK.sub(lambda greek: letter(greek[1]), bare)


def reductions(text: str) -> Iterator[tuple[int, str]]:
    """Yield the letters that a card reduces and a statement does not, and where that stands."""
    helpers, asked = Helpers(), [*prompts(text)]
    said, start = "", 0
    for block in statements.blocks(text):
        if block.kind == "statement":
            said, start = DISPLAY.split(block.text, maxsplit=1)[0], block.start
        while asked and asked[0][0] < block.end:
            at, source = asked.pop(0)
            with suppress(SyntaxError):  # complained of where the prompt is run
                tree = trees.tree(source)
                helpers.learn(tree)
                if at > block.start and block.kind == "verification":
                    for name, to in reduced(tree, helpers):
                        if _endless(name, to, said):
                            yield start, REDUCED.format(name)


def _endless(name: str, to: set[str], said: str) -> bool:
    """Return whether a text speaks of a letter and does not say that it ends where it is cut."""
    alone = rf"(?<![\\\w]){re.escape(name)}(?!\w)"
    spoken_of = any(re.search(alone, formula) for formula in FORMULA.findall(said))
    ends = re.search(rf"{alone}\s*(?:<|(?P<with_it>\\le))\s*(?P<end>[^$,]*)", said)
    if ends and ends["with_it"]:  # what is reduced does not come to its modulus
        return re.sub(r"[\s{}]", "", ends["end"]) in to
    return spoken_of and not ends


def reduced(tree: ast.Module, helpers: Helpers) -> Iterator[tuple[str, set[str]]]:
    """Yield the letters that a comparison reads only where it reduces them, and by what."""
    for call in comparisons.calls(tree):
        for word in call.keywords:
            uses = [one for side in call.args for one in _uses(side, word.arg or "", helpers)]
            if uses and all(uses):
                yield word.arg or "", {use.replace("**", "^").replace(" ", "") for use in uses}


def _uses(
    side: ast.AST, name: str, helpers: Helpers, on_the_way: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield for each place where code reads a letter what it is reduced by there, or nothing."""
    if isinstance(side, ast.Name) and isinstance(helpers.made.get(side.id), FUNCTIONS):
        side = helpers.made[side.id]
    left: list[ast.AST] = [*ast.iter_child_nodes(side)]
    while left:
        node = left.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is(node.left, name):
            yield ast.unparse(node.right)
            left.append(node.right)
        elif isinstance(node, ast.Call) and _is_one_of_two(node, name):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and (made := _made(node, helpers, on_the_way)):
            parameters = [one.arg for one in made.args.args]
            handed = [*zip(parameters, node.args, strict=False)]
            handed += [(word.arg or "", word.value) for word in node.keywords]
            for parameter, value in handed:
                if _is(value, name):
                    inside = (*on_the_way, ast.unparse(node.func))
                    yield from _uses(made, parameter, helpers, inside)
                else:
                    left.append(value)
        elif _is(node, name):
            yield ""
        else:
            left += ast.iter_child_nodes(node)


def _made(
    call: ast.Call, helpers: Helpers, on_the_way: tuple[str, ...]
) -> ast.FunctionDef | ast.Lambda | None:
    """Return the function of the page that a call runs, if it is not being followed."""
    name = ast.unparse(call.func)
    made = helpers.made.get(name)
    return made if isinstance(made, FUNCTIONS) and name not in on_the_way else None


def _is_one_of_two(node: ast.Call, name: str) -> bool:
    """Return whether code takes the larger, or the smaller, of a letter and another."""
    letters = {one.id for one in node.args if isinstance(one, ast.Name)}
    return ast.unparse(node.func) in ("max", "min") and name in letters and len(letters) > 1


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
