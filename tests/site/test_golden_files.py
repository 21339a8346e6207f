"""The golden vectors that the site offers are those of the package, made once."""

import hashlib
import json

import pytest

from website import goldens


@pytest.fixture(autouse=True)
def _kept_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)


def test_each_file_is_there_as_its_digest_says():
    made = goldens.built()

    index = json.loads((made / "golden.json").read_text("utf-8"))
    types = [one for array in index["arrays"] for one in array["types"].values()]
    assert {path.name for path in made.iterdir()} == {
        *(one["file"] for one in types),
        "golden.json",
        "golden.npz",
    }
    for one in types:
        assert hashlib.sha256((made / one["file"]).read_bytes()).hexdigest() == one["sha256"]


def test_they_are_made_once(tmp_path, monkeypatch):
    first = goldens.built()
    monkeypatch.setattr(goldens, "WRITE", "raise SystemExit('again')")

    assert goldens.built() == first
    assert [path.name for path in (tmp_path / "golden").iterdir()] == [first.name]
