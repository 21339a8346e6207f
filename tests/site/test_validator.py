"""Every page of the site is valid HTML, according to the W3C validator."""

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
def errors(site, tmp_path_factory):
    """Return the errors of the site and those of a broken page, from one start of Java."""
    if not (shutil.which("java") and shutil.which("npm")):
        if os.environ.get("CI"):
            pytest.fail("no Java, or no npm: install default-jre-headless and npm")
        pytest.skip("NO JAVA, or no npm: no page was validated")
    folder = tmp_path_factory.mktemp("broken")
    (folder / "index.html").write_text(BROKEN, "utf-8")
    messages = [message for message in html.validate(site, folder) if message["type"] == "error"]

    def list_errors(root: Path) -> list[str]:
        return [
            f"{message['url']}:{message.get('lastLine')}: {message['message']}"
            for message in messages
            if message["url"].startswith(f"file:{root.resolve()}/") and not html.is_allowed(message)
        ]

    return list_errors(site), list_errors(folder)


def test_every_page_is_valid(errors):
    of_site, _ = errors

    assert of_site == []


def test_a_broken_page_has_an_error(errors):
    """Only the duplicate id: `displaystyle` on a fraction is valid in MathML Core."""
    _, of_broken_page = errors

    assert len(of_broken_page) == 1
    assert "Duplicate ID “here”" in of_broken_page[0]
