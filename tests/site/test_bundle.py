"""The Python and the editor for the reader's browser, and sites without them."""

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
import zipfile
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig

from check.paths import DOCS, ROOT
from website import bundle


@pytest.fixture
def empty_cache(monkeypatch, tmp_path):
    """Use an empty cache."""
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)


def test_without_npm_there_are_no_buttons_and_the_log_says_so(empty_cache, monkeypatch, caplog):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    caplog.set_level(logging.INFO)
    config = MkDocsConfig()

    bundle.configure(config, wait=True)

    assert config.extra["runtime"] == ""
    assert [*bundle.list_files(config, compiled=True)] == []
    assert caplog.messages == [
        "The site is built without the buttons that run cards: npm is not installed"
    ]


def test_serve_builds_the_bundle_in_a_process_and_does_not_wait_for_it(empty_cache, monkeypatch):
    started = []
    monkeypatch.setattr(
        bundle, "start_process", lambda work, folder: started.append((work.keywords, folder))
    )
    config = MkDocsConfig()

    for compiled in (False, True):
        bundle.start_build(compiled=compiled)
    bundle.configure(config, wait=False)

    assert started == [({"compiled": how}, bundle.get_folder()) for how in (False, True)]
    assert [*bundle.list_files(config, compiled=False)] == []


def test_only_what_is_missing_is_built(empty_cache, monkeypatch):
    started = []
    monkeypatch.setattr(bundle, "start_process", lambda work, _: started.append(work.keywords))
    bundle.get_folder().mkdir(parents=True)

    for compiled in (False, True):
        bundle.start_build(compiled=compiled)

    assert started == [{"compiled": True}]  # the archive of the book, which is not in the folder


def test_a_package_with_another_digest_is_refused(empty_cache, monkeypatch):
    def pack(words, cwd, **_):
        (Path(cwd) / "pyodide-0.27.7.tgz").write_bytes(b"something else")

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", pack)

    with pytest.raises(ValueError, match=f"digest is not the one in bundle.toml: {bundle.PYODIDE}"):
        bundle.download_packages()
    assert bundle.ensure_npm_files() is None


def test_one_call_of_npm_downloads_all_packages(empty_cache, monkeypatch):
    packed = {name: name.encode() for name in bundle.SHA512}
    digests = {
        name: base64.b64encode(hashlib.sha512(content).digest()).decode()
        for name, content in packed.items()
    }
    calls = []

    def pack(words, cwd, **_):
        calls.append(words)
        for number, content in enumerate(packed.values()):
            (Path(cwd) / f"{number}.tgz").write_bytes(content)

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", pack)
    monkeypatch.setattr(bundle, "SHA512", digests)

    assert bundle.download_packages() == packed
    assert len(calls) == 1
    assert {*bundle.SHA512} <= {*calls[0]}


def test_imports_of_an_npm_module_become_local():
    source = (
        "import { a } from '@codemirror/state';\nexport { b } from 'crelt';\nlet c = 'crelt';\n"
    )
    files = {
        "package/package.json": json.dumps({"exports": {"import": "./dist/index.js"}}),
        "package/dist/index.js": source,
        "package/LICENSE": "MIT\n",
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))

    assert bundle.extract_module(packed.getvalue()) == (
        "/*\nMIT\n*/\nimport { a } from './codemirror-state.js';\n"
        "export { b } from './crelt.js';\nlet c = 'crelt';\n"
    )


@pytest.fixture(scope="module")
def served():
    """Return the folder of files that the site of the tests serves."""
    folder = bundle.ensure_npm_files()
    if folder is None and not os.environ.get("CI"):
        pytest.skip("NO NPM OR NODE: the bundle was not tested")
    assert folder
    return folder / bundle.SERVED


def members(packed: Path) -> list[str]:
    """Return the names of the files in an archive."""
    content = io.BytesIO(gzip.decompress(packed.read_bytes()))
    if ".zip" in packed.name:
        return zipfile.ZipFile(content).namelist()
    return tarfile.open(fileobj=content).getnames()


def test_archives_have_only_bytecode_and_editor_modules_find_their_imports(served):
    for name in ("numpy.tar", "packages.tar", "python_stdlib.zip"):
        names = members(served / f"{name}.gz")
        assert not [name for name in names if name.endswith(".py")]
        assert [name for name in names if name.endswith(".pyc")]
    for path in (served / "editor").iterdir():
        imports = re.findall(r"^(?:im|ex)port .* from '([^']+)'", path.read_text("utf-8"), re.M)
        for file in imports:
            assert (path.parent / file).is_file(), f"{path.name} imports {file}"


def test_the_compiled_archive_has_sources_and_their_bytecode(served):
    compiled, source = (members(bundle.build_archive(compiled=how)) for how in (True, False))

    modules = [name for name in source if name.endswith(".py")]
    assert "posenc/core/angles.py" in modules
    bytecode = {name.replace("__pycache__/", "") for name in compiled if name.endswith(".pyc")}
    assert bytecode == {name.replace(".py", ".cpython-312.pyc") for name in modules}
    assert {*source} == {name for name in compiled if not name.endswith(".pyc")}


def test_weights_are_not_in_the_archive_but_loaded_when_a_page_needs_them():
    worker = (DOCS / "assets/scripts/run/worker.js").read_text("utf-8")
    names = members(bundle.build_archive(compiled=False))

    assert "posenc/trained/minilm.py" in names
    assert not [name for name in names if name.endswith(".npz")]
    assert bundle.WEIGHTS.is_file()
    assert f'new URL("{bundle.WEIGHTS.name}", here)' in worker
    assert f'"/book/{bundle.WEIGHTS.relative_to(ROOT).as_posix()}"' in worker


def test_the_script_knows_the_total_size_of_the_downloads(served):
    worker = (DOCS / "assets/scripts/run/worker.js").read_text("utf-8")
    (total,) = map(float, re.findall(r"BYTES = ([\d.e]+);", worker))
    packed = [*served.glob("*.gz"), bundle.build_archive(compiled=True)]

    assert total == pytest.approx(sum(path.stat().st_size for path in packed), rel=0.05)


def test_a_failure_of_npm_does_not_stop_the_build(empty_cache, monkeypatch):
    def fail(*_, **__):
        raise subprocess.CalledProcessError(1, "npm")

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", fail)

    assert bundle.ensure_npm_files() is None


@pytest.mark.parametrize("pack", [bundle.make_zip, bundle.make_tar])
def test_archives_are_reproducible(tmp_path, pack):
    files = [("b.py", b"2"), ("a.py", b"1")]
    packed = pack(files)

    assert packed == pack(reversed(files))
    home = tmp_path / f"x.{'zip' if pack is bundle.make_zip else 'tar'}.gz"
    home.write_bytes(gzip.compress(packed))
    assert members(home) == ["a.py", "b.py"]


def test_a_file_name_too_long_for_a_tar_header_is_refused():
    with pytest.raises(ValueError, match="longer than 100 bytes"):
        bundle.make_tar([("x" * 101, b"")])
