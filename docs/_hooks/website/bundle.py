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
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from browser import named_mistakes
from check.cache import FOLDER, digest_files, replace_file
from check.paths import DOCS, PACKAGE, ROOT
from render import navigation
from render.workers import NICE, start_process

log = logging.getLogger("mkdocs.hooks.book")

HERE = Path(__file__).parent
KNOWN: dict[str, dict[str, str]] = tomllib.loads((HERE / "bundle.toml").read_text("utf-8"))
SHA512 = {name: digest for packages in KNOWN.values() for name, digest in packages.items()}
PYODIDE, NUMPY = KNOWN["python"]
BYTECODE = HERE / "bytecode.mjs"
PURE = (
    "autograd",
    "markdown",
    "mpmath",
    "sybil",
)  # what check, browser and the pages import besides NumPy
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
LEVEL = 6  # of zlib's nine: the last makes archives 1 % smaller, in three times the time
LIKE_NEW = (1980, 1, 1, 0, 0, 0)  # the hour of every file in an archive, the first that it can be

Member = tuple[str, bytes]  # a file of an archive: its name, and what is in it


def begun(*, compiled: bool) -> BaseProcess | None:
    """Begin to make what is not there yet, behind whatever else is done meanwhile."""
    there = folder().is_dir() and (not compiled or _packed(compiled=True).exists())
    return None if there else start_process(partial(make, compiled=compiled), folder())


def make(home: Path, *, compiled: bool) -> None:
    """Fetch what comes from npm, and compile the book, if it is to be `compiled`."""
    os.nice(NICE)
    if not home.is_dir():
        fetch(home)
    if compiled and home.is_dir():
        book(compiled=True)


def configure(config: MkDocsConfig, *, wait: bool) -> None:
    """Say to the pages whether there is a runtime; who does not wait has it a build later."""
    config.extra["breakages"] = named_mistakes.listed()
    there = kept() is not None if wait else folder().is_dir()
    config.extra["runtime"] = PACKED if there else ""


def files(config: MkDocsConfig, *, compiled: bool) -> Iterator[File]:
    """Yield the runtime, if the pages know of it, and what of the book runs in it.

    Where the book is not `compiled` there is its source alone, which each browser compiles.
    """
    if not config.extra["runtime"]:
        return
    served = folder() / SERVED
    for path in sorted(path for path in served.rglob("*") if path.is_file()):
        name = path.relative_to(served).as_posix()
        yield File.generated(config, f"{PACKED}/{name}", abs_src_path=str(path))
    packed = book(compiled=compiled)
    yield File.generated(config, f"{PACKED}/book.tar.gz", abs_src_path=str(packed))


def folder() -> Path:
    """Return where it is kept, by what it is made of and how."""
    made = digest_files([Path(__file__), BYTECODE, HERE / "bundle.toml"])
    installed = " ".join(f"{name} {version(name)}" for name in PURE)
    return FOLDER / "runtime" / hashlib.sha256(f"{made} {installed}".encode()).hexdigest()[:16]


def kept() -> Path | None:
    """Return the folder with what comes from npm, fetched where it is not there yet.

    Where it could not be had in another process, this one says why.
    """
    if not folder().is_dir():
        fetch(folder())
    return folder() if folder().is_dir() else None


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
    library, numpy, imported = _compiled(
        pyodide,
        Tree(_of_library(pyodide / "python_stdlib.zip"), level=2),
        # NumPy at level 2 wants an interpreter at level 2, in which assertions say nothing.
        Tree(_of_numpy(packages[NUMPY]), level=0),
        Tree(_imported(), level=2),
    )
    _pack(served / "python_stdlib.zip.gz", zipped(library))
    _pack(served / "numpy.tar.gz", tarred(numpy))
    _pack(served / "packages.tar.gz", tarred(imported))


def _pack(path: Path, content: bytes) -> None:
    with replace_file(path) as unfinished:  # another build may look for it
        unfinished.write_bytes(gzip.compress(content, LEVEL, mtime=0))


@dataclass(frozen=True)
class Tree:
    """Files, and how what is Python among them is compiled.

    Level 2 is without docstrings and assertions, 0 with both. Bytecode takes the place of its
    source, or lies `beside` it.
    """

    members: Iterable[Member]
    level: int
    beside: bool = False


def _compiled(pyodide: Path, *trees: Tree) -> Iterator[list[Member]]:
    """Yield the files of each tree with their bytecode; an interpreter is started once for all."""
    with TemporaryDirectory() as made:
        folders = [Path(made, str(number)) for number in range(len(trees))]
        for folder, tree in zip(folders, trees, strict=True):
            _write(folder, tree.members)
        asked = [{"level": tree.level, "beside": tree.beside} for tree in trees]
        _run("node", str(BYTECODE), str(pyodide), made, json.dumps(asked), folder=made)
        for folder, tree in zip(folders, trees, strict=True):
            files = (path for path in folder.rglob("*") if path.is_file())
            yield [
                (path.relative_to(folder).as_posix(), path.read_bytes())
                for path in files
                if tree.beside or path.suffix != ".py"
            ]


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


def _write(folder: Path, members: Iterable[Member]) -> None:
    for name, content in members:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def member(archive: tarfile.TarFile, name: str) -> bytes:
    """Return a file of a package of npm."""
    found = archive.extractfile(f"package/{name}")
    assert found is not None
    return found.read()


def _of_library(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as library:
        for name in library.namelist():
            module = name.partition("/")[0].removesuffix(".py")
            if not name.endswith("/") and module not in ELSEWHERE:
                yield name, library.read(name)


def _of_numpy(package: bytes) -> Iterator[Member]:
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
    packed = _packed(compiled=compiled)
    if not packed.exists():
        members = [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in _ours()]
        if compiled:
            tree = Tree(members, level=0, beside=True)
            (members,) = _compiled(folder() / FOR_NODE, tree)
        _pack(packed, tarred(members))
    return packed


def _packed(*, compiled: bool) -> Path:
    """Return where that is kept."""
    known = digest_files([*_ours(), Path(__file__), BYTECODE])[:40]
    return FOLDER / "runtime" / f"{known}{'-compiled' if compiled else ''}.tar.gz"


def _ours() -> list[Path]:
    chapters = [
        place.path for place in navigation.list_pages() if place.uri.startswith("chapters/")
    ]
    code = [path for name in ("check", "browser") for path in (DOCS / "_hooks" / name).glob("*.py")]
    stored = [path for kind in ("*.py", "*.json") for path in PACKAGE.rglob(kind)]
    return [*code, *stored, *chapters, named_mistakes.STORED]


def _imported() -> Iterator[Member]:
    for name in PURE:
        found = find_spec(name)
        assert found
        assert found.origin
        folder = Path(found.origin).parent
        for path in folder.rglob("*.py"):
            if not {*NEVER} & {*path.relative_to(folder).parts}:
                yield path.relative_to(folder.parent).as_posix(), path.read_bytes()


def zipped(members: Iterable[Member]) -> bytes:
    """Return files as an archive that Python imports from, the same whenever they are the same."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, LIKE_NEW), content)
    return packed.getvalue()


def tarred(members: Iterable[Member]) -> bytes:
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
