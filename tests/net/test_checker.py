"""The check of errors passes without an error, and refuses edits that don't apply."""

import pytest

from check.paths import ROOT
from tests.net import test_errors_in_code, test_errors_in_pages, test_errors_in_relative_code
from tests.net.server import Job, break_file

PLACE = ("posenc/tables/sinusoidal.py", "    _arrange(sin, cos, layout")
TESTS = "tests/package/layers/test_sinusoidal_layer.py"


@pytest.mark.parametrize("target", ["README.md", "posenc/tables/sinusoidal.py", TESTS])
def test_an_edit_that_changes_nothing_passes(server, target):
    file, old = PLACE

    (verdict,) = server.judge(break_file(target, file, old, old))

    assert not verdict.failures
    assert verdict.ran.startswith(f"{target}: ")


def test_an_edit_of_missing_text_is_refused():
    with pytest.raises(AssertionError, match="no longer contains 'once there'"):
        break_file("README.md", "README.md", "once there", "")


def test_every_edit_of_the_tables_applies():
    code = [*test_errors_in_code.CODE, *test_errors_in_relative_code.CODE]
    rows = [(file, old, new) for _, file, old, new, _ in code]
    rows += [(file, old, new) for _, file, old, new, *_ in test_errors_in_pages.PAGES]
    assert len(rows) > 150
    for file, old, new in rows:
        assert break_file("", file, old, new).text != (ROOT / file).read_text("utf-8")


def test_a_missing_test_file_raises(server):
    with pytest.raises(RuntimeError, match=r"not found: tests/test_nothing\.py"):
        server.judge(Job("tests/test_nothing.py"))
