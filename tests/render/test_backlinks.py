"""Backlinks: from names and equations to the sections that use them."""

import re

import pytest

from check.cards import number_equations
from check.lab_source import is_lab
from check.paths import ROOT
from render import api
from render.backlinks import (
    Use,
    find_documented_name,
    find_mentions,
    find_uses,
    render_backlinks,
    render_equation_backlinks,
)
from tests.nav import CHAPTERS, FILES

DOCS = ROOT / "docs"
KNOWN = {name for section in api.list_sections() for name in section.names}
EQUATIONS = DOCS / "reference/equations.md"


@pytest.fixture(scope="module")
def found():
    return find_uses(FILES.values())


@pytest.fixture(scope="module")
def entries():
    return number_equations(DOCS / f"chapters/{stem}.md" for stem in CHAPTERS)


def pages(found, target: str) -> list[str]:
    return list(dict.fromkeys(use.page.stem for use in found[target] if not is_lab(use.page)))


def test_a_name_has_the_pages_that_use_it_in_the_order_of_the_book(found):
    used = ["extrapolation", "scaling", "cookbook", "torch", "configs", "conventions", "claims"]
    assert pages(found, "posenc.rope_parameters") == used
    assert pages(found, "posenc.plots.growth") == ["scaling"]
    assert pages(found, "posenc.laws.check") == ["requirements", "judge"]
    assert "order" not in pages(found, "posenc.apply_rotary")


def test_the_line_under_a_name_leads_to_the_section_that_uses_it_first(found):
    used = render_backlinks(
        "Used in", found["posenc.plots.growth"], DOCS / "reference/api/plots_limits.md"
    )

    link = re.fullmatch(
        r'Used in \[Stretching RoPE\]\(\.\./\.\./chapters/scaling\.md#([\w-]+) "([^"]+)"\)\.\n'
        r"\{ \.backlinks \}\n\n",
        used,
    )
    assert link
    text = (DOCS / "chapters/scaling.md").read_text("utf-8")
    section = text.partition(f"## {link[2]} {{ #{link[1]} }}\n")[2]
    assert "posenc.plots.growth" in section.partition("\n## ")[0]


def test_an_equation_has_the_other_pages_and_the_other_sections_that_rely_on_it(found, entries):
    used = render_equation_backlinks(
        entries["eq-attention"].equation, found["eq-attention"], EQUATIONS
    )

    section = r"\[The proof, in four steps\]\(\.\./chapters/order\.md#proof \"[^\"]+\"\)"
    page = r"\[Biases by offset\]\(\.\./chapters/biases\.md#[\w-]+ \"[^\"]+\"\)"
    assert re.match(f"Relied on in {section}; {page}", used)


def test_an_equation_is_not_linked_from_its_own_section(found, entries):
    used = render_equation_backlinks(entries["eq-layouts"].equation, found["eq-layouts"], EQUATIONS)

    assert len(found["eq-layouts"]) > 1
    assert "#layouts" not in used


def test_other_pages_are_linked_once_and_the_own_page_at_each_section():
    own, other = DOCS / "a.md", DOCS / "b.md"
    found = [Use(own, "A", (name, name)) for name in "xyx"]
    found += [Use(other, "B", (name, name)) for name in "pq"]

    assert render_backlinks("Used in", found, DOCS / "c.md", own) == (
        'Used in [x](a.md#x "x"); [y](a.md#y "y"); [B](b.md#p "p").\n{ .backlinks }\n\n'
    )
    assert render_backlinks("Used in", [], DOCS / "c.md") == ""


def test_an_attribute_counts_for_its_class():
    assert find_documented_name("posenc.laws.Finding.holds", KNOWN) == "posenc.laws.Finding"
    assert find_documented_name("posenc.nope", KNOWN) == ""


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
    names = [name for name, _ in find_mentions(text + "\n")]

    assert [name for name in names if name in has or name in KNOWN] == has


def test_a_figure_runs_alone_but_in_a_lab():
    figure = '```{.python .figure #fig-a alt="a" caption="c"}\nlaws.check(f)\n```\n'
    page = "```python\nfrom posenc import laws\n```\n" + figure

    assert find_mentions(page) == []
    lab = page.replace(" .figure", " .cell .figure")
    assert ("posenc.laws.check", ("", "")) in find_mentions(lab)
