"""The golden vectors on the site, as `posenc.golden.write` makes them of the package as it is."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from engine.cache import FOLDER, digest
from engine.places import PACKAGE, ROOT

SERVED = "assets/golden"
FROM = ("core", "golden", "judging", "relative")  # the folders whose code they are made by

# In a process of its own: that of `mkdocs serve` keeps the package that it first imported.
WRITE = "import sys; from posenc import golden; golden.write(sys.argv[1])"


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield each file of the golden vectors."""
    for path in sorted(built().iterdir()):
        yield File.generated(config, f"{SERVED}/{path.name}", abs_src_path=str(path))


def built() -> Path:
    """Return the folder that holds them, made where it is not there yet."""
    sources = (path for part in FROM for path in (PACKAGE / part).rglob("*.py"))
    kept = FOLDER / "golden" / digest(sources)[:40]
    if not kept.is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept.parent) as folder:
            made = Path(folder) / "golden"
            subprocess.run([sys.executable, "-c", WRITE, str(made)], cwd=ROOT, check=True)
            with suppress(OSError):  # another build was faster
                made.rename(kept)
    return kept
