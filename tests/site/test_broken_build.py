"""A build stops if checks of the book fail."""

import re
import shutil

import pytest

from tests.site import small

pytestmark = [pytest.mark.site, pytest.mark.thorough]

# One mistake of each kind, all in one build: file, text, replacement, message. None is in the
# package, because an edit there would run the whole book again.
SINUSOIDAL, RELATIVE = "docs/chapters/sinusoidal.md", "docs/chapters/relative.md"

BROKEN = [
    (SINUSOIDAL, "[0.0044, -0.0044]", "[0.0045, -0.0044]", "Got:"),
    (SINUSOIDAL, '#fig-waves alt="', '#fig-waves title="', "a figure without alt"),
    (SINUSOIDAL, "posenc.plots.spectrum(64)", "posenc.plots", "got module"),
    (RELATIVE, r"M_{-k} &= M_k^{-1}", r"M_{-k} &= M_k^{-1", "LaTeX in"),
    (RELATIVE, "[eq-toeplitz][]", "[eq-topelitz][]", "unknown reference"),
    (RELATIVE, "/// verification | Products", "/// note | Products", "without a ver"),
    (RELATIVE, "/// implementation\nThe mean", "/// note\nThe mean", "without an impl"),
    (RELATIVE, "(sinusoidal.md#both)", "(sinusoidal.md#bath)", "no heading or id"),
    ("docs/labs/build.py", "return math.sin(omega", "return math.cos(omega", "not yet true"),
    ("docs/labs/regression.py", 'fig-whole" alt="', 'fig-whole" title="', "a figure without alt"),
    ("mkdocs.yml", "chapters/sciences.md", "chapters/science.md", "perhaps chapters/sciences.md"),
    ("docs/chapters/sciences.md", "title: ", "titel: ", "has no title"),
    ("docs/reference/api/rotary.md", "posenc.ntk_base", "posenc.nkt_base", "perhaps posenc.ntk"),
]  # fmt: skip


def test_a_build_of_broken_pages_reports_file_line_and_remedy_of_each(project, run, tmp_path):
    broken = tmp_path / "posenc"
    shutil.copytree(project, broken, ignore=shutil.ignore_patterns("site"))
    for name, old, new, _ in BROKEN:
        page = broken / name
        text = page.read_text("utf-8")
        assert old in text
        page.write_text(text.replace(old, new, 1), "utf-8")

    pages = [name.removeprefix("docs/") for name, *_ in BROKEN if name.startswith("docs/")]
    file = small.write_settings(broken, *pages)
    # Without --strict, since that would stop at warnings, too.
    built = run(broken, "mkdocs", "build", "-f", file)

    assert built.returncode == 1
    assert not list((broken / "site").rglob("*.html")), "a broken page was written"
    errors = re.split(r"^ERROR", built.stderr, flags=re.MULTILINE)
    for name, *_, message in BROKEN:
        location = re.compile(rf"{name}:\d+: ")
        assert any(location.search(error) and message in error for error in errors), (name, message)
