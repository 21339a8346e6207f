"""What depends on where the site is published, which SITE_URL and REPO_URL set.

Without them the built folder names no address and no repository, and works on any static host
and under any path.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.paths import ROOT
from export.stubs import find_definition
from render import citation

BRANCH = "main"
HEADING = re.compile(r'<h\d id="(?P<name>posenc\.[\w.]+)" class="doc doc-heading">.*?</h\d>', re.S)

# The last line of a card, which links its entry in the register.
ENTRY = re.compile(r'<a class="entry" href="[^"]*#entry-(?P<id>eq-[\w-]+)">[^<]*</a>')

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
POLICY = "content-security-policy.txt"


def configure(config: MkDocsConfig) -> None:
    """Show the version and the name of the repository, and link pages to their source."""
    config.extra["release"] = citation.read_citation().version
    if config.repo_url:
        config.repo_url = config.repo_url.rstrip("/")
        config.repo_name = urlsplit(config.repo_url).path.strip("/")
        config.edit_uri = f"edit/{BRANCH}/docs/"


def list_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the files that only hosts and crawlers read."""
    # Hosts that run Jekyll would leave out assets whose names begin with an underscore.
    yield File.generated(config, ".nojekyll", content="")
    if config.site_url:
        robots = f"User-agent: *\nAllow: /\nSitemap: {config.site_url}sitemap.xml\n"
        yield File.generated(config, "robots.txt", content=robots)


def add_source_links(html: str, config: MkDocsConfig, package: str) -> str:
    """Return an API page with a link to the lines in the repository below each heading.

    `package` is a digest of the package.
    """
    if not config.repo_url:
        return html

    def add_link(heading: re.Match[str]) -> str:
        location = find_source(heading["name"], package)
        if location is None:
            return heading[0]
        path, first, last = location
        address = f"{config.repo_url}/blob/{BRANCH}/{path}#L{first}-L{last}"
        text = f"{path}, lines {first} to {last}"
        return f'{heading[0]}\n<p class="provenance"><a href="{address}">{text}</a></p>'

    return HEADING.sub(add_link, html)


def add_report_links(html: str, config: MkDocsConfig, page: str) -> str:
    """Return a page at a URL with a link on each card that opens an issue about it."""
    if not config.repo_url:
        return html

    def add_link(entry: re.Match[str]) -> str:
        place = f"{config.site_url or ''}{page}#{entry['id']}"
        body = f"{place}\n\nWhat the card says:\n\nWhat it should say, and why:\n"
        fields = urlencode({"title": f"Mistake in {entry['id']}", "body": body}, quote_via=quote)
        address = f"{config.repo_url}/issues/new?{fields}".replace("&", "&amp;")
        return f'{entry[0]} <a class="report" href="{address}">Report a mistake</a>'

    return ENTRY.sub(add_link, html)


def find_source(name: str, package: str) -> tuple[str, int, int] | None:
    """Return the file, the first and the last line of a public name; None for a module.

    Nothing is imported, because PyTorch and numba need not be installed.
    """
    definition = find_definition(name, package)
    if definition.is_module:
        return None
    path = Path(definition.filepath).relative_to(ROOT).as_posix()
    return path, definition.lineno, definition.endlineno


def make_policy(pages: Iterable[str]) -> str:
    """Return the strictest Content Security Policy under which all these pages work.

    It allows nothing from other hosts, no `eval`, and no forms. Inline scripts are allowed by their
    digests, inline styles as attributes, and images as data in style sheets. Python in the browser
    needs WebAssembly.
    """
    scripts = {
        match["code"]
        for page in pages
        for match in SCRIPT.finditer(page)
        if "src=" not in match["attributes"] and "json" not in match["attributes"]
    }
    digests = (hashlib.sha256(code.encode()).digest() for code in scripts)
    hashes = sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval' {' '.join(hashes)}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
        ]
    )
