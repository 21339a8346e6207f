"""The API pages: every public name has an entry in the right section."""

import inspect
import re
import sys

import griffe
import pytest

import posenc
import posenc.exercises
import posenc.experiments
import posenc.golden
import posenc.laws
import posenc.plots
import posenc.proofs
import posenc.trained
from check.cards import number_equations
from check.page_source import read_page
from check.paths import ROOT
from render import api
from tests.checking import check_page
from tests.nav import CHAPTERS
from website.griffe_returns import TypedReturns

NAMES = {
    f"{module.__name__}.{name}"
    for module in (
        posenc,
        posenc.analysis,
        posenc.batches,
        posenc.costs,
        posenc.counting,
        posenc.exercises,
        posenc.experiments,
        posenc.geometry,
        posenc.golden,
        posenc.judging,
        posenc.laws,
        posenc.plots,
        posenc.proofs,
        posenc.scaling,
        posenc.trained,
    )
    for name in module.__all__
}
# PyTorch and numba may not be installed, so the modules of these names come from the source.
OPTIONAL_NAMES = {
    f"posenc.{part}.{name}": home
    for part in ("numba", "torch")
    for home, names in re.findall(
        rf"^from (posenc\.{part}\.\w+) import (.+)$",
        read_page(ROOT / f"posenc/{part}/__init__.py"),
        re.M,
    )
    for name in names.split(", ")
}


def test_every_public_name_has_one_entry_and_every_module_is_in_the_overview():
    entries = [name for section in api.list_sections() for name in section.names]
    overview = api.ENTRY.findall(read_page(api.FOLDER / "index.md"))

    assert sorted(entries) == sorted(NAMES | set(OPTIONAL_NAMES))
    assert sorted(overview) == sorted({name.rpartition(".")[0] for name in entries})


def test_names_are_in_the_section_of_the_module_that_defines_them():
    misplaced = []
    for section in api.list_sections():
        for name in section.names:
            package, _, attribute = name.rpartition(".")
            module = OPTIONAL_NAMES.get(name) or getattr(sys.modules[package], attribute).__module__
            parts = module.split(".")[1:]
            if section.id not in ("_".join(parts), parts[0], "laws_finding"):
                misplaced.append(f"{name} of {module} is in section {section.id}")

    assert misplaced == []


def test_every_implementation_of_an_equation_has_a_section():
    entries = number_equations(ROOT / f"docs/chapters/{stem}.md" for stem in CHAPTERS)

    files = {file for entry in entries.values() for file in entry.equation.implementations}
    assert len(files) > 25
    for file in files:
        page, _, anchor = api.find_section_link(file, api.map_sections()).partition("#")
        assert f"{{ #{anchor} }}\n" in read_page(api.FOLDER / page)


def test_module_without_a_section_is_reported():
    with pytest.raises(
        ValueError, match=r"has a section for posenc/nowhere/nope\.py; .*#nowhere_nope"
    ):
        api.find_section_link("posenc/nowhere/nope.py", api.map_sections())


def test_unknown_entry_is_reported_with_its_line_and_a_suggestion(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n::: posenc.inv_freqs\n\n::: posenc.laws.rows\n", "utf-8")

    failures = check_page(page).failures

    assert [failure.line for failure in failures] == [3, 5]
    assert failures[0].message == (
        "::: posenc.inv_freqs: posenc has no such public name; perhaps posenc.inv_freq"
    )
    assert failures[1].message.startswith("::: posenc.laws.rows: posenc has no such public name")


def test_suggested_name_may_lack_an_entry(tmp_path, monkeypatch):
    """As when its only entry is the misspelled one."""
    monkeypatch.setattr(api, "FOLDER", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n::: posenc.nkt_base\n", "utf-8")

    assert check_page(page).failures[0].message.endswith("perhaps posenc.ntk_base")


def test_unknown_entry_is_replaced_by_code():
    text = "::: posenc.nope\n\n::: posenc.inv_freq\n"

    assert list(api.replace_unknown_entries(text)) == [(0, 15, "`posenc.nope`")]


def test_docstrings_have_no_powers_that_markdown_makes_bold():
    """Markdown reads two powers in one paragraph as a pair of `**`."""
    bold = []
    for name in sorted(NAMES):
        package, _, attribute = name.rpartition(".")
        doc = getattr(sys.modules[package], attribute).__doc__ or ""
        for paragraph in re.split(r"\n\s*\n|\n +[\w`, ]+: ", doc):
            prose = re.sub(r"`[^`]+`", "", paragraph)
            if ">>>" not in prose and prose.count("**") > 1:
                bold.append(f"{name}: {paragraph}")

    assert bold == []


def test_returns_sections_keep_all_their_words():
    """Griffe reads `Shape (L,), int64: one for each` as a type and a description."""
    package_tree = griffe.load(
        "posenc",
        search_paths=[ROOT],
        extensions=griffe.load_extensions(TypedReturns),
        docstring_parser="google",
        docstring_options={"returns_multiple_items": False, "returns_named_value": False},
    )
    count = 0
    for name in sorted(NAMES):
        package, _, attribute = name.rpartition(".")
        doc = inspect.getdoc(getattr(sys.modules[package], attribute)) or ""
        function = package_tree[name.removeprefix("posenc.")]
        if not function.is_function or "\nReturns:\n" not in doc:
            continue
        (section,) = (part for part in function.docstring.parsed if part.kind.value == "returns")
        (returned,) = section.value
        words = doc.partition("\nReturns:\n")[2].partition("\n\n")[0]
        assert str(returned.annotation) == str(function.returns), name
        assert returned.description.split() == words.split(), name
        count += 1
    assert count > 150
