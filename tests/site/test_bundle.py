"""What a reader's browser runs: it comes from npm as it is known, or the site goes without."""

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

from check.paths import DOCS
from website import bundle


@pytest.fixture
def empty(monkeypatch, tmp_path):
    """Keep nothing of what was fetched before."""
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)


def test_without_npm_there_are_no_buttons_and_somebody_is_told(empty, monkeypatch, caplog):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    caplog.set_level(logging.INFO)
    config = MkDocsConfig()

    bundle.configure(config, wait=True)

    assert config.extra["runtime"] == ""
    assert [*bundle.files(config, compiled=True)] == []
    assert caplog.messages == ["without buttons that run a card: npm is not installed"]


def test_it_is_begun_beside_the_build_and_who_serves_does_not_wait(empty, monkeypatch):
    begun = []
    monkeypatch.setattr(
        bundle, "start_process", lambda work, home: begun.append((work.keywords, home))
    )
    config = MkDocsConfig()

    for compiled in (False, True):
        bundle.begun(compiled=compiled)
    bundle.configure(config, wait=False)

    assert begun == [({"compiled": how}, bundle.folder()) for how in (False, True)]
    assert [*bundle.files(config, compiled=False)] == []


def test_what_is_there_is_not_begun_again(empty, monkeypatch):
    begun = []
    monkeypatch.setattr(bundle, "start_process", lambda work, home: begun.append(work.keywords))
    bundle.folder().mkdir(parents=True)

    for compiled in (False, True):
        bundle.begun(compiled=compiled)

    assert begun == [{"compiled": True}]  # the book, which lies beside the folder


def test_a_package_that_is_another_one_is_not_used(empty, monkeypatch):
    def pack(words, cwd, **_):
        (Path(cwd) / "pyodide-0.27.7.tgz").write_bytes(b"something else")

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", pack)

    with pytest.raises(ValueError, match=f"digest that is known: {bundle.PYODIDE}"):
        bundle.fetched()
    assert bundle.kept() is None


def test_all_packages_are_asked_for_at_once(empty, monkeypatch):
    packed = {name: name.encode() for name in bundle.SHA512}
    digests = {
        name: base64.b64encode(hashlib.sha512(content).digest()).decode()
        for name, content in packed.items()
    }
    asked = []

    def pack(words, cwd, **_):
        asked.append(words)
        for number, content in enumerate(packed.values()):
            (Path(cwd) / f"{number}.tgz").write_bytes(content)

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", pack)
    monkeypatch.setattr(bundle, "SHA512", digests)

    assert bundle.fetched() == packed
    assert len(asked) == 1
    assert {*bundle.SHA512} <= {*asked[0]}


def test_a_module_of_npm_imports_what_lies_beside_it():
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
            one = tarfile.TarInfo(name)
            one.size = len(text)
            archive.addfile(one, io.BytesIO(text.encode()))

    assert bundle.module(packed.getvalue()) == (
        "/*\nMIT\n*/\nimport { a } from './codemirror-state.js';\n"
        "export { b } from './crelt.js';\nlet c = 'crelt';\n"
    )


@pytest.fixture(scope="module")
def fetched():
    """Return what the site that the tests are given is made of."""
    folder = bundle.kept()
    if folder is None and not os.environ.get("CI"):
        pytest.skip("NO NPM OR NODE: what comes from there was not looked at")
    assert folder
    return folder / bundle.SERVED


def members(packed: Path) -> list[str]:
    """Return the names of the files in an archive."""
    content = io.BytesIO(gzip.decompress(packed.read_bytes()))
    if ".zip" in packed.name:
        return zipfile.ZipFile(content).namelist()
    return tarfile.open(fileobj=content).getnames()


def test_what_is_kept_is_bytecode_and_modules_that_find_each_other(fetched):
    for name in ("numpy.tar", "packages.tar", "python_stdlib.zip"):
        names = members(fetched / f"{name}.gz")
        assert not [one for one in names if one.endswith(".py")]
        assert [one for one in names if one.endswith(".pyc")]
    for path in (fetched / "editor").iterdir():
        for asked in re.findall(r"^(?:im|ex)port .* from '([^']+)'", path.read_text("utf-8"), re.M):
            assert (path.parent / asked).is_file(), f"{path.name} imports {asked}"


def test_the_book_is_compiled_beside_its_source_where_somebody_waits(fetched):
    compiled, source = (members(bundle.book(compiled=how)) for how in (True, False))

    modules = [name for name in source if name.endswith(".py")]
    assert "posenc/core/angles.py" in modules
    bytecode = {name.replace("__pycache__/", "") for name in compiled if name.endswith(".pyc")}
    assert bytecode == {name.replace(".py", ".cpython-312.pyc") for name in modules}
    assert {*source} == {name for name in compiled if not name.endswith(".pyc")}


def test_progress_is_told_in_parts_of_what_there_is(fetched):
    worker = (DOCS / "assets/scripts/run/worker.js").read_text("utf-8")
    (said,) = map(float, re.findall(r"BYTES = ([\d.e]+);", worker))
    packed = [*fetched.glob("*.gz"), bundle.book(compiled=True)]

    assert said == pytest.approx(sum(path.stat().st_size for path in packed), rel=0.05)


def test_npm_that_fails_is_no_error(empty, monkeypatch):
    def fails(*_, **__):
        raise subprocess.CalledProcessError(1, "npm")

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", fails)

    assert bundle.kept() is None


@pytest.mark.parametrize("pack", [bundle.zipped, bundle.tarred])
def test_an_archive_is_the_same_whenever_it_is_made(tmp_path, pack):
    files = [("b.py", b"2"), ("a.py", b"1")]
    packed = pack(files)

    assert packed == pack(reversed(files))
    home = tmp_path / f"x.{'zip' if pack is bundle.zipped else 'tar'}.gz"
    home.write_bytes(gzip.compress(packed))
    assert members(home) == ["a.py", "b.py"]


def test_a_name_that_no_head_holds_is_refused():
    with pytest.raises(ValueError, match="longer than 100 bytes"):
        bundle.tarred([("x" * 101, b"")])
