"""How tests handle an explorer: come near it, read its numbers, call its functions."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page

from engine.fences import without_fences
from tests import nav

ROOT = Path(__file__).parents[2]
SCRIPTS = "assets/scripts/explorers/"
ATTRS = re.compile(r"^    attrs: \{id: (explore-[\w-]+)", re.MULTILINE)
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def explorers() -> dict[str, list[str]]:
    """Return the ids of the explorers of each page that has some, by its path in the site."""
    found = {}
    for source in nav.PAGES:
        path = "" if source == "index.md" else source.removesuffix(".md") + "/"
        page = ROOT / "docs" / source
        if not page.exists():  # a lab, which is made of a script
            continue
        text = without_fences(page.read_text("utf-8"))
        if ids := ATTRS.findall(text):
            found[path] = ids
    return found


class Article(HTMLParser):
    """Finds where a page has its article, and what of it are headings and explorers."""

    HEADING = re.compile("h[1-6]")
    NEVER_CLOSED = ("br", "hr", "img", "input", "link", "meta", "source", "wbr")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines = [0, *(end.end() for end in re.finditer("\n", html))]  # as the parser counts
        self.open: list[tuple[str, int]] = []  # within the article: tags, and where they begin
        self.kept: list[tuple[int, int]] = []
        self.begins = self.ends = 0
        self.feed(html)

    def here(self) -> int:
        """Return where the tag begins that is read."""
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what begins here, if it is within the article."""
        if tag == "article":
            self.begins = self.here() + len(self.get_starttag_text() or "")
            self.open = [(tag, 0)]
        elif self.open and tag not in self.NEVER_CLOSED:
            heading = len(self.open) == 1 and self.HEADING.fullmatch(tag)
            wanted = heading or "data-explorer" in dict(attrs)
            self.open.append((tag, self.here() if wanted else 0))

    def handle_endtag(self, tag: str) -> None:
        """Keep what ends here, if it is wanted."""
        if not self.open or tag in self.NEVER_CLOSED:
            return
        opened, start = self.open.pop()
        assert opened == tag, f"{opened} is closed by {tag}"
        if tag == "article":
            self.ends = self.here()
        elif start:
            self.kept.append((start, self.here() + len(f"</{tag}>")))


def without_text(html: str) -> str:
    """Return a page whose article has nothing but its headings and explorers."""
    article = Article(html)
    kept = "\n".join(html[start:end] for start, end in article.kept)
    return html[: article.begins] + kept + html[article.ends :]


def opened(page: Page, url: str, name: str = "") -> Locator:
    """Open a page and return the explorer that is its target, or that of this id, once alive."""
    page.goto(url)
    return live(page, name or url.partition("#")[2])


def live(page: Page, name: str) -> Locator:
    """Return an explorer of the page by its id, once it is near and alive."""
    page.evaluate("name => document.getElementById(name).scrollIntoView()", name)
    page.wait_for_selector(f"#{name}[data-state=live]")
    return page.locator(f"#{name}")


def copied_link(block: Locator) -> str:
    """Press the button that copies a link, wait until it has said so, and return the link."""
    block.evaluate(
        """block => {
             window.told = false;
             const look = () => (window.told ||= /Link copied/.test(block.textContent));
             new MutationObserver(look).observe(
               block, {subtree: true, childList: true, characterData: true});
           }"""
    )
    block.get_by_role("button", name="Copy link").click()
    block.page.wait_for_function("told")
    link: str = block.page.evaluate("navigator.clipboard.readText()")
    return link


def settled(page: Page) -> None:
    """Wait until what was changed is drawn."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def themed(page: Page, scheme: str) -> None:
    """Set the system to light or dark, and wait until the page has followed and is drawn."""
    page.emulate_media(color_scheme=scheme)
    name = {"light": "default", "dark": "slate"}[scheme]
    page.wait_for_selector(f"body[data-md-color-scheme={name}]")
    settled(page)


def shown(block: Locator) -> dict[str, str]:
    """Return all values of the read-out by their keys, once drawn, with ASCII signs and digits."""
    texts: dict[str, str] = block.evaluate(
        """async (block) => {
             await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
             const outputs = [...block.querySelectorAll("[data-value]")];
             return Object.fromEntries(outputs.map(o => [o.dataset.value, o.textContent]));
           }"""
    )
    return {key: text.replace("−", "-").replace("\u202f", "") for key, text in texts.items()}


def paths(block: Locator, selector: str) -> list[str]:
    """Return what the paths of a picture draw, once drawn."""
    settled(block.page)
    drawn: list[str] = block.locator(selector).evaluate_all(
        "all => all.map(path => path.getAttribute('d'))"
    )
    return drawn


def misses(path: str, exact: list[float]) -> float:
    """Return by how many pixels at most a line misses these heights, at whatever scale."""
    heights = [float(point.split()[1]) for point in path[1:].split("L")]
    slope, start = np.polyfit(exact, heights, 1)
    assert slope < -20, "what is more stands higher"
    return float(abs(slope * np.array(exact) + start - heights).max())


def number(text: str) -> float:
    """Return the last number of a text; 1.5·10⁻⁶ is one."""
    plain = text.replace("·10", "e").translate(RAISED)
    return float(re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", plain)[-1])


def called(page: Page, address: str, module: str, function: str, calls: list[Any]) -> list[Any]:
    """Return what a function of a module gives for each list of arguments."""
    results: list[Any] = page.evaluate(
        """async ([url, name, calls]) => {
             const plain = (v) => ArrayBuffer.isView(v) ? [...v].map(plain)
               : Array.isArray(v) ? v.map(plain) : v;
             const called = (await import(url))[name];
             return calls.map((given) => plain(called(...given)));
           }""",
        [f"{address}{SCRIPTS}{module}.js", function, calls],
    )
    return results
