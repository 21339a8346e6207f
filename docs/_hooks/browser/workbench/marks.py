"""Find the keys of a config that a message finds fault with, and where they are in its text."""

import json
import re
from collections.abc import Iterator

from posenc.scaling.keys import KEY_NAMES, TEXT_PARTS

ADVICE = re.compile(r"[;:,] (?:write|pass|remove|use|add|leave)\b")  # follows what is wrong
TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|[{}\[\]]')
Place = tuple[tuple[str, ...], int, int]  # the path of a key, and where it starts and ends


def list_marks(message: str, text: str, part: str | None) -> list[tuple[int, int]]:
    """Return where the keys are that a message finds fault with, else those in its advice."""
    places = [place for place in _list_keys(text) if _is_read(place[0], part, text)]
    names = {path[-1] for path, _, _ in places}
    fault, advice = ADVICE.split(message, maxsplit=1) if ADVICE.search(message) else (message, "")
    for words in (fault, advice):
        named = {_find_key(word, names) for word in re.findall(r"[\w.]+", words)}
        if found := [(start, end) for path, start, end in places if path[-1] in named]:
            return found
    return []


def _find_key(word: str, names: set[str]) -> str | None:
    """Return the key that a word of a message means: `type` for rope_type in older files."""
    last = word.strip(".").rpartition(".")[2]
    older = (key for key, name in KEY_NAMES.items() if name == last)
    return next((key for key in (last, *older) if key in names), None)


def _list_keys(text: str) -> Iterator[Place]:
    """Yield each key of a JSON text."""
    path: list[str] = []
    key = ""
    for token in TOKEN.finditer(text):
        if token[2]:
            key = json.loads(token[1], strict=False)
            yield (*path[1:], key), *token.span(1)
        elif token[0] in "{[":
            path.append(key)
        elif token[0] in "}]" and path:
            path.pop()


def _is_read(path: tuple[str, ...], part: str | None, text: str) -> bool:
    """Return whether a key is in the part of the config that is read."""
    named = part or next((name for name in TEXT_PARTS if f'"{name}"' in text), None)
    if named is None:
        return True
    inside = tuple(named.split("."))
    return path[: len(inside)] == inside
