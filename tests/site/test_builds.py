"""Builds of the site: the same bytes each time, and none of a book that does not hold."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import DATE
from tests.turns import EVERY, TODAY

pytestmark = [pytest.mark.site, pytest.mark.thorough]

RAN = ("pages", "labs", "figures")  # what is kept of code; all else is made of texts
PACKED = "runtime"  # Python for browsers, which is packed anew on one day of seven


def kept_for_a_second(cache: Path) -> None:
    """Fill a cache with what the tests have kept of code that ran, but for a seventh of it.

    Of each kind another seventh runs again each day, or all, as in `tests/turns.py`. Files are
    named by digests, so that they fall into sevenths of about the same size.
    """
    first = Path(os.environ["POSENC_CACHE"])
    for kind in RAN if TODAY != EVERY else ():
        (cache / kind).mkdir(parents=True)
        for file in (first / kind).iterdir():
            if file.suffix != ".lock" and int(file.name, 16) % 7 != int(TODAY) % 7:
                shutil.copy(file, cache / kind)
    if TODAY != EVERY and int(TODAY) % 7:
        shutil.copytree(first / PACKED, cache / PACKED)


def test_two_builds_are_the_same_bytes(site, project, run, tmp_path):
    """In two processes with two hash seeds: one process would hide an ordering bug.

    In two folders, too. The second makes each page anew, and runs a part of the code again.
    """
    kept_for_a_second(tmp_path / "cache")
    words = ["mkdocs", "build", "--strict"]
    second = {"PYTHONHASHSEED": "2", "POSENC_CACHE": str(tmp_path / "cache")}
    built = run(project, *words, SOURCE_DATE_EPOCH=DATE, **second)
    assert built.returncode == 0, built.stderr

    files = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file())
    theirs = project / "site"
    assert files == sorted(p.relative_to(theirs) for p in theirs.rglob("*") if p.is_file())
    differing = [
        str(path) for path in files if (site / path).read_bytes() != (theirs / path).read_bytes()
    ]
    assert differing == []


# One of each kind, all at once: file, what stands there, what comes in its place, message. An edit
# of the package is told of the page that rests on it, though what is kept says that the page holds.
SINUSOIDAL, RELATIVE = "docs/chapters/sinusoidal.md", "docs/chapters/relative.md"

TOLD = {"posenc/positions/dna_strands.py": "docs/chapters/sciences.md"}

BROKEN = [
    (SINUSOIDAL, "[20, 0]", "[21, 0]", "Got:"),
    (SINUSOIDAL, '#fig-waves alt="', '#fig-waves title="', "a figure without alt"),
    (SINUSOIDAL, "posenc.plots.spectrum(64)", "posenc.plots", "got module"),
    (RELATIVE, r"M_{-k} &= M_k^{-1}", r"M_{-k} &= M_k^{-1", "LaTeX in"),
    (RELATIVE, "[eq-toeplitz][]", "[eq-topelitz][]", "unknown reference"),
    (RELATIVE, "/// verification | Products", "/// note | Products", "without its ver"),
    (RELATIVE, "/// implementation\n[`posenc.enc", "/// note\n[`posenc.enc", "its impl"),
    (RELATIVE, "(sinusoidal.md#both)", "(sinusoidal.md#bath)", "no heading or id"),
    ("docs/labs/build.py", "return math.sin(omega", "return math.cos(omega", "not yet true"),
    ("docs/labs/regression.py", 'fig-whole" alt="', 'fig-whole" title="', "a figure without alt"),
    ("mkdocs.yml", "chapters/sciences.md", "chapters/science.md", "perhaps chapters/sciences.md"),
    ("docs/chapters/sciences.md", "title: ", "titel: ", "without title"),
    ("posenc/positions/dna_strands.py", "[letter] for", "['A'   ] for", "Got:"),
    ("docs/reference/api/rotary.md", "posenc.ntk_base", "posenc.nkt_base", "perhaps posenc.ntk"),
]  # fmt: skip


def test_a_build_of_broken_pages_names_each_file_line_and_remedy(project, run, tmp_path):
    broken = tmp_path / "posenc"
    shutil.copytree(project, broken, ignore=shutil.ignore_patterns("site"))
    for name, old, new, _ in BROKEN:
        page = broken / name
        text = page.read_text("utf-8")
        assert old in text
        page.write_text(text.replace(old, new, 1), "utf-8")

    built = run(broken, "mkdocs", "build")  # without --strict, which would refuse a mere warning

    assert built.returncode == 1
    assert not list((broken / "site").rglob("*.html")), "a false page was written"
    said = re.split(r"^ERROR", built.stderr, flags=re.MULTILINE)
    for name, *_, message in BROKEN:
        where = re.compile(rf"{TOLD.get(name, name)}:\d+: ")
        assert [one for one in said if where.search(one) and message in one], (name, message)
