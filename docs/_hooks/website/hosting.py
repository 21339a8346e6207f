"""Where the site is published, if anywhere: all that follows from SITE_URL and REPO_URL.

Without them the built folder claims no address, shows no repository, and works on any
static host and under any path.
"""

import base64
import hashlib
import importlib
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.paths import ROOT

BRANCH = "main"
HEADING = re.compile(r'<h\d id="(?P<name>posenc\.[\w.]+)" class="doc doc-heading">.*?</h\d>', re.S)

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
POLICY = "content-security-policy.txt"


def configure(config: MkDocsConfig) -> None:
    """Show the repository, if there is one, by its name, and lead from pages to their source."""
    if config.repo_url:
        config.repo_url = config.repo_url.rstrip("/")
        config.repo_name = urlsplit(config.repo_url).path.strip("/")
        config.edit_uri = f"edit/{BRANCH}/docs/"


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield what only hosts and crawlers read."""
    # Hosts that run Jekyll would leave out assets whose names begin with an underscore.
    yield File.generated(config, ".nojekyll", content="")
    if config.site_url:
        said = f"User-agent: *\nAllow: /\nSitemap: {config.site_url}sitemap.xml\n"
        yield File.generated(config, "robots.txt", content=said)


def template(output: str, name: str, config: MkDocsConfig) -> str:
    """Return what becomes of a file of the theme: a map of the site needs full addresses."""
    return "" if name == "sitemap.xml" and not config.site_url else output


def with_source_lines(html: str, config: MkDocsConfig) -> str:
    """Return an API page with a link to its lines in the repository behind each heading."""
    if not config.repo_url:
        return html

    def linked(heading: re.Match[str]) -> str:
        place = source(heading["name"])
        if place is None:
            return heading[0]
        path, first, last = place
        address = f"{config.repo_url}/blob/{BRANCH}/{path}#L{first}-L{last}"
        said = f"{path}, lines {first} to {last}"
        return f'{heading[0]}\n<p class="provenance"><a href="{address}">{said}</a></p>'

    return HEADING.sub(linked, html)


def source(name: str) -> tuple[str, int, int] | None:
    """Return the file of a name of the package, its first and its last line, if it has any."""
    package, *rest = name.split(".")
    thing: Any = importlib.import_module(package)
    for number, part in enumerate(rest, start=1):
        if inspect.ismodule(thing) and not hasattr(thing, part):
            importlib.import_module(".".join([package, *rest[:number]]))
        thing = getattr(thing, part, None)
    if isinstance(thing, property):
        thing = thing.fget
    if not (inspect.isfunction(thing) or inspect.isclass(thing)):
        return None
    lines, first = inspect.getsourcelines(thing)
    path = Path(inspect.getfile(thing)).resolve().relative_to(ROOT)
    return path.as_posix(), first, first + len(lines) - 1


def policy(pages: Iterable[str]) -> str:
    """Return the strictest Content Security Policy under which all of these pages work.

    Nothing comes from elsewhere, no text is run as a script, no form is sent. Scripts that stand
    in a page are named by their digests; styles may stand in attributes, signs in style sheets.
    What runs in a reader's browser is compiled: WebAssembly is no text.
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
