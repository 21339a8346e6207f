"""Python and an editor for the reader's browser, so that readers can run a card on its page.

Pyodide, its NumPy and CodeMirror come from npm at exact versions. They are checked by their digests
and served by the site itself, without the parts that nobody needs, so no page loads anything from
another host. Python modules are compiled in advance. The archives store their files uncompressed
and are gzipped as a whole, because browsers decompress gzip faster than Python does.
If npm or one of its packages is missing, the site is built without the buttons and the log says so.
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
NPM_PACKAGES: dict[str, dict[str, str]] = tomllib.loads((HERE / "bundle.toml").read_text("utf-8"))
SHA512 = {name: digest for packages in NPM_PACKAGES.values() for name, digest in packages.items()}
PYODIDE, NUMPY = NPM_PACKAGES["python"]
BYTECODE = HERE / "bytecode.mjs"
# What check, browser and the pages import besides NumPy.
PYTHON_PACKAGES = ("autograd", "markdown", "mpmath", "sybil")
INTERPRETER = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
SITE_FOLDER = "assets/runtime"
WEIGHTS = PACKAGE / "trained/data/minilm.npz"  # only loaded for pages that use posenc.trained
TIMEOUT = 300  # seconds, for npm and for Node
SKIPPED_FOLDERS = {"__pycache__", "tests", "f2py", "distutils"}
# Standard library modules that need other processes or a network.
SKIPPED_MODULES = {
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
SERVED, NODE = "served", "node"  # subfolders: for browsers, and for Node, which compiles
IMPORT = re.compile(r"^((?:import|export) .* from )'([^']+)';$", re.MULTILINE)
MAX_NAME = 100  # bytes of a file name in a tar header
COMPRESSION = 6  # level 9 makes the archives 1 % smaller in three times the time
ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that zip files can store; makes builds identical

Member = tuple[str, bytes]  # the name and the content of a file in an archive


def start_build(*, compiled: bool) -> BaseProcess | None:
    """Start to build what is missing, in a process of its own."""
    exists = get_folder().is_dir() and (not compiled or _get_archive_path(compiled=True).exists())
    return None if exists else start_process(partial(build_bundle, compiled=compiled), get_folder())


def build_bundle(folder: Path, *, compiled: bool) -> None:
    """Fetch the npm packages, and compile the book if `compiled`."""
    os.nice(NICE)
    if not folder.is_dir():
        fetch_npm_files(folder)
    if compiled and folder.is_dir():
        build_archive(compiled=True)


def configure(config: MkDocsConfig, *, wait: bool) -> None:
    """Tell the templates whether Python is there; without `wait`, perhaps only the next build."""
    config.extra["mistakes"] = named_mistakes.list_mistakes()
    available = ensure_npm_files() is not None if wait else get_folder().is_dir()
    config.extra["runtime"] = SITE_FOLDER if available else ""


def list_files(config: MkDocsConfig, *, compiled: bool) -> Iterator[File]:
    """Yield the files of the bundle and the archive of the book, if the bundle is available.

    Unless the book is `compiled`, the archive has only sources, which each browser compiles.
    """
    if not config.extra["runtime"]:
        return
    served = get_folder() / SERVED
    for path in sorted(path for path in served.rglob("*") if path.is_file()):
        name = path.relative_to(served).as_posix()
        yield File.generated(config, f"{SITE_FOLDER}/{name}", abs_src_path=str(path))
    archive = build_archive(compiled=compiled)
    yield File.generated(config, f"{SITE_FOLDER}/book.tar.gz", abs_src_path=str(archive))
    yield File.generated(config, f"{SITE_FOLDER}/{WEIGHTS.name}", abs_src_path=str(WEIGHTS))


def get_folder() -> Path:
    """Return the cache folder of the bundle, named by a digest of all that it is built from."""
    sources = digest_files([Path(__file__), BYTECODE, HERE / "bundle.toml"])
    versions = " ".join(f"{name} {version(name)}" for name in PYTHON_PACKAGES)
    return FOLDER / "runtime" / hashlib.sha256(f"{sources} {versions}".encode()).hexdigest()[:16]


def ensure_npm_files() -> Path | None:
    """Return the folder of the bundle, fetched if it doesn't exist yet; None if that fails.

    If another process has failed to fetch it, this one tries again and logs the reason.
    """
    if not get_folder().is_dir():
        fetch_npm_files(get_folder())
    return get_folder() if get_folder().is_dir() else None


def fetch_npm_files(folder: Path) -> None:
    """Download the npm packages and repack them into a folder, or log why that is impossible."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        packages = download_packages()
        with TemporaryDirectory(dir=folder.parent) as parent:
            draft = Path(parent) / "draft"
            write_npm_files(packages, draft)
            with suppress(OSError):  # another build was faster
                draft.rename(folder)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        log.info("The site is built without the buttons that run cards: %s", error)


def download_packages() -> dict[str, bytes]:
    """Return the npm packages as archives; ValueError if one has an unexpected digest."""
    arguments = ["pack", "--silent", "--prefer-offline", "--fetch-retries=0", *SHA512]
    with TemporaryDirectory() as folder:
        _run_program("npm", *arguments, folder=folder)
        archives = [path.read_bytes() for path in Path(folder).glob("*.tgz")]
    by_digest = {
        base64.b64encode(hashlib.sha512(data).digest()).decode(): data for data in archives
    }
    if different := [name for name, expected in SHA512.items() if expected not in by_digest]:
        raise ValueError(
            f"npm packages whose digest is not the one in bundle.toml: {', '.join(different)}; "
            "if you changed a version, change its digest, too"
        )
    return {name: by_digest[expected] for name, expected in SHA512.items()}


def _run_program(program: str, *arguments: str, folder: str) -> None:
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(f"{program} is not installed")
    subprocess.run([path, *arguments], cwd=folder, check=True, capture_output=True, timeout=TIMEOUT)


def write_npm_files(packages: dict[str, bytes], folder: Path) -> None:
    """Write what a browser loads: the interpreter, Python modules as bytecode, and the editor."""
    served, pyodide = folder / SERVED, folder / NODE
    (served / "editor").mkdir(parents=True)
    for name in NPM_PACKAGES["editor"]:
        script = served / "editor" / get_script_name(name.rpartition("@")[0])
        script.write_text(extract_module(packages[name]))
    with tarfile.open(fileobj=io.BytesIO(packages[PYODIDE])) as package:
        _write_files(pyodide, ((name, read_member(package, name)) for name in INTERPRETER))
    # Pyodide imports this module in Node for sockets, which we don't use.
    _write_files(pyodide / "node_modules/ws", [("index.js", b"")])
    for name in ("pyodide.mjs", "pyodide.asm.js"):
        shutil.copy(pyodide / name, served)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    (served / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), "utf-8")
    _write_gzip(served / "pyodide.asm.wasm.gz", (pyodide / "pyodide.asm.wasm").read_bytes())
    library, numpy, others = _compile_trees(
        pyodide,
        Tree(_list_library_files(pyodide / "python_stdlib.zip"), level=2),
        # Without docstrings, NumPy needs an interpreter without assertions.
        Tree(_list_numpy_files(packages[NUMPY]), level=0),
        Tree(_list_package_files(), level=2),
    )
    _write_gzip(served / "python_stdlib.zip.gz", make_zip(library))
    _write_gzip(served / "numpy.tar.gz", make_tar(numpy))
    _write_gzip(served / "packages.tar.gz", make_tar(others))


def _write_gzip(path: Path, content: bytes) -> None:
    with replace_file(path) as draft:  # another build may look for it
        draft.write_bytes(gzip.compress(content, COMPRESSION, mtime=0))


@dataclass(frozen=True)
class Tree:
    """Files to put into an archive, and how to compile the Python modules among them.

    Optimization level 2 removes docstrings and assertions, 0 keeps both. Bytecode replaces the
    sources unless `keep_sources`.
    """

    members: Iterable[Member]
    level: int
    keep_sources: bool = False


def _compile_trees(pyodide: Path, *trees: Tree) -> Iterator[list[Member]]:
    """Yield the files of each tree with their bytecode; one start of Pyodide compiles all trees."""
    with TemporaryDirectory() as parent:
        folders = [Path(parent, str(number)) for number in range(len(trees))]
        for folder, tree in zip(folders, trees, strict=True):
            _write_files(folder, tree.members)
        options = [{"level": tree.level, "keepSources": tree.keep_sources} for tree in trees]
        _run_program(
            "node", str(BYTECODE), str(pyodide), parent, json.dumps(options), folder=parent
        )
        for folder, tree in zip(folders, trees, strict=True):
            files = (path for path in folder.rglob("*") if path.is_file())
            yield [
                (path.relative_to(folder).as_posix(), path.read_bytes())
                for path in files
                if tree.keep_sources or path.suffix != ".py"
            ]


def get_script_name(package: str) -> str:
    """Return the file name under which the site serves the module of an npm package."""
    return f"{package.removeprefix('@').replace('/', '-')}.js"


def extract_module(package: bytes) -> str:
    """Return the JavaScript module of an npm package, with its licence and with local imports."""
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        entry = json.loads(read_member(archive, "package.json"))["exports"]["import"]
        licence = read_member(archive, "LICENSE").decode()
        source = read_member(archive, entry.removeprefix("./")).decode()
    source = IMPORT.sub(lambda match: f"{match[1]}'./{get_script_name(match[2])}';", source)
    return f"/*\n{licence}*/\n{source}"


def _write_files(folder: Path, members: Iterable[Member]) -> None:
    for name, content in members:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def read_member(archive: tarfile.TarFile, name: str) -> bytes:
    """Return the content of a file in an npm package."""
    file = archive.extractfile(f"package/{name}")
    assert file is not None
    return file.read()


def _list_library_files(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as library:
        for name in library.namelist():
            module = name.partition("/")[0].removesuffix(".py")
            if not name.endswith("/") and module not in SKIPPED_MODULES:
                yield name, library.read(name)


def _list_numpy_files(package: bytes) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BytesIO(package)) as outer:
        inner = outer.extractfile(next(n for n in outer.getnames() if n.endswith(".tar.gz")))
        assert inner is not None
        with tarfile.open(fileobj=inner) as archive:
            for member in archive.getmembers():
                _, _, name = member.name.partition("site-packages/")
                needed = name.startswith("numpy/") and SKIPPED_FOLDERS.isdisjoint(Path(name).parts)
                if member.isfile() and needed and name.endswith((".py", ".so")):
                    file = archive.extractfile(member)
                    assert file is not None
                    yield name, file.read()


def build_archive(*, compiled: bool) -> Path:
    """Return an archive of the package, the checks and the chapters, built if it doesn't exist."""
    archive = _get_archive_path(compiled=compiled)
    if not archive.exists():
        files = _list_book_files()
        members = [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in files]
        if compiled:
            tree = Tree(members, level=0, keep_sources=True)
            (members,) = _compile_trees(get_folder() / NODE, tree)
        _write_gzip(archive, make_tar(members))
    return archive


def _get_archive_path(*, compiled: bool) -> Path:
    key = digest_files([*_list_book_files(), Path(__file__), BYTECODE])[:40]
    return FOLDER / "runtime" / f"{key}{'-compiled' if compiled else ''}.tar.gz"


def _list_book_files() -> list[Path]:
    chapters = [page.path for page in navigation.list_pages() if page.uri.startswith("chapters/")]
    folders = (DOCS / "_hooks" / name for name in ("check", "browser"))
    code = [path for folder in folders for path in folder.rglob("*.py")]
    package = [path for kind in ("*.py", "*.json") for path in PACKAGE.rglob(kind)]
    return [*code, *package, *chapters, named_mistakes.MISTAKES]


def _list_package_files() -> Iterator[Member]:
    for name in PYTHON_PACKAGES:
        spec = find_spec(name)
        assert spec
        assert spec.origin
        folder = Path(spec.origin).parent
        for path in folder.rglob("*.py"):
            if SKIPPED_FOLDERS.isdisjoint(path.relative_to(folder).parts):
                yield path.relative_to(folder.parent).as_posix(), path.read_bytes()


def make_zip(members: Iterable[Member]) -> bytes:
    """Return a reproducible zip archive, from which Python can import."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, ZIP_DATE), content)
    return stream.getvalue()


def make_tar(members: Iterable[Member]) -> bytes:
    """Return a reproducible tar archive with one header a file, so that unpacking is a short loop.

    Longer names would need a second header, which `worker.js` doesn't read.
    """
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(members):
            if len(name.encode()) > MAX_NAME:
                raise ValueError(f"{name} is longer than {MAX_NAME} bytes; shorten it")
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()
