"""The recipes for contributors work in a copy of the project, and their checks can fail."""

from pathlib import Path

import pytest

from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from tests.net.server import Job, break_file

pytestmark = pytest.mark.site

RECIPES = ROOT / "docs/contributing"
KERNELS = "docs/chapters/kernels.md"


def read_files(recipe: str) -> dict[str, str]:
    """Return the files that a recipe shows, by the titles of their fences."""
    found = find_fences(read_page(RECIPES / f"{recipe}.md"))
    return {
        fence.attributes["title"]: fence.source.replace(";--8<--", "--8<--")
        for fence in found
        if "title" in fence.attributes
    }


def insert(project: Path, name: str, before: str, new: str) -> None:
    """Insert a text into a file, before the line that begins with `before`."""
    file = project / name
    text = file.read_text("utf-8")
    place = text.index(f"\n{before}") + 1
    file.write_text(text[:place] + new + text[place:], "utf-8")


@pytest.fixture
def assert_noticed(server, project):
    """Return a function that asserts that a page or a test passes, and fails after each edit."""

    def judge(target: str, *edits: tuple[str, str, str]) -> None:
        jobs = [break_file(target, *edit, project) for edit in edits]
        sound, *broken = server.judge(Job(target, root=project), *jobs)
        assert not sound.failures, "\n".join(sound.failures)
        for (file, _, new), verdict in zip(edits, broken, strict=True):
            assert verdict.failures, f"nothing notices {new!r} in {file}: {verdict.ran}"

    return judge


@pytest.fixture
def tides(project):
    """Put the chapter of the recipe into the copy, and return its path."""
    files = read_files("chapter")
    for name, text in files.items():
        (project / name).write_text(text, "utf-8")
    page = next(iter(files))
    if "tides.md" not in (project / "mkdocs.yml").read_text("utf-8"):
        insert(
            project,
            "mkdocs.yml",
            "          - chapters/filters.md",
            "          - chapters/tides.md\n",
        )
    return page


def test_a_chapter(tides, assert_noticed):
    assert_noticed(tides, (tides, "2.2361", "2.2371"))


def test_an_exercise(project, run, tides, assert_noticed):
    files = read_files("exercise")
    insert(project, tides, "## Further reading", f"{files.pop(tides)}\n")
    ((module, text),) = files.items()
    (project / module).write_text(text, "utf-8")

    assert_noticed(
        tides,
        (module, "* (hour % period)", "* (-hour % period)"),
        (module, "math.pi / 2, at", "math.pi / 3, at"),
        (module, "* hour / period", "* (hour % period) / period"),
        (tides, "tides.py:tides-easy-wrong", "tides.py:tides-hard-wrong"),
    )
    solution = "test_the_solution_has_all_properties[tides-easy]"
    target = f"tests/package/exercises/test_exercises.py::{solution}"
    assert_noticed(target, (module, "* (hour % period)", "* (-hour % period)"))
    for command in ("check", "format"):
        linted = run(project, "ruff", command, *["--check"] * (command == "format"), module)
        assert linted.returncode == 0, linted.stdout


def test_an_equation(project, assert_noticed):
    ((page, card),) = read_files("equation").items()
    insert(project, page, "## Pitfalls", f"{card}\nSee [eq-two-codes][].\n\n")

    assert_noticed(
        page,
        (page, "-0.6225", "-0.6226"),
        (page, "\\cos \\omega_i (p - q).", "\\cos \\omega_i (p + q)."),
        ("posenc/tables/fourier.py", "[sin, cos], axis=-1", "[sin, -sin], axis=-1"),
    )


def test_a_figure(project, assert_noticed):
    (page, figure), (facts, test) = read_files("figure").items()
    insert(project, page, "## Pitfalls", f"{figure}\nSee [fig-two-bumps][].\n\n")
    insert(project, facts, "FIGURES = {", f"{test}\n\n")

    assert_noticed(page, (page, ' #fig-two-bumps alt="', ' #fig-two-bumps title="'))
    test = f"{facts}::test_words_about_a_figure_are_true_of_its_data[fig-two-bumps]"
    assert_noticed(test, (page, "for width in (4, 12)", "for width in (4, 8)"))


def test_a_lab(project, run, assert_noticed):
    ((script, text),) = read_files("lab").items()
    (project / script).write_text(text, "utf-8")
    insert(project, "mkdocs.yml", "          - labs/build.md", "          - labs/tides.md\n")

    assert_noticed(script, (script, "hour / PERIOD", "hour"), (script, ' alt="', ' title="'))
    assert run(project, script.removesuffix(".py").replace("/", ".")).returncode == 0
    for command in ("check", "format"):
        linted = run(project, "ruff", command, *["--check"] * (command == "format"), script)
        assert linted.returncode == 0, linted.stdout


def test_an_encoding(project, run, assert_noticed):
    for name, text in read_files("encoding").items():
        (project / name).write_text(text, "utf-8")
    init, module = "posenc/__init__.py", "posenc/tables/zigzags.py"
    line = "from posenc.tables.zigzags import triangle_waves as triangle_waves\n"
    insert(project, init, "__all__", line)
    insert(project, init, "]\n", '    "triangle_waves",\n')
    entry = "## Zigzags { #tables_zigzags }\n\n::: posenc.triangle_waves\n\n"
    insert(project, "docs/reference/api/tables.md", "## Fourier features", entry)

    assert_noticed(module)
    assert_noticed("tests/render/test_api_pages.py")
    test = "tests/package/tables/test_zigzags.py"
    assert_noticed(test, (module, "turns + 0.5", "turns + 0.6"))
    for command in ("check", "format"):
        words = [command, *["--check"] * (command == "format"), *read_files("encoding")]
        linted = run(project, "ruff", *words)
        assert linted.returncode == 0, linted.stdout
