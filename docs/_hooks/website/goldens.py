"""The golden vectors that the site offers: written by `posenc.golden.write`, kept in the cache."""

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

SITE_FOLDER = "assets/golden"
# Subpackages that the vectors depend on.
SOURCES = ("core", "tables", "rotary", "biases", "scaling", "judging", "golden")


def list_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the files of the golden vectors, which must have been written."""
    for path in sorted(get_folder().iterdir()):
        yield File.generated(config, f"{SITE_FOLDER}/{path.name}", abs_src_path=str(path))


def get_folder() -> Path:
    """Return the folder for the golden vectors of the package as it is now."""
    sources = (path for part in SOURCES for path in (PACKAGE / part).rglob("*.py"))
    return FOLDER / "golden" / digest_files(sources)[:40]


def start_writing() -> BaseProcess | None:
    """Start to write the golden vectors if they don't exist yet.

    This needs a process of its own, since `mkdocs serve` doesn't import an edited package again.
    """
    return None if get_folder().is_dir() else start_process(write_vectors, get_folder())


def write_vectors(target: Path) -> None:
    """Write the golden vectors into a folder, all or none."""
    from posenc import golden

    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent) as folder:
        draft = Path(folder) / "golden"
        golden.write(draft)
        with suppress(OSError):  # another build was faster
            draft.rename(target)
