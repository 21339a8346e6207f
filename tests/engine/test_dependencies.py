"""What code rests on of the package: that an edit is seen where it counts, and nowhere else."""

import ast
import gc
import importlib
import re
import sys
import tokenize
from io import StringIO
from pathlib import Path
from textwrap import dedent

import pytest

import posenc
from engine import checks
from engine.cache import sources
from engine.dependencies import Package, taken_apart
from engine.figures import Drawing
from engine.places import DOCS, PACKAGE
from engine.texts import read
from pages.workers import subjects
from tests.checking import package, parser
from tests.nav import CHAPTERS
from tests.tracing import functions_of, loaded, outside

FILES = {
    "__init__.py": """
        from pack.waves import tall as high, wave
        from pack import tools

        __all__ = ["wave", "high", "tools"]
        """,
    "waves.py": """
        import math
        from pack.marks import marked as mark
        from .tools import scale as scaled
        from . import tools

        BASE = 10_000
        OTHER = 2 * BASE

        def wave(p):
            return scaled(math.sin(p / BASE))

        def tall(p):
            return tools.scale(p) + 1

        @mark
        def flat(p):
            return 0

        class Waves:
            def __call__(self, p):
                return wave(p)

        def loose():
            import pack.late as inner
            return inner.told()

        def tight():
            import pack.tools as inner
            return inner.scale(1)
        """,
    "tools.py": """
        def scale(x):
            return 2 * x

        def unused(x):
            return x
        """,
    "marks.py": """
        MARKED = []

        def marked(function):
            MARKED.append(function)
            return function

        MARKED.append(None)
        """,
    "late.py": """
        def told():
            return 1
        """,
    "answers/__init__.py": """
        from pack.answers._found import asked, find, names
        """,
    "answers/_found.py": """
        from importlib import import_module

        def find(name):
            return import_module(f"pack.answers.{name.split('-')[0]}")

        def names():
            return [find(name) for name in ("tides", "clocks")]

        def asked(name):
            return find(name).answer.__doc__
        """,
    "answers/tides.py": """
        def answer():
            "High."
            return 1
        """,
    "answers/clocks.py": """
        def answer():
            return 2
        """,
    "stored/__init__.py": """
        from pathlib import Path

        FOLDER = Path(__file__).parent

        def numbers():
            return (FOLDER / "numbers.json").read_text()

        def none():
            return 0
        """,
    "stored/numbers.json": "[1, 2]\n",
    "slow/__init__.py": """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from pack.late import told

        def __getattr__(name):
            from pack import late
            return getattr(late, name)

        def quick():
            return 0
        """,
}


@pytest.fixture
def folder(tmp_path):
    """Return a package of a few modules, each with one way to name something."""
    for name, text in FILES.items():
        file = tmp_path / "pack" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip("\n"), "utf-8")
    return tmp_path / "pack"


def rests_on(folder: Path, *code: str) -> set[str]:
    """Return what code rests on, as dotted names within the package."""
    found = {f"{module}.{name}" for module, name in Package(folder).closure(code) if name}
    return {name.removeprefix("pack.") for name in found}


WAVE = {"waves.wave", "waves.BASE", "tools.scale"}
TIDES = {"answers.tides.*", "answers.tides.answer"}
CLOCKS = {"answers.clocks.*", "answers.clocks.answer"}
FIND = {"answers._found.find"}
STORED = {"stored.numbers", "stored.FOLDER"}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("1 + 1", set()),
        ("1 +", set()),  # complained of where it runs
        ("import numpy\nnumpy.sin(0)", set()),
        ("import pack", set()),
        # A function, and through it a constant and a function of another module.
        ("from pack.waves import wave\nwave(0)", WAVE),
        ("from pack.waves import wave as w\nlist(map(w, []))", WAVE),
        ("import pack.waves\npack.waves.wave(0)", WAVE),
        ("import pack.waves as waves\nwaves.wave(0).real", WAVE),
        ("import pack\npack.waves.wave", WAVE),
        # As the package calls it.
        ("import pack\npack.wave(0)", WAVE),
        ("from pack import wave", set()),
        ("from pack import high\nhigh(0)", {"waves.tall", "tools.scale"}),
        ("import pack\npack.tools.scale(1)", {"tools.scale"}),
        # A class with its methods, a constant with what it is made of, a decorator.
        ("from pack.waves import Waves\nWaves()(1)", {"waves.Waves", *WAVE}),
        ("from pack.waves import OTHER\nOTHER", {"waves.OTHER", "waves.BASE"}),
        ("from pack.waves import flat\nflat(0)", {"waves.flat", "marks.marked", "marks.MARKED"}),
        # Two imports by one name: each may be meant.
        ("from pack.waves import loose\nloose()", {"waves.loose", "late.told", "tools.*",
                                                  "tools.scale", "tools.unused"}),
        # A module that is handed on may be asked for anything, and so may one with a star.
        ("from pack import tools\nvars(tools)", {"tools.*", "tools.scale", "tools.unused"}),
        ("from pack.tools import *\nscale(1)", {"tools.*", "tools.scale", "tools.unused"}),
        ("import pack\npack.tools.nothing", {"tools.*", "tools.scale", "tools.unused"}),
        # Of what is imported by a name that is made up, that which a text names, if any.
        ("import pack.answers\npack.answers.find('tides-easy')", FIND | TIDES),
        ("from pack.answers import find as f\nf(name='clocks')", FIND | CLOCKS),
        ("from pack import answers\nanswers.find('clock-easy')", FIND | CLOCKS),
        ("from pack import answers\nanswers.find(x)", FIND | TIDES | CLOCKS),
        ("from pack import answers\nx = 'tides'\nanswers.find(x)", FIND | TIDES),
        ("from pack import answers\nanswers.find('nothing')", FIND | TIDES | CLOCKS),
        ("from pack import answers\nanswers.names(), 'tides'",
         FIND | TIDES | CLOCKS | {"answers._found.names"}),
        ("from pack.stored import numbers\nnumbers()", STORED),
        # What a module loads when it is first asked for, and how.
        ("import pack.slow\npack.slow.told()", {"slow.__getattr__", "late.told", "late.*"}),
        ("from pack import slow\nslow.quick()", {"slow.quick"}),
    ],
)  # fmt: skip
def test_code_rests_on_what_it_names_and_what_that_names(folder, code, names):
    assert rests_on(folder, code) == names


def test_code_that_imports_by_a_name_it_makes_up_rests_on_everything(folder):
    everything = rests_on(folder, "import pack\nvars(pack)")

    assert {"waves.flat", "late.told", "answers.tides.answer", "stored.none"} < everything
    for code in ("import importlib\nimportlib.import_module(x)", "__import__(x)"):
        assert rests_on(folder, code) >= everything
    assert rests_on(folder, "from importlib.metadata import version\nversion('numpy')") == set()


def test_pieces_of_a_page_share_their_imports_and_their_texts(folder):
    assert rests_on(folder, "from pack import wave", "wave(0)") == WAVE
    assert rests_on(folder, "wave(0)", "from pack import wave") == set()
    helper = "from pack import answers\ndef found(name): return answers.find(name)"
    assert rests_on(folder, helper, "found('clocks-hard')") == FIND | CLOCKS


def test_an_import_in_one_piece_does_not_hide_that_of_another(folder):
    """A figure runs alone, and may call something else by the same name."""
    page = ["from pack import waves as w", "from pack import tools as w\nw.scale(1)", "w.wave(0)"]

    assert rests_on(folder, *page) >= WAVE


USES = "import pack\npack.wave(0)"


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "seen"),
    [
        ("tools.py", "2 * x", "3 * x", USES, True),
        ("waves.py", "10_000", "100", USES, True),
        ("waves.py", "p / BASE", "p / BASE / 2  # turns", USES, True),
        ("marks.py", "MARKED = []", "MARKED = [1]", "pack.waves.flat(0)", True),
        ("marks.py", "append(None)", "append(1)", "pack.waves.flat(0)", True),  # besides
        ("__init__.py", "tall as high, wave", "tall as wave, wave as high", USES, True),
        ("tools.py", "return 2 * x", "return 2 * x +", USES, True),  # a syntax error
        ("answers/tides.py", "1", "2", "pack.answers.find('tides')", True),
        ("answers/tides.py", "1", "2", "pack.answers.find('clocks')", False),
        ("stored/numbers.json", "2", "3", "pack.stored.numbers()", True),
        ("stored/numbers.json", "2", "3", "pack.stored.none()", False),
        ("stored/numbers.json", "2", "3", USES, False),
        ("tools.py", "    return x", "    return -x", USES, False),
        ("waves.py", "tools.scale(p) + 1", "tools.scale(p) + 2", USES, False),
        ("late.py", "return 1", "return", USES, False),
        ("marks.py", "append(None)", "append(1)", USES, False),
        ("late.py", "def told():", "def told(:", USES, False),
        ("tools.py", "def scale", '"""About scales."""\n\ndef scale', USES, False),
        # What does not run counts where it is asked for: of a page everything, else its folder.
        ("waves.py", "10_000", "10_000  # turns", USES, False),
        ("tools.py", "(x):", '(x):\n    """Return it\n\n    twice."""', USES, False),
        ("tools.py", "(x):", '(x):\n    """Return it."""', f"{USES}; help(pack.wave)", True),
        ("tools.py", "(x):", '(x):\n    """Return it."""', f"{USES}.__class__().__doc__", True),
        ("waves.py", "10_000", "10_000  # turns", "getattr(pack.wave, '__doc__')", True),
        ("waves.py", "10_000", "10_000  # turns", f"{USES}\ngetsource(pack.wave)", True),
        ("answers/tides.py", '"High."', '"Low."', "pack.answers.find('tides')", False),
        ("answers/tides.py", '"High."', '"Low."', "pack.answers.asked('tides')", True),
        ("tools.py", "(x):", '(x):\n    """Return it."""', f"{USES}\npack.answers.asked", False),
    ],
)  # fmt: skip
def test_an_edit_is_seen_where_it_counts_and_nowhere_else(folder, file, old, new, code, seen):
    before = Package(folder).digest(["import pack", code])
    text = (folder / file).read_text("utf-8")
    assert old in text

    (folder / file).write_text(text.replace(old, new, 1), "utf-8")

    assert (Package(folder).digest(["import pack", code]) != before) is seen


NOTES = '''\
"""A module, and more than one
line: über."""

# A comment.
WORDS = """
# None.
"""  # one behind


class Word:
    """Ö."""; length = 1  # ü

    async def said(self):  # one before
        """A docstring
        of two lines."""; return "#"  # and one

    @property  # of a decorator
    def unsaid(self):
        "No" "thing."
        f"""No docstring."""
        return b"#", ("a"  # between
            "b")
'''
RUNNING = [
    None, None, "", None, 'WORDS = """', "# None.", '"""', "", "",
    "class Word:", "    ; length = 1", "",
    "    async def said(self):", '        ; return "#"', None, "",
    "    @property", "    def unsaid(self):", None, '        f"""No docstring."""',
    '        return b"#", ("a"  # between', '            "b")',
]  # fmt: skip


def running(text: str) -> list[str | None]:
    """Return the lines of a module without docstrings and comments."""
    return taken_apart(PACKAGE / "notes.py", PACKAGE, text).running


def test_docstrings_and_comments_do_not_run():
    assert running(NOTES) == RUNNING
    assert running("x = (  # no end") == ["x = (  # no end"]


def tokens(text: str) -> list[str]:
    """Return what code consists of, without its lines and comments."""
    none = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    found = tokenize.generate_tokens(StringIO(text).readline)
    return [token.string for token in found if token.type not in none]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_nothing_that_runs_is_taken_for_a_note(path):
    text = path.read_text("utf-8")
    nodes = [*ast.walk(ast.parse(text))]
    bodies = (getattr(node, "body", None) for node in nodes)
    first = [body[0] for body in bodies if isinstance(body, list) and body]
    notes = {ast.get_source_segment(text, node) for node in first if isinstance(node, ast.Expr)}
    whole, left = tokens(text), tokens("\n".join(filter(None, running(text))))

    for token in whole:
        if not left or token != left[0]:
            assert token in notes
        else:
            left.pop(0)
    assert left == []


def test_what_is_public_is_what_python_finds():
    """The references of a page are looked up without importing anything."""
    beside = ("posenc.numba.", "posenc.torch.")  # which need not be installed
    names = {name for name in package().names() if not name.startswith(beside)}
    homes = {name.rpartition(".")[0] for name in names}
    found = {f"{home}.{name}" for home in homes for name in importlib.import_module(home).__all__}

    assert names == found
    assert [name for name in sorted(found) if not package().public(name)] == []
    for name in ("posenc.nothing", "posenc.laws._rows", "posenc.core.checks._whole", "numpy.sin"):
        assert not package().public(name), name
    assert package().public("posenc.exercises.Report.holds")
    assert not package().public("posenc.exercises.Report.nothing")


def test_no_file_of_the_package_is_of_a_kind_that_nobody_looks_at():
    kinds = {path.suffix for path in PACKAGE.rglob("*") if path.is_file()}

    assert kinds - {".pyc"} == {".py", ".json", ".gz", ".typed"}


def forgotten() -> None:
    """Make the package and JAX forget earlier calls, whose answers they would give again."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "posenc"]:
        for thing in vars(sys.modules[name]).values():
            getattr(thing, "cache_clear", int)()
    if "jax" in sys.modules:
        sys.modules["jax"].clear_caches()


CODE = re.compile(r"^ *```(?:pycon|\{\.python)", re.MULTILINE)
NOTEBOOKS = {DOCS / f"chapters/{name}.md" for name in CHAPTERS}
PAGES = [
    path
    for path in subjects()
    if path.suffix == ".md" and path not in NOTEBOOKS and CODE.search(path.read_text("utf-8"))
]


@pytest.mark.nightly  # pages run once more, traced
@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_runs_nothing_but_what_it_rests_on(path):
    """What becomes a notebook, a chapter or a lab, is traced in `test_notebooks.py`."""
    loaded()
    document = parser().parse(path)  # which judges its text, by stored results, too
    forgotten()
    nothing = Drawing({}, 0, 0, "")

    with functions_of(PACKAGE) as ran:
        assert checks.check(document, drawn=lambda source: nothing).failures == []

    assert outside(package(), package().closure(sources(read(path))), ran) == []


def test_what_runs_and_is_named_nowhere_is_seen():
    with functions_of(PACKAGE) as ran:
        posenc.wavelengths(8)

    closure = package().closure(["import posenc\nposenc.wavelengths(8)"])
    assert ran
    assert outside(package(), closure, ran) == []
    named = {one for one in closure if one[1] != "inv_freq"}
    assert len(outside(package(), named, ran)) == 1


def test_what_an_earlier_call_left_half_read_does_not_run():
    """An error holds the generator that was being read, until it is thrown away itself."""
    cycle: list[object] = []
    try:
        posenc.rope_parameters({"rope_type": "linear", "type": "dynamic", "factor": 2.0})
    except ValueError as error:
        cycle += [cycle, error]
    assert cycle
    del cycle

    with functions_of(PACKAGE) as ran:
        gc.collect()

    assert ran == set()
