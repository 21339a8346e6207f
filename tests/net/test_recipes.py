"""The recipes for contributors, followed in a copy of the project: complete, and able to fail."""

from pathlib import Path

import pytest

from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from tests.net.server import Job, broken

pytestmark = pytest.mark.site

RECIPES = ROOT / "docs/contributing"
KERNELS = "docs/chapters/kernels.md"


def shown(recipe: str) -> dict[str, str]:
    """Return the files that a recipe shows, by the titles of their fences."""
    found = find_fences(read_page(RECIPES / f"{recipe}.md"))
    return {
        fence.attributes["title"]: fence.source.replace(";--8<--", "--8<--")
        for fence in found
        if "title" in fence.attributes
    }


def put(project: Path, name: str, before: str, new: str) -> None:
    """Put something into a file, before a line that begins so."""
    file = project / name
    text = file.read_text("utf-8")
    place = text.index(f"\n{before}") + 1
    file.write_text(text[:place] + new + text[place:], "utf-8")


@pytest.fixture
def green_then_red(server, project):
    """Return a function that sees a page or tests pass, and fail after each of some edits alone."""

    def judge(target: str, *edits: tuple[str, str, str]) -> None:
        jobs = [broken(target, *edit, project) for edit in edits]
        green, *reds = server.judged(Job(target, root=project), *jobs)
        assert not green.failures, "\n".join(green.failures)
        for (file, _, new), red in zip(edits, reds, strict=True):
            assert red.failures, f"nothing notices {new!r} in {file}: {red.ran}"

    return judge


@pytest.fixture
def tides(project):
    """Put the chapter of the recipe into the copy, and return its path."""
    files = shown("chapter")
    for name, text in files.items():
        (project / name).write_text(text, "utf-8")
    page = next(iter(files))
    if "tides.md" not in (project / "mkdocs.yml").read_text("utf-8"):
        put(project, "mkdocs.yml", "      - chapters/filters.md", "      - chapters/tides.md\n")
    return page


def test_a_chapter(tides, green_then_red):
    green_then_red(tides, (tides, "2.2361", "2.2371"))


def test_an_exercise(project, run, tides, green_then_red):
    files = shown("exercise")
    put(project, tides, "## Further reading", f"{files.pop(tides)}\n")
    ((module, text),) = files.items()
    (project / module).write_text(text, "utf-8")

    green_then_red(
        tides,
        (module, "* (hour % period)", "* (-hour % period)"),
        (module, "math.pi / 2, at", "math.pi / 3, at"),
        (module, "* hour / period", "* (hour % period) / period"),
        (tides, "tides.py:tides-easy-wrong", "tides.py:tides-hard-wrong"),
    )
    solution = "test_the_solution_has_all_properties[tides-easy]"
    target = f"tests/package/exercises/test_exercises.py::{solution}"
    green_then_red(target, (module, "* (hour % period)", "* (-hour % period)"))
    for command in ("check", "format"):
        linted = run(project, "ruff", command, *["--check"] * (command == "format"), module)
        assert linted.returncode == 0, linted.stdout


def test_an_equation(project, green_then_red):
    ((page, card),) = shown("equation").items()
    put(project, page, "## Pitfalls", f"{card}\nSee [eq-two-codes][].\n\n")

    green_then_red(
        page,
        (page, "-0.6225", "-0.6226"),
        (page, "\\cos \\omega_i (p - q).", "\\cos \\omega_i (p + q)."),
        ("posenc/relative/fourier.py", "[sin, cos], axis=-1", "[sin, -sin], axis=-1"),
    )


def test_a_figure(project, green_then_red):
    (page, figure), (facts, test) = shown("figure").items()
    put(project, page, "## Pitfalls", f"{figure}\nSee [fig-two-bumps][].\n\n")
    put(project, facts, "FIGURES = {", f"{test}\n\n")

    green_then_red(page, (page, ' #fig-two-bumps alt="', ' #fig-two-bumps title="'))
    test = f"{facts}::test_words_of_a_figure_hold_of_what_it_draws[fig-two-bumps]"
    green_then_red(test, (page, "for width in (4, 12)", "for width in (4, 8)"))


def test_a_lab(project, run, green_then_red):
    ((script, text),) = shown("lab").items()
    (project / script).write_text(text, "utf-8")
    put(project, "mkdocs.yml", "      - labs/build.md", "      - labs/tides.md\n")

    green_then_red(script, (script, "hour / PERIOD", "hour"), (script, ' alt="', ' title="'))
    assert run(project, script.removesuffix(".py").replace("/", ".")).returncode == 0
    for command in ("check", "format"):
        linted = run(project, "ruff", command, *["--check"] * (command == "format"), script)
        assert linted.returncode == 0, linted.stdout


def test_an_encoding(project, run, green_then_red):
    for name, text in shown("encoding").items():
        (project / name).write_text(text, "utf-8")
    init, module = "posenc/__init__.py", "posenc/positions/zigzags.py"
    line = "from posenc.positions.zigzags import triangle_waves as triangle_waves\n"
    put(project, init, "__all__", line)
    put(project, init, "]\n", '    "triangle_waves",\n')
    entry = "## Zigzags { #zigzags }\n\n::: posenc.triangle_waves\n\n"
    put(project, "docs/reference/api/periods.md", "## DNA strands", entry)

    green_then_red(module)
    green_then_red("tests/render/test_api_pages.py")
    test = "tests/package/positions/test_zigzags.py"
    green_then_red(test, (module, "turns + 0.5", "turns + 0.6"))
    for command in ("check", "format"):
        words = [command, *["--check"] * (command == "format"), *shown("encoding")]
        linted = run(project, "ruff", *words)
        assert linted.returncode == 0, linted.stdout
