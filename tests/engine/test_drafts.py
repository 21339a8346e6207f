"""Files that several processes look for are there whole, or not at all."""

import pytest

from engine.drafts import draft


def test_a_file_takes_its_place_when_it_is_whole(tmp_path):
    file = tmp_path / "folder/kept.txt"
    for text in ("first", "second"):
        before = file.read_text() if file.exists() else None
        with draft(file) as unfinished:
            unfinished.write_text("a part of ")
            assert (file.read_text() if file.exists() else None) == before
            assert unfinished.suffix == ".txt"
            unfinished.write_text(text)

        assert file.read_text() == text
        assert [*file.parent.iterdir()] == [file]


def test_what_does_not_become_whole_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "kept.txt"
    file.write_text("before")

    with pytest.raises(UnicodeEncodeError), draft(file) as unfinished:
        unfinished.write_text("a part, and \udc80", "utf-8")

    assert file.read_text() == "before"
    assert [*tmp_path.iterdir()] == [file]
