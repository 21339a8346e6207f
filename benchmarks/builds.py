"""Are two builds the same bytes that are made at once, and share all that they keep?

    uv run python -m benchmarks.builds [--json FILE]

Two builds of a copy of the project begin together with nothing kept from before, so that each
page is asked for by both; they have other hash seeds, and other folders to write into. Exit
code 1 where a file differs, or a build fails. That builds one after the other are the same, from
two folders, is tested on every run.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.same_site import differences
from benchmarks.timing import missed, parser, show, store

ROOT = Path(__file__).resolve().parents[1]
DATE = "1767225600"  # for SOURCE_DATE_EPOCH: the site map and the wheel say when they were made
BUILDS = 2


def built(folder: Path) -> list[Path]:
    """Return the sites of builds that were made at once."""
    copy, sites = folder / "posenc", [folder / f"site-{number}" for number in range(BUILDS)]
    copy.mkdir()
    copying = f"git ls-files -z | xargs -0 cp --parents -t {copy}"
    subprocess.run(copying, shell=True, cwd=ROOT, check=True)
    common = os.environ | {"SOURCE_DATE_EPOCH": DATE, "POSENC_CACHE": str(folder / "kept")}
    common["PYTHONPATH"] = str(copy)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(site)],
            cwd=copy,
            env=common | {"PYTHONHASHSEED": str(number)},
        )
        for number, site in enumerate(sites, start=1)
    ]
    if sum(build.wait() != 0 for build in running):  # each is waited for
        raise SystemExit("a build failed")
    return sites


def main() -> int:
    """Print what differs, and how much."""
    file = parser(__doc__).parse_args().json
    with TemporaryDirectory(prefix="posenc-") as name:
        first, second = built(Path(name))
        found = list(differences(first, second))
        files = sum(path.is_file() for path in first.rglob("*"))
    print("\n".join(found))
    lines = [
        show({"what": "files of a site", "measured": files, "goal": "≥ 1000"}),
        show({"what": "files that differ between two builds made at once",
              "measured": len(found), "goal": "≤ 0"}),
    ]  # fmt: skip
    store(file, lines, packages=("posenc", "mkdocs"))
    return missed(lines)


if __name__ == "__main__":
    sys.exit(main())
