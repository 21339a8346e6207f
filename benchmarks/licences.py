"""Under which licences is what the package needs, and what the book is made with?

    uv run python -m benchmarks.licences [--json FILE]

Lists all that is installed, by pip-licenses, with what needs it: the package itself, one of its
extras, or the book. What a reader's browser is given comes from npm, which is asked for its
licences, too. Exit code 1 where one of them is not listed in `pyproject.toml`, under
`tool.pip-licenses`, where a test looks on every run.
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

from benchmarks.timing import file_asked_for, missed, show, store

ROOT = Path(__file__).resolve().parents[1]
NPM = ROOT / "docs/_hooks/website/bundle.toml"


def settings() -> dict[str, Any]:
    """Return what the project says to pip-licenses."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    said: dict[str, Any] = found["tool"]["pip-licenses"]
    return said


def installed() -> list[dict[str, str]]:
    """Return name, version and licence of all that is installed here."""
    program = str(Path(sys.executable).with_name("pip-licenses"))
    words = [
        program,
        "--format",
        "json",
        "--ignore-packages",
        "posenc",
        *settings()["ignore-packages"],
    ]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found


def needed(package: str, extra: str = "", seen: set[tuple[str, str]] | None = None) -> set[str]:
    """Return all that a package needs here, with an extra of it, and all that those need."""
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
                needed(one.name, inner, seen)
    return {name for name, _ in seen}


def extras() -> dict[str, set[str]]:
    """Return all that the package needs, alone and with each of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    alone = needed("posenc")
    more = {f"posenc[{name}]": needed("posenc", name) for name in project["optional-dependencies"]}
    return {"posenc": alone} | {name: found - alone for name, found in more.items()}


def from_npm() -> Iterator[dict[str, str]]:
    """Yield name, version and licence of what a reader's browser is given."""
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
    """Print all, and store it where that is asked for."""
    file = file_asked_for(__doc__)
    said, uses = settings(), extras()
    allowed = {one.strip() for one in said["allow-only"].split(";")}
    unsaid = [
        {"Name": name, "Version": version(name), "License": "as its licence file says"}
        for name in said["ignore-packages"]
    ]
    rows = []
    for one in installed() + unsaid:
        name = canonicalize_name(one["Name"])
        users = [user for user, found in uses.items() if name in found]
        rows.append((one, ", ".join(users) or "the book"))
    rows += [(one, "a reader's browser") for one in from_npm()]
    order = [*uses, "the book", "a reader's browser"]
    rows.sort(key=lambda row: (order.index(row[1].partition(",")[0]), row[0]["Name"].lower()))
    for one, user in rows:
        print(f"{one['Name']:28} {one['Version']:22} {one['License']:52} {user}")
    unlisted = [one for one, _ in rows if one["License"] not in allowed]
    alone = sum(user == "posenc" for _, user in rows)
    lines = [
        show({"what": "packages that posenc alone needs", "measured": alone, "goal": "≤ 1"}),
        show({"what": "packages in all, without PyTorch", "measured": len(rows), "goal": ""}),
        show({"what": "of these, with no licence in their metadata, looked at by hand",
              "measured": len(unsaid), "goal": ""}),
        show({"what": "of these, under a licence that is not listed",
              "measured": len(unlisted) - len(unsaid), "goal": "≤ 0"}),
    ]  # fmt: skip
    table = [
        {"package": one["Name"], "version": one["Version"], "licence": one["License"],
         "needed by": user}
        for one, user in rows
    ]  # fmt: skip
    store(file, lines, table=table, packages=("posenc", "pip-licenses"))
    return missed(lines)


if __name__ == "__main__":
    sys.exit(main())
