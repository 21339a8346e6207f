"""What the built site has where an address and a repository are known, and where not."""

import re
import shutil
import struct
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

import pytest

from check.paths import ROOT
from tests.site import small
from website.hosting import BRANCH

pytestmark = pytest.mark.site

SITE, REPO = "https://example.org/some/book/", "https://github.com/somebody/a-book"

LINK = re.compile(r'<(?:a|link|script|img|source)\b[^>]*?\s(?:href|src)=(?:"([^"]*)"|([^\s>]+))')

PAGE = "reference/api/embedding"


@pytest.fixture(scope="module")
def known(project: Path, site: Path, run) -> Path:
    """Return a small site, a page of the API alone, built with address and repository."""
    shutil.copytree(ROOT / ".cache", project / ".cache", dirs_exist_ok=True)  # the site's build's
    file = small.settings(project, f"{PAGE}.md", built="known")
    built = run(project, "mkdocs", "build", "-f", file, SITE_URL=SITE, REPO_URL=REPO)
    assert built.returncode == 0, built.stderr
    return project / "known"


@pytest.fixture(scope="module")
def page(known: Path) -> str:
    return (known / PAGE / "index.html").read_text("utf-8")


@pytest.mark.thorough
def test_a_page_leads_to_its_source_and_to_an_editor(page):
    for way in ("edit", "blob"):
        assert f'href="{REPO}/{way}/main/docs/{PAGE}.md"' in page


@pytest.mark.thorough
def test_an_entry_of_the_api_leads_to_its_lines(page):
    link = rf'<h\d id="(posenc\S+)"(?:(?!<h\d).)*?href="{REPO}/blob/main/(posenc/\S+)#L(\d+)-L'
    found = re.findall(link, page, re.DOTALL)
    assert len(found) == page.count(' class="doc doc-heading"') > 5
    for name, path, line in found:
        code = (ROOT / path).read_text("utf-8").splitlines()[int(line) - 1 :]
        first = next(line for line in code if not line.strip().startswith("@"))
        assert re.match(rf" *(def|class) {name.rpartition('.')[2]}\b", first), name


@pytest.mark.thorough
def test_the_head_shows_the_repository_and_asks_its_host_nothing(page):
    """The theme's own script would ask for its stars, from every reader's browser."""
    assert f'<a href="{REPO}"' in page
    assert "somebody/a-book" in page
    assert 'data-md-component="source"' not in page


@pytest.mark.thorough
def test_crawlers_learn_the_address(known, page):
    assert f'<link rel="canonical" href="{SITE}{PAGE}/">' in page
    assert f"<loc>{SITE}{PAGE}/</loc>" in (known / "sitemap.xml").read_text("utf-8")
    assert f"Sitemap: {SITE}sitemap.xml\n" in (known / "robots.txt").read_text("utf-8")


@pytest.mark.thorough
def test_a_link_that_is_shared_has_a_title_a_description_and_a_picture(known, page):
    shown = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))

    assert shown["title"] == "Layers"
    assert shown["description"].startswith("Layers that add positions to tokens")
    assert shown["url"] == f"{SITE}{PAGE}/"
    picture = (known / shown["image"].removeprefix(SITE)).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">2I", picture[16:24]) == (1200, 630)


@pytest.mark.thorough
def test_what_is_not_found_is_a_page_of_the_book_where_the_address_is_known(known):
    """At any depth: all that it loads, and the way to the first page, begins at the root."""
    text = (known / "404.html").read_text("utf-8")

    assert "<h1>There is no such page</h1>" in text
    assert '<main class="md-main"' in text
    assert "/some/book/assets/scripts/search.js?search." in text
    assert '<script src="/some/book/assets/javascripts/bundle.' in text
    assert '<a href="/some/book/">To the first page' in text
    loaded = re.findall(r'<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"', text)
    assert [link for link in loaded if not link.startswith("/some/book/assets/")] == []


def test_without_address_and_repository_nothing_claims_them(site):
    assert not (site / "sitemap.xml").exists()
    assert not (site / "robots.txt").exists()
    assert (site / ".nojekyll").exists()
    assert not (site / "assets/card.png").exists()
    ours = (  # not others, by commit
        rf'property="og:|rel="?(canonical|edit)\b|md-source|/(blob|edit)/{BRANCH}/'
    )
    for page in site.rglob("*.html"):
        assert not re.search(ours, page.read_text("utf-8")), page


def test_what_is_not_found_relies_on_no_file(site):
    """A host shows this page at any depth, where no relative link of it would hold."""
    text = (site / "404.html").read_text("utf-8")

    assert not re.search(r'(href|src)="', text)
    assert "There is no such page" in text


def test_every_link_of_the_site_leads_somewhere(site):
    """To a file and an id that are there; so the folder works under any path."""
    pages = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    ids = {page: set(re.findall(r'\sid="?([^"\s>]+)', text)) for page, text in pages.items()}
    broken = set()
    for page, text in pages.items():
        here = page.relative_to(site).as_posix()
        for quoted, bare in LINK.findall(text):
            link = quoted or bare
            if re.match(r"https://|mailto:|data:|javascript:", link):
                continue
            path, _, place = unquote(link).partition("#")
            way = normpath(join(dirname(here), path)) if path else here
            there = site / way / "index.html" if (site / way).is_dir() else site / way
            held = there.is_file() and (there not in ids or not place or place in ids[there])
            if way.startswith(("/", "..")) or not held:
                broken.add((here, link))
    assert broken == set()
