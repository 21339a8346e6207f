"""Blind answers: those that a session gives whatever the package returns to it.

A page is run again and again with wrong values, as `engine/misled.py` makes them, and what its
prompts print is held against what stands there. A number has to be another one at least once.
A verdict, each `True` and an answer of nothing but zero or nothing at all, has to notice every
time, in one half or the other. One that says that things differ may notice that they are the
same instead, and a `False` may notice anything. Where an answer comes to nothing of the package,
its own names stand for wrong values, as `engine/handed.py` hands them over. And each name that it
reads and that stands for numbers of the package stands for wrong ones alone: whoever takes the
same for both sides of a comparison has compared it with nothing.

Cards are judged by `engine/strength.py`, and a refusal that a session shows judges itself.
"""

import ast
import io
import json
import os
import re
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from sybil import Document

from engine import examples, sessions, statements
from engine.checks import reset
from engine.handed import ALL, Handed, is_data
from engine.misled import CALLS, ENTRIES, FORM, WAYS, Misled
from engine.numbers import HalfUnit
from engine.strength import forked
from engine.witnesses import FUNCTIONS, Helpers, bound_in

TRIES = [(kind, seed) for kind in (ENTRIES, CALLS) for seed in range(4)]  # which halves
FORMS = [(FORM, seed) for seed in range(8)]
HALVES = (0, 1)
ALONE = [*product(WAYS, TRIES[:1]), ("more", FORMS[0])]  # in which a name alone is wrong
PATIENCE = 8  # seconds of computing that a prompt may take with wrong values
WHOLE = 3000  # and a page, by the clock: for what never comes back to Python, on any machine

TRUTH = re.compile(r"\b(?:np\.)?(True|False)_?\b")
WORD = re.compile(r"'[^'\n]*'|[^\W\d_]{3,}")
OF_ARRAYS = {"array", "dtype", "bool", "True", "False"}  # any other word tells something
NOTHING = re.compile(r"[\s()\[\],]*(?:-?0(?:\.0?)?|\[\]|set\(\)|\{\})[\s()\[\],0.-]*")
PRINTED, NONE, HOLDS = "it prints", "nothing", "assertion"  # parts of answers that are no truths
TRACEBACK = "Traceback (most recent call last)"
DIFFERENT = (ast.Gt, ast.GtE, ast.NotEq, ast.Not)
FIXED = (FunctionType, ModuleType, type, int, float, str, tuple)  # not changed where it is
HOLDING = (np.ndarray, list, dict, set)  # changed by statements alone; a generator by each draw
NAMES = (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)
SAME = HalfUnit()


class CrashError(Exception):
    """A prompt that raises, or does not end: it says nothing of what it would print."""


@dataclass
class Prompt:
    """A prompt of a page, or a fence of Python, and what its answer has not noticed."""

    source: str
    want: str
    line: int
    judged: bool
    reaches: tuple[bool, ...]  # the package: each verdict, or else one of them
    differs: tuple[bool, ...]  # and says that things are not the same
    binds: set[str]  # names
    reads: set[str]
    defines: bool  # something, and has to run for it
    alters: bool  # something else than the names that it binds, perhaps
    sets: bool  # what a module or an object has by a name, as in `mpmath.mp.dps = 60`
    made: dict[str, Any] = field(default_factory=dict)  # what its names stand for afterwards
    missed: dict[str, set[tuple[str, int]]] = field(default_factory=dict)  # by each part
    alone: set[str] = field(default_factory=set)  # names whose wrong numbers it has not noticed

    @property
    def parts(self) -> list[str]:
        """Return the parts of its answer that have to notice something."""
        if not self.want:
            return [HOLDS]
        truths = TRUTH.findall(self.want)
        if truths and OF_ARRAYS.issuperset(WORD.findall(self.want)):
            return [f"{word} {place}" for place, word in enumerate(truths, 1)]
        return [NONE if NOTHING.fullmatch(self.want) else PRINTED]

    def of(self, part: str, known: tuple[bool, ...]) -> bool:
        """Return what is known of a part: of its own verdict, or else of any of the prompt's."""
        by_part = len(known) == len(self.parts)
        return known[self.parts.index(part)] if by_part else any(known)

    def changed(self, got: str | None) -> list[str]:
        """Return the parts that are others in another answer; None is an assertion that fails."""
        if got is None or not self.want:
            return self.parts if got is None else []
        if SAME.check_output(self.want, got, 0):
            return []
        was, now = TRUTH.findall(self.want), TRUTH.findall(got)
        if self.parts[0] in (NONE, PRINTED) or len(was) != len(now):
            return self.parts
        return [p for p, one, other in zip(self.parts, was, now, strict=True) if one != other]

    def note(self, part: str, tried: tuple[str, int]) -> None:
        """Note that a part was another one; of some, once is enough."""
        if tried in TRIES and not _once(part):
            self.missed[part].discard(tried)
        else:
            self.missed[part].clear()


@dataclass(frozen=True)
class Blind:
    """An answer that notices too little."""

    prompt: str
    said: str


def blind(document: Document) -> Iterator[Blind]:
    """Yield the answers of a page, which has to hold, that notice too little."""
    os.environ["DASK_SCHEDULER"] = "synchronous"  # its threads are not there in a fork
    found, names = [*prompts(document)], document.namespace
    _as_it_is(found, names, str(document.path))
    for way, tried in [*product(WAYS, TRIES), *product(["more"], FORMS)]:
        kind, seed = tried
        places = _needed(found, partial(_asked, tried=tried))
        for half in HALVES if places else ():
            misled = Misled(kind, seed, half, way)
            for place, part in _told(partial(_misled, found, places, names, misled), WHOLE):
                found[place].note(part, tried)
    for place, part, *tried in _told(partial(_handed, found, names), WHOLE):
        found[place].note(part, tuple(tried))
    for place, name in _told(partial(_handed_alone, found, names), WHOLE):
        found[place].alone.discard(name)
    for prompt in found:
        parts = [part for part, missed in prompt.missed.items() if missed]
        yield from (Blind(prompt.source, _said(prompt, part)) for part in parts)
        for name in () if parts else sorted(prompt.alone):
            yield Blind(prompt.source, f"answers the same, whatever {name} stands for")


def prompts(document: Document) -> Iterator[Prompt]:
    """Yield what runs on a page, in order."""
    cards = [(card.start, card.verification.end) for card in statements.cards(document.text)]
    helpers = Helpers()
    for example in document:
        kind, parsed = example.region.evaluator, example.region.parsed
        if kind not in (sessions.evaluate, examples.python):
            continue
        tree, want = ast.parse(parsed.source), getattr(parsed, "want", "")
        _learn(helpers, tree)
        prompt = Prompt(
            source=parsed.source,
            want=want,
            line=example.line,
            judged=False,
            reaches=tuple(bool(helpers.reached(verdict)) for verdict in _verdicts(tree)),
            differs=tuple(_differs(verdict, helpers) for verdict in _verdicts(tree)),
            binds=_bound(tree),
            reads=_names(tree, ast.Load) | _augmented(tree),
            defines=not want or any(not isinstance(node, ast.Expr) for node in tree.body),
            alters=not all(map(_only_binds, tree.body)),
            sets=any(map(_sets, tree.body)),
        )
        within = any(start <= example.region.start < end for start, end in cards)
        says = (want and TRACEBACK not in want) or _asserts(tree)
        plain = not any(prompt.reaches) and prompt.parts == [PRINTED]  # arithmetic
        prompt.judged = bool(says) and not within and not plain
        yield prompt


def _learn(helpers: Helpers, tree: ast.Module) -> None:
    """Note what a prompt defines, in its blocks and name by name, too."""
    helpers.learn(tree)
    for node in tree.body:
        if isinstance(node, ast.For | ast.If | ast.Try | ast.While | ast.With):
            helpers.made |= dict.fromkeys(_names(node, ast.Store), node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else []
                if len(names) == len(node.value.elts):
                    pairs = zip(names, node.value.elts, strict=True)
                    helpers.made |= {one.id: v for one, v in pairs if isinstance(one, ast.Name)}


def _as_it_is(found: list[Prompt], names: dict[str, Any], page: str) -> None:
    """Run a page as it is, and note what its names stand for, and what has to be noticed."""
    reset(names)
    of_package = set[str]()
    for prompt in found:
        if prompt.judged or prompt.defines:
            before = dict(names)
            got = printed(prompt, names, patience=WHOLE)
            held = TRACEBACK in prompt.want or SAME.check_output(prompt.want, got or "", 0)
            assert held, f"{page}:{prompt.line}: the page does not hold"
            prompt.made = {n: v for n, v in names.items() if before.get(n, before) is not v}
            of_package -= prompt.binds
            if any(prompt.reaches):
                of_package |= {name for name in prompt.binds if _can_be_wrong(names.get(name))}
        if prompt.judged:
            prompt.missed = {part: {*TRIES} for part in prompt.parts}
            if not (any(prompt.differs) or any(map(_once, prompt.parts))):
                prompt.alone = prompt.reads & of_package - bound_in(ast.parse(prompt.source))


def _can_be_wrong(value: Any) -> bool:
    """Return whether something is, or holds, what can be made wrong: no objects, no bytes."""
    if isinstance(value, list | tuple | dict):
        return any(map(_can_be_wrong, value.values() if isinstance(value, dict) else value))
    return is_data(value) and Misled(ENTRIES).moved(value, "") is not value


def _asked(prompt: Prompt, tried: tuple[str, int]) -> bool:
    """Return whether it has to be seen what a prompt makes of some halves."""
    if tried in FORMS:
        return bool(prompt.missed.get(PRINTED))
    return any(prompt.reaches) and any(tried in missed for missed in prompt.missed.values())


def _misled(
    found: list[Prompt], places: Sequence[int], names: dict[str, Any], misled: Misled
) -> Iterator[str]:
    """Run a page with wrong values, and yield each part that is another one, by its place.

    Where a prompt raises, its names stand for what they stood for.
    """
    tried = (misled.kind, misled.seed)
    reset(names)
    misled.classes(names)
    for place in places:
        prompt, got = found[place], None
        try:
            got = printed(prompt, names)
            if _asked(prompt, tried):
                yield from (json.dumps([place, part]) for part in prompt.changed(got))
        except CrashError:
            pass
        if got is None:
            names.update(prompt.made)
        misled.put(names)


def _in_turn(
    found: list[Prompt], names: dict[str, Any], asked: Callable[[Prompt], bool]
) -> Iterator[tuple[int, Prompt]]:
    """Run a page as it is, and yield each prompt that is asked, with its place, before it runs."""
    reset(names)
    for place in _needed(found, asked):
        prompt = found[place]
        if asked(prompt):
            yield place, prompt
        if prompt.defines:
            printed(prompt, names, patience=WHOLE)


def _handed(found: list[Prompt], names: dict[str, Any]) -> Iterator[str]:
    """Yield what notices other values in the names of its page, of what has noticed too little."""
    for place, prompt in _in_turn(found, names, lambda prompt: any(prompt.missed.values())):
        for misled, sizes in _ways(prompt):
            changed = partial(_changed, prompt, Handed(misled, names, sizes))
            for (part,) in _told(changed, WHOLE):
                if _counts(prompt, part, misled.kind):
                    yield json.dumps([place, part, misled.kind, misled.seed])


def _handed_alone(found: list[Prompt], names: dict[str, Any]) -> Iterator[str]:
    """Yield the names of whose wrong numbers an answer is another one."""
    for place, prompt in _in_turn(found, names, lambda prompt: bool(prompt.alone)):
        for name in sorted(prompt.alone):
            for (way, (kind, seed)), half in product(ALONE, HALVES):
                handed = Handed(Misled(kind, seed, half, way), names, only=name)
                if _told(partial(_alone, prompt, handed), WHOLE):
                    yield json.dumps([place, name])
                    break


def _alone(prompt: Prompt, handed: Handed) -> Iterator[str]:
    """Yield something if an answer is another one; where there is none, that says nothing."""
    with suppress(CrashError):
        got = printed(prompt, handed.namespace, handed.source(prompt.source))
        if got is None or not SAME.check_output(prompt.want, got, 0):
            yield json.dumps("another")


def _ways(prompt: Prompt) -> Iterator[tuple[Misled, bool]]:
    yield from ((Misled(kind), sizes) for kind in ALL for sizes in (True, False))
    for way, (kind, seed), half in product(WAYS, TRIES, HALVES):
        if not all(prompt.reaches) or any(map(_once, prompt.missed)):
            yield Misled(kind, seed, half, way), True


def _counts(prompt: Prompt, part: str, kind: str) -> bool:
    """Return whether it says something that a part is another one with other values in its names.

    What is said to be the same stays so where all is.
    """
    same = kind in ALL
    return _once(part) or (
        prompt.of(part, prompt.differs) if same else not prompt.of(part, prompt.reaches)
    )


def _once(part: str) -> bool:
    """Return whether a part need not notice more than once: *not the same* is no more than that."""
    return part == PRINTED or part.startswith("False")


def _changed(prompt: Prompt, handed: Handed) -> Iterator[str]:
    with_others = handed.source(prompt.source)
    try:
        got = printed(prompt, handed.namespace, with_others)
    except CrashError:
        return
    yield from (json.dumps([part]) for part in prompt.changed(got))


def _said(prompt: Prompt, part: str) -> str:
    """Return what is wrong with a part of an answer."""
    of = "the package returns" if prompt.of(part, prompt.reaches) else "its names stand for"
    if part == PRINTED:
        return f"prints the same, whatever {of}"
    word, _, place = part.partition(" ")
    if _once(part):
        return f"says False (verdict {place}), whatever {of}"
    tries = f"in {len(prompt.missed[part])} of {len(TRIES)} tries"
    said = {NONE: "finds nothing", HOLDS: "asserts what holds"}
    says = said.get(part, f"says {word} (verdict {place})")
    return f"{says}, whichever half of what {of} is wrong, {tries}"


def _told(run: Callable[[], Iterator[str]], patience: int) -> list[list[Any]]:
    """Return what a run in a fork tells, as far as it came."""
    return [json.loads(line) for line in forked(run, patience)[0]]


def printed(
    prompt: Prompt, names: dict[str, Any], source: str = "", patience: int = PATIENCE
) -> str | None:
    """Return what a prompt prints; None if what it asserts fails, or it shows a refusal."""
    kind = "single" if prompt.want or prompt.judged else "exec"
    code, out = compile(source or prompt.source, "<prompt>", kind), io.StringIO()
    signal.signal(signal.SIGVTALRM, _late)
    signal.setitimer(signal.ITIMER_VIRTUAL, patience)
    try:
        with redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, names)
    except Exception as error:
        if TRACEBACK in prompt.want or (isinstance(error, AssertionError) and not prompt.want):
            return None
        raise CrashError from error
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return out.getvalue()


def _late(*_: object) -> None:
    raise TimeoutError


def _needed(found: list[Prompt], asked: Callable[[Prompt], bool]) -> list[int]:
    """Return the places of what is asked, and of all that may have a part in it."""
    needed, names, before = set[int](), set[str](), -1
    made = [pair for prompt in found for pair in prompt.made.items()]
    changes = {name for name, value in made if not isinstance(value, FIXED)}
    moves = {name for name, value in made if not isinstance(value, (*FIXED, *HOLDING))}
    while before < len(needed):  # a function reads names that are bound behind it
        before = len(needed)
        for place, prompt in reversed([*enumerate(found)]):
            touches = names & (prompt.binds | (prompt.reads & moves))
            touches |= names & prompt.reads & changes if prompt.alters else set()
            touches |= names & prompt.reads if prompt.sets else set()
            if asked(prompt) or (prompt.defines and touches):
                needed.add(place)
                names |= prompt.reads
    return sorted(needed)


def _only_binds(node: ast.stmt) -> bool:
    """Return whether a statement gives names something, and does nothing to what others hold."""
    if isinstance(node, ast.Assign):
        parts = [part for target in node.targets for part in ast.walk(target)]
        return all(isinstance(part, NAMES) and getattr(part, "id", "") != "_" for part in parts)
    return isinstance(node, ast.FunctionDef | ast.Import | ast.ImportFrom)


def _sets(node: ast.stmt) -> bool:
    """Return whether a statement gives something to what a module or an object has by a name."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Attribute) for target in targets)


def _asserts(tree: ast.Module) -> bool:
    """Return whether a prompt asserts something when it runs."""
    run = (node for node in tree.body if not isinstance(node, FUNCTIONS))
    return any(isinstance(part, ast.Assert) for node in run for part in ast.walk(node))


def _verdicts(tree: ast.Module) -> list[ast.AST]:
    """Return what a prompt says, one by one where it is a tuple, or else all of it."""
    said = tree.body[-1] if tree.body else None
    if len(tree.body) == 1 and isinstance(said, ast.Expr) and isinstance(said.value, ast.Tuple):
        return [*said.value.elts]
    return [tree]


def _differs(tree: ast.AST, helpers: Helpers) -> bool:
    """Return whether a verdict, or a function that it names, asks for things not to be the same."""
    made = (helpers.made.get(name) for name in _names(tree, ast.Load))
    asking = [tree, *(one for one in made if isinstance(one, FUNCTIONS))]
    return any(_asks(part) for one in asking for part in ast.walk(one))


def _asks(node: ast.AST) -> bool:
    """Return whether something is held above something, is not the same, or is negative."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt):
        bound = node.comparators[0]
        return isinstance(bound, ast.Constant) and bound.value == 0
    return isinstance(node, DIFFERENT)


def _names(tree: ast.AST, context: type[ast.expr_context]) -> set[str]:
    named = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in named if isinstance(node.ctx, context)}


def _augmented(tree: ast.AST) -> set[str]:
    """Return the names that are read to be given something else, as in `x += 1`."""
    found = (node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign))
    return {target.id for target in found if isinstance(target, ast.Name)}


def _bound(tree: ast.Module) -> set[str]:
    """Return the names that a prompt gives something."""
    found = _names(tree, ast.Store)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
    return found
