"""Do the tests pass on every installed Python, with the oldest and newest dependencies?

    uv run python -m benchmarks.versions [--json FILE]
    uv run python -m benchmarks.versions --alone dist/*

For each Python that `pyproject.toml` lists and this machine has: run the package tests in a copy of
the project, with the oldest allowed dependencies and with the newest. Install wheel and sdist, each
in an environment with nothing but NumPy, and run the examples of the README; `--alone` does only
this, for existing files. The exit code is 1 if anything fails, or if fewer Pythons are installed
than `--pythons` requires.
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

from benchmarks.timing import Line, count_missed, make_parser, print_line, store_lines

ROOT = Path(__file__).resolve().parents[1]
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
TESTS = ("tests/package", "posenc", "README.md", "-m", "not site and not thorough")
# Tests of the source text, of an interface that grows with NumPy's, or of a large library.
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


def list_named_pythons() -> list[str]:
    """Return the Python versions that pyproject.toml lists, such as "3.11"."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    return [match[1] for one in said if (match := re.search(r":: Python :: (3\.\d+)$", one))]


def find_candidates(minor: str) -> Iterator[str]:
    """Yield paths where a Python may be installed: on PATH, and in the folder of pyenv."""
    yield from filter(None, [shutil.which(f"python{minor}")])
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(pyenv.glob(f"versions/{minor}.*/bin/python"), reverse=True))


def list_pythons() -> dict[str, str]:
    """Return the Pythons that run here by full version, at most one per minor version."""
    found = {}
    for minor in list_named_pythons():
        for path in find_candidates(minor):
            words = [path, "-c", "import platform; print(platform.python_version())"]
            asked = subprocess.run(words, capture_output=True, text=True)
            if asked.returncode == 0 and asked.stdout.startswith(minor):
                found[asked.stdout.strip()] = path
                break
    return found


def run_program(words: list[str], folder: Path) -> str:
    """Return the output of a program; if it fails, print its errors and return nothing."""
    clean = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(words, cwd=folder, env=clean, capture_output=True, text=True)
    if done.returncode:
        print(" ".join(words), done.stdout[-4000:], done.stderr[-4000:], sep="\n")
    return "" if done.returncode else done.stdout


def count_readme_examples(file: Path, python: str, home: Path) -> int:
    """Return the number of README examples that pass with only the release installed."""
    folder = home.parent
    inside = str(home / "bin/python")
    made = run_program(["uv", "venv", "--quiet", "--python", python, str(home)], folder)
    made += run_program(["uv", "pip", "install", "--quiet", "--python", inside, str(file)], folder)
    packages = run_program(["uv", "pip", "list", "--quiet", "--python", inside], folder)
    assert {line.split()[0] for line in packages.splitlines()[2:]} == {"numpy", "posenc"}, packages
    return int(run_program([inside, "-c", README, str(ROOT / "README.md")], folder) or 0)


def count_passed_tests(python: str, resolution: str, copy: Path) -> int:
    """Return the number of package tests that pass in a copy of the project; 0 if one fails."""
    copy.mkdir()
    subprocess.run(
        f"git ls-files -z | xargs -0 cp --parents -t {copy}", shell=True, cwd=ROOT, check=True
    )
    words = ["uv", "run", "--quiet", "--python", python, "--resolution", resolution, "pytest", "-q"]
    ignored = [word for path in UNASKED for word in ("--ignore", path)]
    found = PASSED.search(run_program([*words, *TESTS, *ignored], copy))
    shutil.rmtree(copy)
    return int(found[1]) if found else 0


def main() -> int:
    """Print all lines, and store them if the command line names a file."""
    asked = make_parser(__doc__)
    asked.add_argument("--alone", type=Path, nargs="+", metavar="FILE", help="wheel and sdist")
    asked.add_argument("--pythons", type=int, default=1, metavar="N", help="at least so many")
    said = asked.parse_args()
    lines: list[Line] = []
    with TemporaryDirectory(prefix="posenc-") as name:
        folder = Path(name)
        files = [file.resolve() for file in said.alone or ()]
        if not files:
            run_program(
                ["uv", "build", "--quiet", "--out-dir", str(folder / "dist"), str(ROOT)], folder
            )
            files = sorted(file for file in (folder / "dist").glob("posenc-*"))
        here = list_pythons()
        for version, python in here.items():
            for file in files:
                kind = "wheel" if file.suffix == ".whl" else "sdist"
                held = count_readme_examples(file, python, folder / f"{version}-{kind}")
                what = f"Python {version}, {kind} alone: examples of the README that hold"
                lines.append(print_line({"what": what, "measured": held, "goal": "≥ 1"}))
            for age, resolution in ({} if said.alone else RESOLUTIONS).items():
                passed = count_passed_tests(python, resolution, folder / f"{version}-{age}")
                what = f"Python {version}, {age} versions: tests that pass, if all do"
                lines.append(print_line({"what": what, "measured": passed, "goal": "≥ 1"}))
    missing = [
        minor
        for minor in list_named_pythons()
        if not any(version.startswith(minor) for version in here)
    ]
    print(f"not installed: {', '.join(missing)}")
    store_lines(said.json, lines, packages=("posenc", "numpy"))
    return count_missed(lines) or len(here) < said.pythons


if __name__ == "__main__":
    sys.exit(main())
