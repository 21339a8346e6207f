"""Do two builds that run at the same time, with a shared cache, give identical files?

    uv run python -m benchmarks.builds [--json FILE]

Start two builds of a copy of the project at once with an empty cache, so that both need each
page. They have different hash seeds and output folders. The exit code is 1 if a file differs or a
build fails. The tests compare two builds that run one after the other.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.same_site import find_differences
from benchmarks.timing import count_missed, make_parser, print_line, store_lines

ROOT = Path(__file__).resolve().parents[1]
DATE = "1767225600"  # for SOURCE_DATE_EPOCH: the site map and the wheel say when they were made
BUILDS = 2


def build_concurrently(folder: Path) -> list[Path]:
    """Build the site several times at once, and return the folders."""
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
    if sum(build.wait() != 0 for build in running):  # waits for every build
        raise SystemExit("a build failed")
    return sites


def main() -> int:
    """Print the files that differ, and return how many there are."""
    file = make_parser(__doc__).parse_args().json
    with TemporaryDirectory(prefix="posenc-") as name:
        first, second = build_concurrently(Path(name))
        found = list(find_differences(first, second))
        files = sum(path.is_file() for path in first.rglob("*"))
    print("\n".join(found))
    lines = [
        print_line({"what": "files of a site", "measured": files, "goal": "≥ 1000"}),
        print_line({"what": "files that differ between two builds made at once",
              "measured": len(found), "goal": "≤ 0"}),
    ]  # fmt: skip
    store_lines(file, lines, packages=("posenc", "mkdocs"))
    return count_missed(lines)


if __name__ == "__main__":
    sys.exit(main())
