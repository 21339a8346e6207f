"""Whoever judges breakages can say that nothing is broken, and refuses what is no breakage."""

import pytest

from check.paths import ROOT
from tests.net import test_breakages_code, test_breakages_pages, test_breakages_relative
from tests.net.server import Job, broken

PLACE = ("posenc/added/sinusoidal.py", "    _arrange(sin, cos, layout")
TESTS = "tests/package/added/test_sinusoidal_layer.py"


@pytest.mark.parametrize("target", ["README.md", "posenc/added/sinusoidal.py", TESTS])
def test_what_changes_nothing_is_noticed_by_nobody(server, target):
    file, old = PLACE

    (verdict,) = server.judged(broken(target, file, old, old))

    assert not verdict.failures
    assert verdict.ran.startswith(f"{target}: ")


def test_a_place_that_is_gone_is_refused():
    with pytest.raises(AssertionError, match="no longer has 'once there'"):
        broken("README.md", "README.md", "once there", "")


def test_each_breakage_has_its_place_though_it_is_not_its_day():
    code = [*test_breakages_code.CODE, *test_breakages_relative.CODE]
    rows = [(file, old, new) for _, file, old, new, _ in code]
    rows += [(file, old, new) for _, file, old, new, *_ in test_breakages_pages.PAGES]
    assert len(rows) > 150
    for file, old, new in rows:
        assert broken("", file, old, new).text != (ROOT / file).read_text("utf-8")


def test_what_is_no_test_gives_no_verdict(server):
    with pytest.raises(RuntimeError, match=r"not found: tests/test_nothing\.py"):
        server.judged(Job("tests/test_nothing.py"))
