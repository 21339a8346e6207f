"""Is every page of the built site valid HTML? Check all of them with the Nu validator of the W3C.

    uv run mkdocs build && uv run python -m benchmarks.html site [--json FILE]

The validator is an npm package, pinned to a version, and needs Java 11 or newer. Messages are
grouped by their text. `ALLOWED` lists the known ones with reasons; the exit code is 1 if there are
others.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.timing import count_missed, make_parser, print_line, store_lines

ROOT = Path(__file__).resolve().parents[1]
VALIDATOR = "vnu-jar@26.9.27"
KEPT = ROOT / ".cache" / VALIDATOR
SECONDS = 600

# Messages to ignore, with the reason.
ALLOWED = {
    r"^Attribute “(?:scriptlevel|displaystyle)” not allowed on element “m\w+”": (
        "MathML Core has both on every element; the validator's schema is MathML 3"
    ),
    r"^Attribute “autocomplete” is only allowed when the input type": (
        "the theme's: without it, Firefox opens a menu again that was open before a reload"
    ),
}
FRAGMENTS = "assets/previews"  # fragments that scripts insert into pages


def fetch_validator() -> Path:
    """Return the path of the validator, after downloading it if necessary."""
    found = KEPT / "node_modules/vnu-jar/build/dist/vnu.jar"
    if not found.exists():
        words = ["npm", "install", "--silent", "--prefix", str(KEPT), VALIDATOR]
        subprocess.run(words, check=True, timeout=SECONDS)
    return found


def validate(*folders: Path) -> list[dict[str, Any]]:
    """Return the validator's messages for all complete pages in some folders."""
    java = shutil.which("java")
    if java is None:
        raise SystemExit("no Java: install one, as default-jre-headless on Debian")
    words = [
        "-jar",
        str(fetch_validator()),
        "--skip-non-html",
        "--format",
        "json",
        "--exit-zero-always",
    ]
    # A single simple compiler thread: the run is too short for more to pay off.
    light = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss2m"]
    done = subprocess.run(
        [java, *light, *words, *map(str, folders)], capture_output=True, text=True, timeout=SECONDS
    )
    found = json.loads(done.stderr)["messages"]
    return [one for one in found if f"/{FRAGMENTS}/" not in one["url"]]


def is_allowed(message: dict[str, Any]) -> bool:
    """Return whether a message is on the list of those to ignore."""
    return any(re.search(pattern, message["message"]) for pattern in ALLOWED)


def main() -> int:
    """Print all errors, and return how many there are."""
    asked = make_parser(__doc__)
    asked.add_argument("site", type=Path, help="the folder of the built site")
    said = asked.parse_args()
    found = validate(said.site)
    errors = [one for one in found if one["type"] == "error"]
    unknown = [one for one in errors if not is_allowed(one)]
    for text, count in Counter(one["message"] for one in unknown).most_common():
        first = next(one for one in unknown if one["message"] == text)
        place = Path(first["url"].removeprefix("file:")).relative_to(said.site.resolve())
        print(f"{count} times: {text}\n    {place}:{first.get('lastLine')}")
    pages = sum(FRAGMENTS not in page.as_posix() for page in said.site.rglob("*.html"))
    lines = [
        print_line({"what": "pages", "measured": pages, "goal": "≥ 80"}),
        print_line({"what": "errors", "measured": len(unknown), "goal": "≤ 0"}),
        print_line({"what": "errors that are known, with a reason",
              "measured": len(errors) - len(unknown), "goal": ""}),
        print_line({"what": "warnings", "measured": len(found) - len(errors), "goal": ""}),
    ]  # fmt: skip
    command = "uv run mkdocs build && uv run python -m benchmarks.html site"
    store_lines(said.json, lines, packages=("mkdocs", "mkdocs-material"), command=command)
    return count_missed(lines)


if __name__ == "__main__":
    sys.exit(main())
