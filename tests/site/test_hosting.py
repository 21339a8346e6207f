"""The built site with and without an address and a repository."""

import re
import shutil
import struct
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree

import pytest
from mkdocs.config.defaults import MkDocsConfig
from packaging.version import Version

from check.paths import ROOT
from tests.nav import CHAPTERS
from tests.site import small
from website.feed import render_feed
from website.hosting import BRANCH, add_report_links

pytestmark = pytest.mark.site

SITE, REPO = "https://example.org/some/book/", "https://github.com/somebody/a-book"

LINK = re.compile(r'<(?:a|link|script|img|source)\b[^>]*?\s(?:href|src)=(?:"([^"]*)"|([^\s>]+))')

PAGE = "reference/api/layers"


@pytest.fixture(scope="module")
def published(project: Path, site: Path, run) -> Path:
    """Return a site with one API page, built with an address and a repository."""
    shutil.copytree(ROOT / ".cache", project / ".cache", dirs_exist_ok=True)
    file = small.write_settings(project, f"{PAGE}.md", site_dir="published")
    built = run(project, "mkdocs", "build", "-f", file, SITE_URL=SITE, REPO_URL=REPO)
    assert built.returncode == 0, built.stderr
    return project / "published"


@pytest.fixture(scope="module")
def page(published: Path) -> str:
    return (published / PAGE / "index.html").read_text("utf-8")


@pytest.mark.thorough
def test_a_page_links_its_source_and_an_editor(page):
    for way in ("edit", "blob"):
        assert f'href="{REPO}/{way}/main/docs/{PAGE}.md"' in page


@pytest.mark.thorough
def test_an_api_entry_links_its_lines(page):
    link = rf'<h\d id="(posenc\S+)"(?:(?!<h\d).)*?href="{REPO}/blob/main/(posenc/\S+)#L(\d+)-L'
    entries = re.findall(link, page, re.DOTALL)
    assert len(entries) == page.count(' class="doc doc-heading"') > 5
    for name, path, line in entries:
        code = (ROOT / path).read_text("utf-8").splitlines()[int(line) - 1 :]
        first = next(line for line in code if not line.strip().startswith("@"))
        assert re.match(rf" *(def|class) {name.rpartition('.')[2]}\b", first), name


@pytest.mark.thorough
def test_the_header_links_the_repository_without_a_request_to_its_host(page):
    """The theme's own script would request the number of stars in every reader's browser."""
    assert f'<a href="{REPO}"' in page
    assert "somebody/a-book" in page
    assert 'data-md-component="source"' not in page


@pytest.mark.parametrize("site", ["", SITE])
def test_a_card_links_an_issue_about_it_if_the_repository_is_known(site):
    card = '<a class="entry" href="../reference/equations/#entry-eq-norm">In the register</a>'
    config = MkDocsConfig()
    config.site_url, config.repo_url = site, ""
    assert add_report_links(card, config, "chapters/relative/") == card

    config.repo_url = REPO
    (address,) = re.findall(
        r'href="([^"]+/issues/new[^"]+)"', add_report_links(card, config, "chapters/relative/")
    )
    fields = parse_qs(urlsplit(unescape(address)).query)

    assert address.startswith(f"{REPO}/issues/new?")
    assert fields["title"] == ["Mistake in eq-norm"]
    assert fields["body"][0].startswith(f"{site}chapters/relative/#eq-norm\n")


@pytest.mark.thorough
def test_crawlers_find_the_address(published, page):
    assert f'<link rel="canonical" href="{SITE}{PAGE}/">' in page
    assert f"<loc>{SITE}{PAGE}/</loc>" in (published / "sitemap.xml").read_text("utf-8")
    assert f"Sitemap: {SITE}sitemap.xml\n" in (published / "robots.txt").read_text("utf-8")


@pytest.mark.thorough
def test_a_shared_link_has_a_title_a_description_and_a_picture(published, page):
    properties = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))

    assert properties["title"] == "Layers"
    assert properties["description"].startswith("Layers that add positions to tokens")
    assert properties["url"] == f"{SITE}{PAGE}/"
    picture = (published / properties["image"].removeprefix(SITE)).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">2I", picture[16:24]) == (1200, 630)


@pytest.mark.thorough
def test_with_an_address_the_404_page_is_a_page_of_the_book(published):
    """Its links begin with the path of the site, because hosts show it under any path."""
    text = (published / "404.html").read_text("utf-8")

    assert "<h1>There is no such page</h1>" in text
    assert '<main class="md-main"' in text
    assert "/some/book/assets/scripts/search.js?search." in text
    assert '<script src="/some/book/assets/javascripts/bundle.' in text
    assert '<a href="/some/book/">To the first page' in text
    links = re.findall(r'<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"', text)
    assert [link for link in links if not link.startswith("/some/book/assets/")] == []


def test_without_address_and_repository_no_page_names_them(site):
    assert not (site / "sitemap.xml").exists()
    assert not (site / "robots.txt").exists()
    assert (site / ".nojekyll").exists()
    assert not (site / "assets/cards").exists()
    own_links = (  # links to other repositories name a commit
        rf'property="og:|rel="?(canonical|edit)\b|md-source|/(blob|edit)/{BRANCH}/'
    )
    for page in site.rglob("*.html"):
        assert not re.search(own_links, page.read_text("utf-8")), page


def test_without_an_address_the_404_page_needs_no_other_file(site):
    """Hosts show it under any path, where relative links don't work."""
    text = (site / "404.html").read_text("utf-8")

    assert not re.search(r'(href|src)="', text)
    assert "There is no such page" in text


def test_every_link_of_the_site_has_a_target(site):
    """All links within the site are relative, so the folder works under any path."""
    pages = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    ids = {page: set(re.findall(r'\sid="?([^"\s>]+)', text)) for page, text in pages.items()}
    broken = set()
    for page, text in pages.items():
        here = page.relative_to(site).as_posix()
        for quoted, bare in LINK.findall(text):
            link = quoted or bare
            if re.match(r"https://|mailto:|data:|javascript:", link):
                continue
            path, _, anchor = unquote(link).partition("#")
            target = normpath(join(dirname(here), path)) if path else here
            file = site / target / "index.html" if (site / target).is_dir() else site / target
            exists = file.is_file() and (file not in ids or not anchor or anchor in ids[file])
            if target.startswith(("/", "..")) or not exists:
                broken.add((here, link))
    assert broken == set()


def test_with_an_address_each_chapter_has_a_picture_and_changes_have_a_feed(published, page):
    header = (published / "assets/cards/rotary.png").read_bytes()[:24]
    assert struct.unpack(">II", header[16:]) == (1200, 630)
    assert len(list((published / "assets/cards").iterdir())) == len(CHAPTERS) + 1
    head, _, body = page.partition("</head>")
    assert re.search(r'<link rel="alternate" type="application/rss\+xml"', head)
    assert 'href="../../../changes.xml"' in head
    assert 'href="../../../changes.xml"' in body
    assert (published / "changes.xml").exists()


def test_the_feed_has_each_change_once_and_the_newest_first():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")

    feed = ElementTree.fromstring(render_feed(text, "posenc", "https://example.org/"))
    titles = [item.findtext("title", "") for item in feed.iter("item")]
    assert len(titles) == len(re.findall(r"^- ", text, re.MULTILINE))
    assert len({item.findtext("guid") for item in feed.iter("item")}) == len(titles)
    versions = list(dict.fromkeys(title.partition(": ")[0] for title in titles))
    assert versions[0] == "Unreleased"
    assert versions[1:] == sorted(versions[1:], key=Version, reverse=True)
