"""The golden vectors that the site offers are those of the package, made once."""

import hashlib
import json
from pathlib import Path

import pytest

from posenc import golden
from website import goldens


@pytest.fixture(autouse=True)
def _kept_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)


@pytest.fixture
def made():
    """Return the folder of the golden vectors, made in a process of its own as a build does."""
    process = goldens.begun()
    assert process is not None
    process.join()
    return goldens.folder()


def test_each_file_is_there_as_its_digest_says(made):
    index = json.loads((made / "golden.json").read_text("utf-8"))
    types = [one for array in index["arrays"] for one in array["types"].values()]
    assert {path.name for path in made.iterdir()} == {
        *(one["file"] for one in types),
        "golden.json",
        "golden.npz",
    }
    for one in types:
        assert hashlib.sha256((made / one["file"]).read_bytes()).hexdigest() == one["sha256"]


def test_they_are_made_once(tmp_path, made):
    assert goldens.begun() is None
    assert [path.name for path in (tmp_path / "golden").iterdir()] == [made.name]


def test_a_build_that_is_overtaken_takes_what_the_other_has_made(monkeypatch):
    asked: list[Path] = []
    kept = goldens.folder()

    def write(folder: Path) -> None:
        asked.append(folder)
        if len(asked) == 1:
            goldens.write(kept)  # of another build, which is faster
        folder.mkdir()
        (folder / "index.json").write_text(f"by build {len(asked)}", "utf-8")

    monkeypatch.setattr(golden, "write", write)

    goldens.write(kept)

    assert len(asked) == 2
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    assert (kept / "index.json").read_text("utf-8") == "by build 2"
