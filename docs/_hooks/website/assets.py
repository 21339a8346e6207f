"""What `mkdocs serve` leaves in the site from build to build: all assets that are as they were.

MkDocs empties the site and copies everything anew, a thousand files for an edited sentence. What
is hidden it lets be; so the folder of assets is hidden while MkDocs empties the site, and of the
files in it only those are copied that have changed since.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from mkdocs.structure.files import File, InclusionLevel

FOLDER, HIDDEN = "assets", ".assets"

Stamp = tuple[str, int, int] | bytes  # what a file looks like from outside, or a digest of it


class Assets:
    """The assets of the builds of one process."""

    def __init__(self) -> None:
        self.there: dict[str, Stamp] = {}  # in the site, by path
        self.coming: dict[str, Stamp] = {}  # likewise, when this build has come to its end

    @staticmethod
    def hide(site: Path) -> None:
        """Hide what is there from MkDocs, which is about to empty the site."""
        if (site / FOLDER).exists():
            (site / FOLDER).rename(site / HIDDEN)

    @staticmethod
    def show(site: Path) -> None:
        """Put back what was hidden."""
        if (site / HIDDEN).exists():
            (site / HIDDEN).rename(site / FOLDER)

    def spare(self, files: Iterable[File]) -> None:
        """Have only those files copied that are not there yet; delete what is no longer asked for.

        What is to be copied counts as there when `settle` is called.
        """
        copied = (file for file in files if file.inclusion is not InclusionLevel.EXCLUDED)
        assets = [file for file in copied if file.dest_uri.startswith(f"{FOLDER}/")]
        self.coming = {file.abs_dest_path: _stamp(file) for file in assets}
        for gone in self.there.keys() - self.coming.keys():
            Path(gone).unlink(missing_ok=True)
        self.there = dict(self.there.items() & self.coming.items())
        for file in assets:
            if file.abs_dest_path in self.there:
                file.copy_file = _nothing  # type: ignore[method-assign]

    def settle(self, *, final: bool) -> None:
        """Note what is there now; nothing, unless it is `final` and nobody else writes to it."""
        self.there = self.coming if final else {}


def _stamp(file: File) -> Stamp:
    if file.abs_src_path is None:
        return hashlib.sha256(file.content_bytes).digest()
    found = Path(file.abs_src_path).stat()
    return file.abs_src_path, found.st_mtime_ns, found.st_size


def _nothing(dirty: bool = False) -> None:
    """Copy nothing."""
