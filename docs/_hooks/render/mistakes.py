"""The catalogue of mistakes: lists of wrong functions, generated from the files that define them.

The files in `docs/reference/mistakes/` are read without running them. A page shows the mistakes of
one section in place of `<!-- mistakes: alibi -->`: what is wrong, where it was seen, the index of
the first wrong entry, and what the judge says. The functions follow, folded.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from check.paths import DOCS
from render.text_edits import Edit

FOLDER = DOCS / "reference/mistakes"
MARK = re.compile(r"<!-- mistakes: (?P<section>[\w-]+) -->")
THREAD = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)#(?P<number>\d+)")
JUDGES = ("compared", "identified", "keeps")


@dataclass(frozen=True)
class Entry:
    """A mistake as the page shows it."""

    mistake: str
    seen: str
    judge: str
    message: str
    first: tuple[int, ...] | None


@dataclass
class Section:
    """The mistakes of a section, and the code of their functions."""

    entries: list[Entry] = field(default_factory=list)
    code: list[str] = field(default_factory=list)


def insert_mistakes(text: str) -> Iterator[Edit]:
    """Yield the edits that replace each mark on a page by the mistakes of a section."""
    marks = list(MARK.finditer(text))
    sections = read_catalogue() if marks else {}
    for match in marks:
        if match["section"] not in sections:
            raise ValueError(f"no mistake in {FOLDER.name}/ is in the section {match['section']}")
        yield *match.span(), render_section(sections[match["section"]])


def read_catalogue() -> dict[str, Section]:
    """Return the sections of all files by name."""
    return read_modules(path.read_text("utf-8") for path in sorted(FOLDER.glob("*.py")))


def read_modules(texts: Iterable[str]) -> dict[str, Section]:
    """Return the sections of files, given their text."""
    modules = [(text, ast.parse(text).body) for text in texts]
    judges = {
        ast.unparse(node.targets[0]): node.value
        for _, nodes in modules
        for node in nodes
        if isinstance(node, ast.Assign) and _is_judge(node.value)
    }
    sections: dict[str, Section] = {}
    for text, nodes in modules:
        _read_nodes(text, nodes, judges, sections)
    return sections


def _read_nodes(
    text: str, nodes: list[ast.stmt], judges: dict[str, ast.Call], sections: dict[str, Section]
) -> None:
    """Add the mistakes of a file to their sections, with the functions that they use.

    Functions before a mistake, such as the right one, belong to the same section.
    """
    lines = text.splitlines()
    helpers: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Expr):
            continue
        if isinstance(node, ast.Assign) and _is_judge(node.value):
            continue
        helpers.append("\n".join(lines[node.lineno - 1 : node.end_lineno]))
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            call = node.decorator_list[0]
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "mistake":
                section = sections.setdefault(ast.literal_eval(call.args[0]), Section())
                section.entries.append(_read_entry(node, call, judges))
                section.code += helpers
                helpers = []


def _is_judge(value: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in JUDGES


def _read_entry(function: ast.FunctionDef, call: ast.Call, judges: dict[str, ast.Call]) -> Entry:
    """Return the entry of a wrong function, given the call of its decorator."""
    judge = judges.get(ast.unparse(call.args[1]), call.args[1])
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    return Entry(
        (ast.get_docstring(function) or "").splitlines()[0],
        ast.literal_eval(options["seen"]),
        _name_judge(judge),
        ast.literal_eval(options["message"]),
        ast.literal_eval(options["first"]) if "first" in options else None,
    )


def _name_judge(judge: ast.expr) -> str:
    """Return the name of the function that judges: `compare`, `identify`, or a law."""
    if not _is_judge(judge):
        raise ValueError(f"a judge must be a call of one of {JUDGES}, got {ast.unparse(judge)}")
    names = {"compared": "compare", "identified": "identify"}
    return names.get(ast.unparse(judge.func)) or ast.unparse(judge.args[0])


def render_section(section: Section) -> str:
    """Return the mistakes of a section as a list, and their code in a fold."""
    items = [_render_item(entry) for entry in section.entries]
    code = "\n\n\n".join(section.code)
    fold = f"/// details | Code of these functions\n    type: code\n\n```python\n{code}\n```\n///"
    return "\n".join([*items, "", fold])


def _render_item(entry: Entry) -> str:
    """Return an entry as an item of a list, on two lines."""
    judge = f"`{entry.judge}` says"
    if entry.first is not None:
        judge = f"First wrong at `{list(entry.first)}`; {judge}"
    return (
        f"- **{escape(entry.mistake)}** Seen in {link(entry.seen)}.  \n"
        f"  {judge}: *{escape(entry.message.rstrip('.'))}*."
    )


def link(seen: str) -> str:
    """Return a link to a thread on GitHub; other words unchanged."""
    thread = THREAD.fullmatch(seen)
    if thread is None:
        return escape(seen)
    url = f"https://github.com/{thread['repository']}/issues/{thread['number']}"
    return f"[{seen}]({url})"


def escape(words: str) -> str:
    """Return words in which Markdown changes nothing."""
    return re.sub(r"([\\`*_|<>\[\]$])", r"\\\1", words)
