"""Does the package hold on every Python at hand, with the oldest and the newest of what it needs?

    uv run python -m benchmarks.versions [--json FILE]
    uv run python -m benchmarks.versions --alone dist/*

For each Python that `pyproject.toml` names and this machine has, in a copy of the project: the
tests of the package with the oldest versions that are allowed, and with the newest. And what is
released, wheel and sdist, each alone with NumPy in an empty environment: imported, and asked
the examples of the README; `--alone` does that and no more, with files that are there. Exit
code 1 where anything fails, or where fewer Pythons are at hand than `--pythons` says.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.timing import Line, missed, parser, show, store

ROOT = Path(__file__).resolve().parents[1]
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
TESTS = ("tests/package", "posenc", "README.md", "-m", "not site and not thorough")
# A test of what is written, of a face that grows with NumPy's, or of a library too large.
UNASKED = ("tests/package/compiled", "posenc/numba", "tests/package/pytorch", "posenc/torch")
PASSED = re.compile(r"(\d+) passed")
README = """
import doctest, pathlib, re, sys
text = pathlib.Path(sys.argv[1]).read_text("utf-8")
code = "\\n".join(re.findall(r"^```pycon\\n(.*?)^```", text, re.M | re.S))
found = doctest.DocTestParser().get_doctest(code, {}, "README", "README.md", 0)
runner = doctest.DocTestRunner()
runner.run(found)
import posenc
assert "site-packages" in posenc.__file__, posenc.__file__
print(runner.tries)
sys.exit(runner.failures or not runner.tries)
"""


def named() -> list[str]:
    """Return the Pythons that the package names, as "3.11"."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    return [match[1] for one in said if (match := re.search(r":: Python :: (3\.\d+)$", one))]


def candidates(minor: str) -> Iterator[str]:
    """Yield where a Python may be: on the way that programs are looked for, and where pyenv is."""
    yield from filter(None, [shutil.which(f"python{minor}")])
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(pyenv.glob(f"versions/{minor}.*/bin/python"), reverse=True))


def pythons() -> dict[str, str]:
    """Return the Pythons that run here, by their whole version; no more than one of each minor."""
    found = {}
    for minor in named():
        for path in candidates(minor):
            words = [path, "-c", "import platform; print(platform.python_version())"]
            asked = subprocess.run(words, capture_output=True, text=True)
            if asked.returncode == 0 and asked.stdout.startswith(minor):
                found[asked.stdout.strip()] = path
                break
    return found


def called(words: list[str], folder: Path) -> str:
    """Return what a program prints, or nothing where it fails, which is printed."""
    clean = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(words, cwd=folder, env=clean, capture_output=True, text=True)
    if done.returncode:
        print(" ".join(words), done.stdout[-4000:], done.stderr[-4000:], sep="\n")
    return "" if done.returncode else done.stdout


def alone(file: Path, python: str, home: Path) -> int:
    """Return how many examples of the README hold where nothing but a release is installed."""
    folder = home.parent
    inside = str(home / "bin/python")
    made = called(["uv", "venv", "--quiet", "--python", python, str(home)], folder)
    made += called(["uv", "pip", "install", "--quiet", "--python", inside, str(file)], folder)
    packages = called(["uv", "pip", "list", "--quiet", "--python", inside], folder)
    assert {line.split()[0] for line in packages.splitlines()[2:]} == {"numpy", "posenc"}, packages
    return int(called([inside, "-c", README, str(ROOT / "README.md")], folder) or 0)


def tested(python: str, resolution: str, copy: Path) -> int:
    """Return how many tests of the package pass in a copy of the project, or 0 where one fails."""
    copy.mkdir()
    subprocess.run(
        f"git ls-files -z | xargs -0 cp --parents -t {copy}", shell=True, cwd=ROOT, check=True
    )
    words = ["uv", "run", "--quiet", "--python", python, "--resolution", resolution, "pytest", "-q"]
    ignored = [word for path in UNASKED for word in ("--ignore", path)]
    found = PASSED.search(called([*words, *TESTS, *ignored], copy))
    shutil.rmtree(copy)
    return int(found[1]) if found else 0


def main() -> int:
    """Print all lines, and store them where that is asked for."""
    asked = parser(__doc__)
    asked.add_argument("--alone", type=Path, nargs="+", metavar="FILE", help="wheel and sdist")
    asked.add_argument("--pythons", type=int, default=1, metavar="N", help="at least so many")
    said = asked.parse_args()
    lines: list[Line] = []
    with TemporaryDirectory(prefix="posenc-") as name:
        folder = Path(name)
        files = [file.resolve() for file in said.alone or ()]
        if not files:
            called(["uv", "build", "--quiet", "--out-dir", str(folder / "dist"), str(ROOT)], folder)
            files = sorted(file for file in (folder / "dist").glob("posenc-*"))
        here = pythons()
        for version, python in here.items():
            for file in files:
                kind = "wheel" if file.suffix == ".whl" else "sdist"
                held = alone(file, python, folder / f"{version}-{kind}")
                what = f"Python {version}, {kind} alone: examples of the README that hold"
                lines.append(show({"what": what, "measured": held, "goal": "≥ 1"}))
            for age, resolution in ({} if said.alone else RESOLUTIONS).items():
                passed = tested(python, resolution, folder / f"{version}-{age}")
                what = f"Python {version}, {age} versions: tests that pass, if all do"
                lines.append(show({"what": what, "measured": passed, "goal": "≥ 1"}))
    print(f"not at hand: {', '.join(m for m in named() if not any(v.startswith(m) for v in here))}")
    store(said.json, lines, packages=("posenc", "numpy"))
    return missed(lines) or len(here) < said.pythons


if __name__ == "__main__":
    sys.exit(main())
