"""What follows from texts is found out once, by whichever process."""

from engine import once
from engine.once import Once

Counted = tuple[Once[int], list[tuple[str, ...]]]


def counted() -> Counted:
    """Return a function as a process has it at its beginning, and what that will have run on."""
    ran: list[tuple[str, ...]] = []

    def length(*texts: str) -> int:
        """Return how long texts are."""
        ran.append(texts)
        return sum(map(len, texts))

    return Once(length), ran


def test_the_same_texts_are_looked_at_once():
    length, ran = counted()

    assert [length("ab", "c"), length("ab", "c"), length("a", "bc"), length("abc")] == [3] * 4
    assert ran == [("ab", "c"), ("a", "bc"), ("abc",)]
    assert length.__doc__ == "Return how long texts are."


def test_another_process_need_not_look_again(tmp_path):
    length, _ = counted()
    assert length("abc") == 3
    once.keep(tmp_path / "texts", [length])

    length, ran = counted()
    once.recall(tmp_path / "texts", [length])
    assert [length("abc"), length("abcd")] == [3, 4]
    assert ran == [("abcd",)]


def test_what_nobody_has_asked_for_since_is_forgotten():
    length, ran = counted()
    for text in ("an old text", "a text"):
        length(text)
    once.forget([length])

    length("a text")
    once.forget([length])
    length("an old text")

    assert ran == [("an old text",), ("a text",), ("an old text",)]


def test_a_file_that_is_not_there_or_is_cut_off_is_passed_over(tmp_path):
    length, _ = counted()
    once.recall(tmp_path / "none", [length])
    (tmp_path / "cut").write_bytes(b"\x80\x04\x95")
    once.recall(tmp_path / "cut", [length])

    assert length("abc") == 3
