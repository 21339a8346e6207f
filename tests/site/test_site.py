"""The built site: it is complete, and nothing comes from other hosts."""

import gzip
import json
import re
import subprocess
from collections import Counter

import pytest

from check import lab_source, recordings
from check.fences import keep_prose
from check.formulas import DISPLAY
from check.paths import ROOT
from export import wheel
from tests.nav import CHAPTERS, PAGES

pytestmark = pytest.mark.site

EXTERNAL = re.compile(r'<(?!a\b)\w+[^>]*?\s(?:src|srcset|href|action)="((?:https?:)?//[^"]+)')

RAW = (".md", ".py")


def test_every_formula_is_mathml(site):
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        body = re.sub(r"<(pre|code)\b.*?</\1>", "", text, flags=re.DOTALL)
        assert not re.search(r"\\[()\[\]]|\$\$|\\frac|class=\"arithmatex\">[^<]", body), page
    assert "<math" in (site / "chapters/relative/index.html").read_text("utf-8")


def test_no_hook_or_source_is_published(site):
    """The Markdown files on the site are exports, not sources from `docs`."""
    sources = {path.read_bytes() for path in (ROOT / "docs").rglob("*") if path.suffix in RAW}
    assert not [path for path in site.rglob("*") if set(path.parts) & {"_hooks", "_theme"}]
    for path in site.rglob("*.md"):
        assert path.read_bytes() not in sources, path
        assert path.relative_to(site).as_posix() in PAGES
        prose = keep_prose(path.read_text("utf-8"))  # code may show this syntax
        assert not re.search(r"^(/// |--8<--|mirrors:)", prose, re.M), path


def test_every_download_exists_and_is_linked(site):
    """Every page is there as Markdown, every chapter and lab also as a notebook and a script."""
    for page in PAGES:
        assert (site / page).read_text("utf-8").startswith("# ")
    for stem in CHAPTERS:
        html = (site / f"chapters/{stem}/index.html").read_text("utf-8")
        for suffix in ("ipynb", "py"):
            assert f'href="../{stem}.{suffix}"' in html
            assert (site / f"chapters/{stem}.{suffix}").stat().st_size > 10_000
        book = json.loads((site / f"chapters/{stem}.ipynb").read_text("utf-8"))
        outputs = [data for cell in book["cells"] for data in cell.get("outputs", ())]
        assert str(outputs).count("image/svg+xml") >= 1
    for script in sorted(lab_source.FOLDER.glob("*.py")):
        html = (site / f"labs/{script.stem}/index.html").read_text("utf-8")
        for suffix in ("ipynb", "py"):
            assert f'href="../{script.stem}.{suffix}"' in html
            assert (site / f"labs/{script.stem}.{suffix}").stat().st_size > 5_000
        assert html.count("#only-dark") == html.count("#only-light")
        assert "#only-dark" in html or recordings.read_text(script)
        assert '<details class="answer"' in html
        assert len(html) < 200_000
    assert (site / "assets" / wheel.get_name()).read_bytes()[:2] == b"PK"
    assert f'href="assets/{wheel.get_name()}"' in (site / "index.html").read_text("utf-8")


def test_ids_on_a_page_are_unique(site):
    for page in site.rglob("*.html"):
        ids = re.findall(r"<[^>]*?\sid=\"?([^\"\s>]+)", page.read_text("utf-8"))
        assert {name for name, count in Counter(ids).items() if count > 1} == set(), page


def test_the_list_for_language_models_links_every_page(site):
    """In the format of llmstxt.org: a title, a summary, sections of links."""
    lines = (site / "llms.txt").read_text("utf-8").splitlines()
    assert lines[0] == "# posenc"
    assert lines[2].startswith("> ")
    links = [match[1] for line in lines if (match := re.match(r"- \[[^\]]+\]\((\S+)\): .", line))]
    assert links == PAGES
    whole = (site / "llms-full.txt").read_text("utf-8")
    for page in PAGES:
        assert f"\nPage: {page}\n" in whole
    for formula in DISPLAY.finditer((site / "chapters/relative.md").read_text("utf-8")):
        assert formula[0] in whole


def test_nothing_is_loaded_from_another_host(site):
    """Links to other hosts are allowed."""
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert EXTERNAL.findall(text) == [], page
    for sheet in site.rglob("*.css"):
        assert not re.findall(r"url\([\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet


def test_every_page_loads_the_script_of_the_theme_at_its_end(site):
    """A script file would stop the parser if it came earlier."""
    for page in site.rglob("index.html"):
        html = page.read_text("utf-8")
        (theme,) = re.findall(r'<script(?![^>]*type=)[^>]* src="([^"]*)"', html)
        assert (page.parent / theme).resolve().match("assets/javascripts/bundle.*.js")
        assert html.index(theme) > html.index("</footer>")


def test_every_page_has_the_replacements_of_our_template(site):
    """`docs/_theme/main.html` replaces text of the theme, which a new version could change."""
    present = (
        "data-book-palette",
        'role="dialog" aria-label="Search"',
        'class="md-search-result__meta" role="status"',
        '<noscript><a class="without-search"',
        '"# matching pages"',
        "assets/scripts/search.js?",
    )
    absent = ('data-md-component="palette"', 'role="dialog" data', "assets/javascripts/workers")
    for page in site.rglob("index.html"):
        html = page.read_text("utf-8")
        head, _, body = html.partition("</head>")
        places = [
            head.index(f'{tag}{"../" * (len(page.relative_to(site).parts) - 1)}{name}"')
            for tag, name in (
                ('<link rel="stylesheet" href="', "assets/book.css"),
                ('<link rel="preload" href="', "assets/math.woff2"),
                ('<noscript><link rel="stylesheet" href="', "assets/dark.css"),
            )
        ]
        assert places == sorted(places), page
        assert head.count('className = "js js-focus-visible"') == 1, page
        assert [body.count(mark) for mark in present] == [1] * len(present), page
        assert [body.count(mark) for mark in absent] == [0] * len(absent), page


def test_every_equation_is_listed_with_its_number(site):
    overview = (site / "reference/equations/index.html").read_text("utf-8")
    for chapter, stem in enumerate(CHAPTERS, start=1):
        page = (site / f"chapters/{stem}/index.html").read_text("utf-8")
        cards = page.split('<div class="admonition statement" id="')[1:]
        assert cards
        for position, card in enumerate(cards, start=1):
            name, number = card.partition('"')[0], f"{chapter}.{position}"
            assert f'<a class="number" href="#{name}"' in card
            assert f">{number}</a>" in card
            assert f"({number}) " in overview
            assert f"../../chapters/{stem}/#{name}" in overview


def test_a_chapter_links_the_source_texts_that_it_mirrors(site):
    back = (site / "reference/sources/index.html").read_text("utf-8")
    mirroring = [
        s for s in CHAPTERS if "\nmirrors:" in (ROOT / f"docs/chapters/{s}.md").read_text("utf-8")
    ]
    assert len(mirroring) > 15
    for stem in mirroring:
        page = (site / f"chapters/{stem}/index.html").read_text("utf-8")
        foot = page.partition('<details class="mirrors">')[2].partition("</details>")[0]
        assert foot.count('href="../../reference/sources/#text-') >= 1, stem
        assert f'href="../../chapters/{stem}/#' in back


def test_an_abbreviation_is_explained_on_every_page(site):
    page = (site / "chapters/relative/index.html").read_text("utf-8")
    assert re.search(r'<abbr title="rotary position embedding[^"]*">RoPE</abbr>', page)


def test_the_project_names_no_registry_and_no_machine():
    """Tracked files contain no host of a package registry and no path of a machine."""
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in tracked.stdout.splitlines():
        if name.endswith((".npz", ".png")):
            continue
        content = (ROOT / name).read_bytes()
        text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
        assert not re.search(
            r"py[p]i\.org|python[h]osted|npmj[s]\.|deb\.de[b]ian|/wor[k]/", text
        ), name
