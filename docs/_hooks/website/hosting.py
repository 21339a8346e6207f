"""Where the site is published, if anywhere: all that follows from SITE_URL and REPO_URL.

Without them the built folder claims no address, shows no repository, and works on any
static host and under any path.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from engine.places import ROOT

BRANCH = "main"
HEADING = re.compile(r'<h\d id="(?P<name>posenc\.[\w.]+)" class="doc doc-heading">.*?</h\d>', re.S)


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
