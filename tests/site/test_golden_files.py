"""The golden vectors on the site are those of the package, written once."""

import hashlib
import json
from pathlib import Path

import pytest

from posenc import golden
from website import goldens


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)


@pytest.fixture
def vectors():
    """Return the folder of the golden vectors, written in a process of its own as in a build."""
    process = goldens.start_writing()
    assert process is not None
    process.join()
    return goldens.get_folder()


def test_the_index_lists_each_file_with_its_digest(vectors):
    index = json.loads((vectors / "golden.json").read_text("utf-8"))
    listed = [file for array in index["arrays"] for file in array["types"].values()]
    assert {path.name for path in vectors.iterdir()} == {
        *(file["file"] for file in listed),
        "golden.json",
        "golden.npz",
    }
    for file in listed:
        content = (vectors / file["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]


def test_vectors_in_the_cache_are_not_written_again(tmp_path, vectors):
    assert goldens.start_writing() is None
    assert [path.name for path in (tmp_path / "golden").iterdir()] == [vectors.name]


def test_of_two_concurrent_builds_the_first_to_finish_wins(monkeypatch):
    calls: list[Path] = []
    target = goldens.get_folder()

    def write(folder: Path) -> None:
        calls.append(folder)
        if len(calls) == 1:
            goldens.write_vectors(target)  # by another build, which is faster
        folder.mkdir()
        (folder / "index.json").write_text(f"by build {len(calls)}", "utf-8")

    monkeypatch.setattr(golden, "write", write)

    goldens.write_vectors(target)

    assert len(calls) == 2
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert (target / "index.json").read_text("utf-8") == "by build 2"
