"""Every page of the site is valid HTML, as the validator of the W3C understands it."""

import os
import shutil
from pathlib import Path

import pytest

from benchmarks import html

pytestmark = [pytest.mark.site, pytest.mark.thorough]

BROKEN = """<!doctype html><html lang="en"><title>A page</title>
<p id="here">One<p id="here">Two<table><tr><td>1</table>
<math><mfrac displaystyle="true"><mn>1</mn><mn>2</mn></mfrac></math></html>"""


@pytest.fixture(scope="module")
def told(site, tmp_path_factory):
    """Return what is said of the site, and of a page that is broken, by one start of Java."""
    if not (shutil.which("java") and shutil.which("npm")):
        if os.environ.get("CI"):
            pytest.fail("no Java, or no npm: install default-jre-headless and npm")
        pytest.skip("NO JAVA, or no npm: no page was validated")
    folder = tmp_path_factory.mktemp("broken")
    (folder / "index.html").write_text(BROKEN, "utf-8")
    errors = [one for one in html.messages(site, folder) if one["type"] == "error"]

    def of(place: Path) -> list[str]:
        return [
            f"{one['url']}:{one.get('lastLine')}: {one['message']}"
            for one in errors
            if one["url"].startswith(f"file:{place.resolve()}/") and not html.allowed(one)
        ]

    return of(site), of(folder)


def test_every_page_is_valid(told):
    found, _ = told

    assert found == []


def test_a_page_that_is_broken_is_told_of(told):
    """But not of what MathML Core has: a style of its own on a fraction."""
    _, found = told

    assert len(found) == 1
    assert "Duplicate ID “here”" in found[0]
