"""Backlinks: from names and equations to the pages that use them, and that none is missing."""

import re

import pytest

from engine.places import ROOT
from engine.scripts import is_lab
from engine.statements import register
from engine.texts import read
from pages import api
from pages.backlinks import NOT_COUNTED, mentions, relied_on, used_in, uses
from tests.nav import CHAPTERS, FILES, PAGES

DOCS = ROOT / "docs"
KNOWN = {name for section in api.sections() for name in section.names}
COUNTED = [page for page in PAGES if not page.startswith(NOT_COUNTED)]
EQUATIONS = DOCS / "reference/equations.md"


@pytest.fixture(scope="module")
def found():
    return uses(FILES.values())


@pytest.fixture(scope="module")
def entries():
    return register(DOCS / f"chapters/{stem}.md" for stem in CHAPTERS)


def pages(found, target: str) -> list[str]:
    return list(dict.fromkeys(use.page.stem for use in found[target] if not is_lab(use.page)))


def test_a_name_has_the_pages_that_use_it_in_the_order_of_the_book(found):
    used = ["extrapolation", "scaling", "cookbook", "torch", "configs", "conventions", "claims"]
    assert pages(found, "posenc.rope_parameters") == used
    assert pages(found, "posenc.plots.growth") == ["scaling"]
    assert pages(found, "posenc.laws.check") == ["requirements", "judge"]
    assert "order" not in pages(found, "posenc.apply_rotary")


def test_the_line_under_a_name_leads_to_the_section_that_uses_it_first(found):
    line = used_in(found["posenc.plots.growth"], DOCS / "reference/api/plots_limits.md")

    link = re.fullmatch(
        r'Used in \[Stretching RoPE\]\(\.\./\.\./chapters/scaling\.md#([\w-]+) "([^"]+)"\)\.\n'
        r"\{ \.backlinks \}\n\n",
        line,
    )
    assert link
    text = (DOCS / "chapters/scaling.md").read_text("utf-8")
    section = text.partition(f"## {link[2]} {{ #{link[1]} }}\n")[2]
    assert "posenc.plots.growth" in section.partition("\n## ")[0]


def test_an_equation_has_the_other_pages_and_the_other_sections_that_rely_on_it(found, entries):
    lines = relied_on(entries["eq-attention"].equation, found["eq-attention"], EQUATIONS)

    there = r"\(\.\./chapters/biases\.md#[\w-]+ \"[^\"]+\"\)"
    assert re.search(rf"^Relied on in \[Biases by offset\]{there}", lines)
    here = (
        r"\n\nIn its own chapter again under \[The proof, in four steps\]\(\.\./chapters/order\.md#"
    )
    assert re.search(here, lines)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("```pycon\n>>> import posenc.laws\n>>> posenc.laws.check(f)\n```", ["posenc.laws.check"]),
        ("```python\nfrom posenc import laws\nlaws.check(f)\n```", ["posenc.laws.check"]),
        ("```python\nfrom posenc import laws as l\nmap(l.check, f)\n```", ["posenc.laws.check"]),
        ("```python\nimport posenc.plots as p\np.waves(1)\n```", ["posenc.plots.waves"]),
        ("```pycon\n>>> # posenc.turns\n>>> 'posenc.turns'\n'posenc.turns'\n```", []),
        ("`posenc.turns(3)` and [`posenc.inv_freq`][]", ["posenc.inv_freq"]),
        ("[the norm][eq-norm], `[eq-shift][]`", ["eq-norm"]),
        ("````markdown\n```python\nimport posenc\nposenc.turns(3)\n```\n````", []),
    ],
)
def test_code_is_read_as_python_reads_it(text, has):
    names = [name for name, _ in mentions(text + "\n")]

    assert [name for name in names if name in has or name in KNOWN] == has


def test_a_figure_runs_alone_but_in_a_lab():
    figure = '```{.python .figure #fig-a alt="a" caption="c"}\nlaws.check(f)\n```\n'
    page = "```python\nfrom posenc import laws\n```\n" + figure

    assert mentions(page) == []
    lab = page.replace(" .figure", " .cell .figure")
    assert ("posenc.laws.check", ("", "")) in mentions(lab)


def searched(text: str) -> set[str]:
    """Return what a page mentions, by searching words and without reading Python."""
    text = re.sub(
        r"^````\{?\.?markdown.*?^````$|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL
    )
    code, imported = "", set()
    for fence in re.findall(
        r"^ *`{3,4}(pycon|\{?\.?python)\b[^\n]*\n(.*?)^ *```", text, re.M | re.S
    ):
        lines = fence[1].splitlines()
        if fence[0] == "pycon":
            lines = [line.strip()[4:] for line in lines if re.match(r" *(>>>|\.\.\.) ", line)]
        code += "\n".join(re.sub(r"#.*", "", line) for line in lines) + "\n"
    for package, names in re.findall(r"from (posenc[\w.]*) import ([\w, ]+)", code):
        imported |= {(f"{package}.{name}", name) for name in names.split(", ")}
    code = re.sub(r"from posenc.*", "", code)
    for name, said in imported:
        code = re.sub(rf"(?<![\w.]){said}\b(?! *=)", name, code)
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    said = ""
    for pair in re.findall(r"\[`?([\w.-]+)`?\]\[\]|\]\[([\w.-]+)\]", text):
        said += f" {pair[0] or pair[1]} "
    inside = r"(?:(?:exercises|experiments|golden|laws|numba|plots|proofs|torch)\.)?"
    names = set(re.findall(rf"\bposenc\.{inside}\w+", code + said)) & KNOWN
    return names | set(re.findall(r"(?<= )eq-[\w-]+", said))


def test_no_backlink_is_missing_and_none_is_too_much(found):
    differing = {}
    for page in COUNTED:
        have = {name for name, places in found.items() if FILES[page] in {u.page for u in places}}
        if wrong := have ^ searched(read(FILES[page])):
            differing[page] = wrong

    assert differing == {}


def test_every_place_that_is_linked_is_there(found):
    nowhere = []
    for use in {use for places in found.values() for use in places}:
        anchor, heading = use.section
        if anchor and not re.search(rf"^##+ {re.escape(heading)}", read(use.page), re.MULTILINE):
            nowhere.append(use)

    assert nowhere == []
