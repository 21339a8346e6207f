"""Which licences do the dependencies of the package and of the book have?

    uv run python -m benchmarks.licences [--json FILE]

List all installed packages by pip-licenses, with what depends on them: the package, one of its
extras, or the book. Add the npm packages that the site delivers. The exit code is 1 if a licence
is missing from the list in `pyproject.toml`, under `tool.pip-licenses`. A test checks the
installed packages on every run.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.timing import count_missed, get_output_file, print_line, store_lines

ROOT = Path(__file__).resolve().parents[1]
NPM = ROOT / "docs/_hooks/website/bundle.toml"


def read_settings() -> dict[str, Any]:
    """Return the settings for pip-licenses in pyproject.toml."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    said: dict[str, Any] = found["tool"]["pip-licenses"]
    return said


def list_installed() -> list[dict[str, str]]:
    """Return name, version and licence of every installed package."""
    program = str(Path(sys.executable).with_name("pip-licenses"))
    words = [
        program,
        "--format",
        "json",
        "--ignore-packages",
        "posenc",
        *read_settings()["ignore-packages"],
    ]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found


def list_dependencies(
    package: str, extra: str = "", seen: set[tuple[str, str]] | None = None
) -> set[str]:
    """Return the direct and indirect dependencies of a package, with an extra."""
    seen = set() if seen is None else seen
    name = canonicalize_name(package)
    if (name, extra) in seen:
        return set()
    seen.add((name, extra))
    try:
        wanted = [Requirement(line) for line in requires(package) or ()]
    except PackageNotFoundError:
        return set()
    for one in wanted:
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            for inner in ("", *one.extras):
                list_dependencies(one.name, inner, seen)
    return {name for name, _ in seen}


def list_extras() -> dict[str, set[str]]:
    """Return the dependencies of posenc without extras, and with each of them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    alone = list_dependencies("posenc")
    more = {
        f"posenc[{name}]": list_dependencies("posenc", name)
        for name in project["optional-dependencies"]
    }
    return {"posenc": alone} | {name: found - alone for name, found in more.items()}


def list_npm_packages() -> Iterator[dict[str, str]]:
    """Yield name, version and licence of the npm packages that the site delivers."""
    wanted = [name for part in tomllib.loads(NPM.read_text("utf-8")).values() for name in part]
    with TemporaryDirectory() as folder:
        words = ["npm", "install", "--package-lock-only", "--silent", *wanted]
        subprocess.run(words, cwd=folder, check=True)
        lock = json.loads((Path(folder) / "package-lock.json").read_text("utf-8"))["packages"]
    for package in wanted:
        name, _, known = package.rpartition("@")
        licence = lock[f"node_modules/{name}"].get("license", "UNKNOWN")
        yield {"Name": name, "Version": known, "License": licence}


def main() -> int:
    """Print all licences, and store them if the command line names a file."""
    file = get_output_file(__doc__)
    said, uses = read_settings(), list_extras()
    allowed = {one.strip() for one in said["allow-only"].split(";")}
    unsaid = [
        {"Name": name, "Version": version(name), "License": "as its licence file says"}
        for name in said["ignore-packages"]
    ]
    rows = []
    for one in list_installed() + unsaid:
        name = canonicalize_name(one["Name"])
        users = [user for user, found in uses.items() if name in found]
        rows.append((one, ", ".join(users) or "the book"))
    rows += [(one, "a reader's browser") for one in list_npm_packages()]
    order = [*uses, "the book", "a reader's browser"]
    rows.sort(key=lambda row: (order.index(row[1].partition(",")[0]), row[0]["Name"].lower()))
    for one, user in rows:
        print(f"{one['Name']:28} {one['Version']:22} {one['License']:52} {user}")
    unlisted = [one for one, _ in rows if one["License"] not in allowed]
    alone = sum(user == "posenc" for _, user in rows)
    lines = [
        print_line({"what": "packages that posenc alone needs", "measured": alone, "goal": "≤ 1"}),
        print_line({"what": "packages in all, without PyTorch", "measured": len(rows), "goal": ""}),
        print_line({"what": "of these, with no licence in their metadata, looked at by hand",
              "measured": len(unsaid), "goal": ""}),
        print_line({"what": "of these, under a licence that is not listed",
              "measured": len(unlisted) - len(unsaid), "goal": "≤ 0"}),
    ]  # fmt: skip
    table = [
        {"package": one["Name"], "version": one["Version"], "licence": one["License"],
         "needed by": user}
        for one, user in rows
    ]  # fmt: skip
    store_lines(file, lines, table=table, packages=("posenc", "pip-licenses"))
    return count_missed(lines)


if __name__ == "__main__":
    sys.exit(main())
