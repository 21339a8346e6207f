"""Python for the reader's browser, and an editor, so that a card can be run where it is read.

Pyodide, its NumPy and CodeMirror come from npm at exact versions, are checked by their digests,
and lie on the site itself, without what nobody needs there: no page asks another host for
anything. Python is compiled beforehand, and archives hold files as they are and are packed as a
whole: the browser unpacks them, faster than Python would, whether or not a host knows how.
Where npm or its packages cannot be had, the site is built without the buttons, and says so.
"""

import base64
import gzip
import hashlib
import io
import json
import logging
import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from engine import breakages
from engine.cache import FOLDER, digest
from engine.places import DOCS, PACKAGE, ROOT
from pages import navigation
from pages.workers import NICE, besides

log = logging.getLogger("mkdocs.hooks.book")

HERE = Path(__file__).parent
KNOWN: dict[str, dict[str, str]] = tomllib.loads((HERE / "runtime.toml").read_text("utf-8"))
SHA512 = {name: digest for packages in KNOWN.values() for name, digest in packages.items()}
PYODIDE, NUMPY = KNOWN["python"]
BYTECODE = HERE / "bytecode.mjs"
PURE = ("autograd", "markdown", "mpmath", "sybil")  # what engine and pages import beside NumPy
INTERPRETER = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
PACKED = "assets/runtime"
SECONDS = 300  # that npm may take, and Node
NEVER = ("__pycache__", "tests", "f2py", "distutils")
# Of Python's library, what has to do with other processes and other hosts.
ELSEWHERE = {
    "cgi",
    "ftplib",
    "imaplib",
    "mailbox",
    "multiprocessing",
    "nntplib",
    "poplib",
    "smtplib",
    "telnetlib",
    "wsgiref",
    "xmlrpc",
}
SERVED, FOR_NODE = "served", "node"  # what is kept of Pyodide: for browsers, and for us
IMPORTED = re.compile(r"^((?:import|export) .* from )'([^']+)';$", re.MULTILINE)
LONGEST = 100  # bytes of a name in a head of an archive
LIKE_NEW = (1980, 1, 1, 0, 0, 0)  # the hour of every file in an archive, the first that it can be


def configure(
    config: MkDocsConfig, *, wait: bool, fetching: BaseProcess | None = None
) -> BaseProcess | None:
    """Say to the pages whether there is a runtime; who does not wait has it a build later.

    Returns the process that fetches it meanwhile, which one build begins for all that follow.
    """
    config.extra["breakages"] = breakages.listed()
    if wait or folder().is_dir():
        config.extra["runtime"] = PACKED if kept() else ""
        return fetching
    config.extra["runtime"] = ""
    return fetching or besides(fetch_unhurried, folder())


def files(config: MkDocsConfig, *, wait: bool) -> Iterator[File]:
    """Yield the runtime, if the pages know of it, and what of the book runs in it.

    Who does not wait has the book as source alone, which each browser compiles for itself.
    """
    if not config.extra["runtime"]:
        return
    served = folder() / SERVED
    for path in sorted(path for path in served.rglob("*") if path.is_file()):
        name = path.relative_to(served).as_posix()
        yield File.generated(config, f"{PACKED}/{name}", abs_src_path=str(path))
    yield File.generated(config, f"{PACKED}/book.tar.gz", abs_src_path=str(book(compiled=wait)))


def folder() -> Path:
    """Return where it is kept, by what it is made of and how."""
    made = digest([Path(__file__), BYTECODE, HERE / "runtime.toml"])
    installed = " ".join(f"{name} {version(name)}" for name in PURE)
    return FOLDER / "runtime" / hashlib.sha256(f"{made} {installed}".encode()).hexdigest()[:16]


def kept() -> Path | None:
    """Return the folder with what comes from npm, fetched where it is not there yet."""
    if not folder().is_dir():
        fetch(folder())
    return folder() if folder().is_dir() else None


def fetch_unhurried(home: Path) -> None:
    """Fetch what nobody waits for, behind the build."""
    os.nice(NICE)
    fetch(home)


def fetch(home: Path) -> None:
    """Fetch what is needed and pack it anew, or say why not."""
    home.parent.mkdir(parents=True, exist_ok=True)
    try:
        packages = fetched()
        with TemporaryDirectory(dir=home.parent) as made:
            whole = Path(made) / "whole"
            repacked(packages, whole)
            with suppress(OSError):  # another build was faster
                whole.rename(home)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        log.info("without buttons that run a card: %s", error)


def fetched() -> dict[str, bytes]:
    """Return the packages as npm has them; ValueError where one is another."""
    words = ["pack", "--silent", "--prefer-offline", "--fetch-retries=0", *SHA512]
    with TemporaryDirectory() as folder:
        _run("npm", *words, folder=folder)
        packed = [path.read_bytes() for path in Path(folder).glob("*.tgz")]
    found = {base64.b64encode(hashlib.sha512(one).digest()).decode(): one for one in packed}
    if strange := [name for name, known in SHA512.items() if known not in found]:
        raise ValueError(f"not with the digest that is known: {', '.join(strange)}")
    return {name: found[known] for name, known in SHA512.items()}


def _run(program: str, *words: str, folder: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(f"{program} is not installed")
    subprocess.run([found, *words], cwd=folder, check=True, capture_output=True, timeout=SECONDS)


def repacked(packages: dict[str, bytes], folder: Path) -> None:
    """Write what a browser loads: the interpreter, what it imports as bytecode, and the editor."""
    served, pyodide = folder / SERVED, folder / FOR_NODE
    (served / "editor").mkdir(parents=True)
    for name in KNOWN["editor"]:
        (served / "editor" / script(name.rpartition("@")[0])).write_text(module(packages[name]))
    with tarfile.open(fileobj=io.BytesIO(packages[PYODIDE])) as package:
        _write(pyodide, ((name, member(package, name)) for name in INTERPRETER))
    # In Node, Pyodide imports this for sockets, which nobody opens.
    _write(pyodide / "node_modules/ws", [("index.js", b"")])
    for name in ("pyodide.mjs", "pyodide.asm.js"):
        shutil.copy(pyodide / name, served)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    (served / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), "utf-8")
    _pack(served / "pyodide.asm.wasm.gz", (pyodide / "pyodide.asm.wasm").read_bytes())
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        library = _compiled(pyodide, _of_library(archive), level=2)
        _pack(served / "python_stdlib.zip.gz", zipped(library))
    # NumPy at level 2 wants an interpreter at level 2, in which a page's assertions say nothing.
    numpy = _compiled(pyodide, _of_numpy(packages[NUMPY]), level=0)
    _pack(served / "numpy.tar.gz", tarred(numpy))
    _pack(served / "packages.tar.gz", tarred(_compiled(pyodide, _imported(), level=2)))


def _pack(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all: another build may look for it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(gzip.compress(content, mtime=0))
    draft.replace(path)


def _compiled(
    pyodide: Path, members: Iterable[tuple[str, bytes]], *, level: int, beside: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Yield files with the bytecode of what is Python: in its place, or beside it.

    Level 2 is without docstrings and assertions, 0 with both.
    """
    with TemporaryDirectory() as made:
        _write(Path(made), members)
        words = [str(pyodide), made, str(level), *["beside"] * beside]
        _run("node", str(BYTECODE), *words, folder=made)
        for path in Path(made).rglob("*"):
            if path.is_file() and (beside or path.suffix != ".py"):
                yield path.relative_to(made).as_posix(), path.read_bytes()


def script(package: str) -> str:
    """Return what the module of a package of npm is called here."""
    return f"{package.removeprefix('@').replace('/', '-')}.js"


def module(package: bytes) -> str:
    """Return the module of a package with its licence; what it imports lies beside it."""
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        entry = json.loads(member(archive, "package.json"))["exports"]["import"]
        licence = member(archive, "LICENSE").decode()
        source = member(archive, entry.removeprefix("./")).decode()
    source = IMPORTED.sub(lambda found: f"{found[1]}'./{script(found[2])}';", source)
    return f"/*\n{licence}*/\n{source}"


def _write(folder: Path, members: Iterable[tuple[str, bytes]]) -> None:
    for name, content in members:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def member(archive: tarfile.TarFile, name: str) -> bytes:
    """Return a file of a package of npm."""
    found = archive.extractfile(f"package/{name}")
    assert found is not None
    return found.read()


def _of_library(library: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    for name in library.namelist():
        if not name.endswith("/") and name.partition("/")[0].removesuffix(".py") not in ELSEWHERE:
            yield name, library.read(name)


def _of_numpy(package: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(package)) as outer:
        inner = next(one for one in outer.getnames() if one.endswith(".tar.gz"))
        packed = outer.extractfile(inner)
        assert packed is not None
        with tarfile.open(fileobj=packed) as archive:
            for one in archive.getmembers():
                _, _, name = one.name.partition("site-packages/")
                wanted = name.startswith("numpy/") and not {*NEVER} & {*Path(name).parts}
                if one.isfile() and wanted and name.endswith((".py", ".so")):
                    found = archive.extractfile(one)
                    assert found is not None
                    yield name, found.read()


def book(*, compiled: bool) -> Path:
    """Return the package, the engine and the chapters as an archive, with bytecode or without."""
    chapters = [place.path for place in navigation.places() if place.uri.startswith("chapters/")]
    engine = [
        path for path in (DOCS / "_hooks/engine").rglob("*.py") if path.parent.name != "readings"
    ]
    stored = [path for kind in ("*.py", "*.json") for path in PACKAGE.rglob(kind)]
    ours = [*engine, *stored, *chapters, breakages.STORED]
    known = digest([*ours, Path(__file__), BYTECODE])[:40]
    packed = FOLDER / "runtime" / f"{known}{'-compiled' if compiled else ''}.tar.gz"
    if not packed.exists():
        members: Iterable[tuple[str, bytes]] = (
            (path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in ours
        )
        if compiled:
            members = _compiled(folder() / FOR_NODE, members, level=0, beside=True)
        _pack(packed, tarred(members))
    return packed


def _imported() -> Iterator[tuple[str, bytes]]:
    for name in PURE:
        found = find_spec(name)
        assert found
        assert found.origin
        folder = Path(found.origin).parent
        for path in folder.rglob("*.py"):
            if not {*NEVER} & {*path.relative_to(folder).parts}:
                yield path.relative_to(folder.parent).as_posix(), path.read_bytes()


def zipped(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return files as an archive that Python imports from, the same whenever they are the same."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, LIKE_NEW), content)
    return packed.getvalue()


def tarred(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return files as an archive that a few lines of a script unpack: each with one head."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(members):
            if len(name.encode()) > LONGEST:
                raise ValueError(f"longer than {LONGEST} bytes: {name}")
            one = tarfile.TarInfo(name)
            one.size = len(content)
            archive.addfile(one, io.BytesIO(content))
    return packed.getvalue()
