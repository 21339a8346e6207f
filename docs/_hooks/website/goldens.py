"""The golden vectors on the site, as `posenc.golden.write` makes them of the package as it is."""

from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from check.cache import FOLDER, digest_files
from check.paths import PACKAGE
from render.workers import start_process

SERVED = "assets/golden"
FROM = ("core", "golden", "judging", "relative")  # the folders whose code they are made by


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield each file of the golden vectors, which have been written."""
    for path in sorted(folder().iterdir()):
        yield File.generated(config, f"{SERVED}/{path.name}", abs_src_path=str(path))


def folder() -> Path:
    """Return the folder that holds them, once they are made."""
    sources = (path for part in FROM for path in (PACKAGE / part).rglob("*.py"))
    return FOLDER / "golden" / digest_files(sources)[:40]


def begun() -> BaseProcess | None:
    """Begin to make them where they are not there yet.

    In a process of its own: that of `mkdocs serve` keeps the package that it first imported.
    """
    return None if folder().is_dir() else start_process(write, folder())


def write(kept: Path) -> None:
    """Make them, all or none."""
    from posenc import golden

    kept.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=kept.parent) as folder:
        made = Path(folder) / "golden"
        golden.write(made)
        with suppress(OSError):  # another build was faster
            made.rename(kept)
