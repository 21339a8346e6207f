"""Backlinks from names and equations to the sections that use them."""

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
def all_uses():
    return find_uses(FILES.values())


@pytest.fixture(scope="module")
def entries():
    return number_equations(DOCS / f"chapters/{stem}.md" for stem in CHAPTERS)


def list_pages(all_uses, target: str) -> list[str]:
    return list(dict.fromkeys(use.page.stem for use in all_uses[target] if not is_lab(use.page)))


def test_pages_that_use_a_name_are_in_the_order_of_the_book(all_uses):
    pages = ["scaling", "judge", "cookbook", "configs", "conventions", "claims"]
    assert list_pages(all_uses, "posenc.rope_parameters") == pages
    assert list_pages(all_uses, "posenc.plots.growth") == ["scaling"]
    assert list_pages(all_uses, "posenc.laws.check") == ["requirements", "judge"]
    assert "order" not in list_pages(all_uses, "posenc.apply_rotary")


def test_backlink_leads_to_the_first_section_that_uses_the_name(all_uses):
    line = render_backlinks(
        "Used in", all_uses["posenc.plots.growth"], DOCS / "reference/api/plots_limits.md"
    )

    link = re.fullmatch(
        r'Used in \[Stretching RoPE\]\(\.\./\.\./chapters/scaling\.md#([\w-]+) "([^"]+)"\)\.\n'
        r"\{ \.backlinks \}\n\n",
        line,
    )
    assert link
    text = (DOCS / "chapters/scaling.md").read_text("utf-8")
    section = text.partition(f"## {link[2]} {{ #{link[1]} }}\n")[2]
    assert "posenc.plots.growth" in section.partition("\n## ")[0]


def test_equation_links_to_other_pages_and_sections(all_uses, entries):
    line = render_equation_backlinks(
        entries["eq-attention"].equation, all_uses["eq-attention"], EQUATIONS
    )

    section = r"\[The proof, in four lines\]\(\.\./chapters/order\.md#proof \"[^\"]+\"\)"
    page = r"\[Biases by offset\]\(\.\./chapters/biases\.md#[\w-]+ \"[^\"]+\"\)"
    assert re.match(f"Relied on in {section}; {page}", line)


def test_equation_has_no_link_to_its_own_section(all_uses, entries):
    line = render_equation_backlinks(
        entries["eq-layouts"].equation, all_uses["eq-layouts"], EQUATIONS
    )

    assert len(all_uses["eq-layouts"]) > 1
    assert "#layouts" not in line


def test_other_pages_are_linked_once_and_each_section_of_the_own_page():
    own, other = DOCS / "a.md", DOCS / "b.md"
    uses = [Use(own, "A", (name, name)) for name in "xyx"]
    uses += [Use(other, "B", (name, name)) for name in "pq"]

    assert render_backlinks("Used in", uses, DOCS / "c.md", own) == (
        'Used in [x](a.md#x "x"); [y](a.md#y "y"); [B](b.md#p "p").\n{ .backlinks }\n\n'
    )
    assert render_backlinks("Used in", [], DOCS / "c.md") == ""


def test_use_of_an_attribute_counts_for_its_class():
    assert find_documented_name("posenc.laws.Finding.holds", KNOWN) == "posenc.laws.Finding"
    assert find_documented_name("posenc.nope", KNOWN) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```pycon\n>>> import posenc.laws\n>>> posenc.laws.check(f)\n```", ["posenc.laws.check"]),
        ("```python\nfrom posenc import laws\nlaws.check(f)\n```", ["posenc.laws.check"]),
        ("```python\nfrom posenc import laws as l\nmap(l.check, f)\n```", ["posenc.laws.check"]),
        ("```python\nimport posenc.plots as p\np.waves(1)\n```", ["posenc.plots.waves"]),
        (
            "```pycon\n>>> # posenc.inv_freq\n>>> 'posenc.inv_freq'\n'posenc.inv_freq'\n```",
            [],
        ),
        ("`posenc.analysis.count_rotations(3)` and [`posenc.inv_freq`][]", ["posenc.inv_freq"]),
        ("[the norm][eq-norm], `[eq-shift][]`", ["eq-norm"]),
        ("````markdown\n```python\nimport posenc\nposenc.turns(3)\n```\n````", []),
    ],
)
def test_names_in_code_are_found_by_parsing_it(text, expected):
    names = [name for name, _ in find_mentions(text + "\n")]

    assert [name for name in names if name in expected or name in KNOWN] == expected


def test_figures_see_the_imports_of_the_page_only_in_labs():
    figure = '```{.python .figure #fig-a alt="a" caption="c"}\nlaws.check(f)\n```\n'
    page = "```python\nfrom posenc import laws\n```\n" + figure

    assert find_mentions(page) == []
    lab = page.replace(" .figure", " .cell .figure")
    assert ("posenc.laws.check", ("", "")) in find_mentions(lab)
