"""The API pages: where names and modules are documented, and entries that don't exist."""

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
from check.cards import number_equations
from check.page_source import read_page
from check.paths import ROOT
from render import api
from tests.checking import check
from tests.nav import CHAPTERS
from website.griffe_returns import TypedReturns

NAMES = {
    f"{module.__name__}.{name}"
    for module in (
        posenc,
        posenc.exercises,
        posenc.experiments,
        posenc.golden,
        posenc.laws,
        posenc.plots,
        posenc.proofs,
    )
    for name in module.__all__
}
# PyTorch and numba need not be installed: where each name comes from is read from the text.
BESIDE = {
    f"posenc.{part}.{name}": home
    for part in ("numba", "torch")
    for home, names in re.findall(
        rf"^from (posenc\.{part}\._\w+) import (.+)$",
        read_page(ROOT / f"posenc/{part}/__init__.py"),
        re.M,
    )
    for name in names.split(", ")
}


def test_every_public_name_has_one_entry_and_its_module_is_in_the_overview():
    entries = [name for section in api.list_sections() for name in section.names]
    overview = api.ENTRY.findall(read_page(api.FOLDER / "index.md"))

    assert sorted(entries) == sorted(NAMES | {*BESIDE})
    assert sorted(overview) == sorted({name.rpartition(".")[0] for name in entries})


def test_a_name_stands_under_the_module_that_defines_it():
    misplaced = []
    for section in api.list_sections():
        for name in section.names:
            package, _, attribute = name.rpartition(".")
            home = BESIDE.get(name) or getattr(sys.modules[package], attribute).__module__
            part, _, file = home.removeprefix("posenc.").partition(".")
            inside = (file if part in api.BOOK_FOLDERS else f"{part}.{file}").replace("._", "_")
            if section.id not in (inside, inside.partition("_")[0], "laws_finding"):
                misplaced.append(f"{name} of {home} stands under {section.id}")

    assert misplaced == []


def test_every_implementation_of_an_equation_has_its_place_on_an_api_page():
    entries = number_equations(ROOT / f"docs/chapters/{stem}.md" for stem in CHAPTERS)

    files = {file for entry in entries.values() for file in entry.equation.implementations}
    assert len(files) > 25
    for file in files:
        page, _, anchor = api.find_section_link(file, api.map_sections()).partition("#")
        assert f"{{ #{anchor} }}\n" in read_page(api.FOLDER / page)


def test_a_module_without_a_section_is_named():
    with pytest.raises(ValueError, match=r"has a section for posenc/added/nope\.py: \{ #nope \}"):
        api.find_section_link("posenc/added/nope.py", api.map_sections())


def test_an_entry_that_is_not_there_is_named_with_its_line_and_a_likely_one(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n::: posenc.inv_freqs\n\n::: posenc.laws._rows\n", "utf-8")

    failures = check(page).failures

    assert [failure.line for failure in failures] == [3, 5]
    assert failures[0].message == (
        "::: posenc.inv_freqs: not public in posenc; perhaps posenc.inv_freq"
    )
    assert failures[1].message.startswith("::: posenc.laws._rows: not public in posenc")


def test_the_likely_name_need_not_be_on_an_api_page(tmp_path, monkeypatch):
    """It is not, where its only entry is the one that is misspelt."""
    monkeypatch.setattr(api, "FOLDER", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n::: posenc.nkt_base\n", "utf-8")

    assert check(page).failures[0].message.endswith("perhaps posenc.ntk_base")


def test_an_entry_that_is_not_there_does_not_stop_the_build_before_all_is_told():
    text = "::: posenc.nope\n\n::: posenc.inv_freq\n"

    assert list(api.replace_unknown_entries(text)) == [(0, 15, "`posenc.nope`")]


def test_powers_in_docstrings_are_not_taken_for_bold():
    """Two powers in one paragraph are a pair of `**` to Markdown."""
    bold = []
    for name in sorted(NAMES):
        package, _, attribute = name.rpartition(".")
        doc = getattr(sys.modules[package], attribute).__doc__ or ""
        for paragraph in re.split(r"\n\s*\n|\n +[\w`, ]+: ", doc):
            said = re.sub(r"`[^`]+`", "", paragraph)
            if ">>>" not in said and said.count("**") > 1:
                bold.append(f"{name}: {paragraph}")

    assert bold == []


def test_a_function_returns_what_its_signature_says_and_all_the_words_of_its_docstring():
    """Else `Shape (L,), int64: one for each` is a type, with a few words behind it."""
    found = griffe.load(
        "posenc",
        search_paths=[ROOT],
        extensions=griffe.load_extensions(TypedReturns),
        docstring_parser="google",
        docstring_options={"returns_multiple_items": False, "returns_named_value": False},
    )
    told = 0
    for name in sorted(NAMES):
        package, _, attribute = name.rpartition(".")
        written = inspect.getdoc(getattr(sys.modules[package], attribute)) or ""
        function = found[name.removeprefix("posenc.")]
        if not function.is_function or "\nReturns:\n" not in written:
            continue
        (section,) = (part for part in function.docstring.parsed if part.kind.value == "returns")
        (returned,) = section.value
        words = written.partition("\nReturns:\n")[2].partition("\n\n")[0]
        assert str(returned.annotation) == str(function.returns), name
        assert returned.description.split() == words.split(), name
        told += 1
    assert told > 150
