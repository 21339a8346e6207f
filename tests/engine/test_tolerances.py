"""A bound that is far wider than what is measured is refused, whatever a sentence says."""

import pytest

from tests.checking import check

IMPORTS = """import math
>>> import numpy as np
>>> from posenc.proofs import everywhere, gap, real, share"""
THIRDS = "gap(\n...     lambda x: x / 3 * 3, lambda x: x, x=real(9),\n... )"


def failures(tmp_path, prompt: str, sentence: str = "A sentence.") -> list[str]:
    file = tmp_path / "page.md"
    text = f"# T\n\n{sentence}\n\n```pycon\n>>> {IMPORTS}\n>>> {prompt}\nTrue\n```\n"
    file.write_text(text, "utf-8")
    report = check(file)
    assert report.runs is not bool(report.failures)
    return [failure.message for failure in report.failures]


@pytest.mark.parametrize(
    "prompt",
    [
        f"{THIRDS} < 4e-15",
        f"{THIRDS} <= 1e-11",
        "abs(0.1 + 0.2 - 0.3) < 1e-12",
        "gap(lambda x: x + 1e-4, lambda x: x, x=real(9)) < 1e-3",
        "len([]) < 7",
        "everywhere(lambda x: abs(math.sin(x) ** 2 + math.cos(x) ** 2 - 1) < 1e-15, x=real(9))",
        "1e-9 < 1e-8",
        "'a' < 'b'",
    ],
)
def test_a_bound_as_wide_as_rounding_holds(tmp_path, prompt):
    assert failures(tmp_path, prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        f"{THIRDS} < 4e-5",
        f"{THIRDS} <= 1e-10",
        f"0 <= {THIRDS} < 1e-3",
        "abs(0.1 + 0.2 - 0.3) < 1e-9",
        "gap(lambda x: x + 1e-7, lambda x: x, x=real(9)) < 0.01",
        "everywhere(lambda x: abs(math.sin(x) ** 2 + math.cos(x) ** 2 - 1) < 1e-8, x=real(9))",
        "float(abs(np.zeros(3) - 1e-17).max()) < 1e-7",
        "math.sin(1e-9) < 0.5",
    ],
)
def test_a_bound_that_is_far_wider_is_refused(tmp_path, prompt):
    (message,) = failures(tmp_path, prompt)

    assert "is more than 10000 times what" in message
    assert "derive a narrower one from the arithmetic" in message


@pytest.mark.parametrize(("bound", "refused"), [("1", 0), ("1 + 1e-9", 0), ("1.5", 1), ("2", 1)])
def test_a_share_is_held_below_one(tmp_path, bound, refused):
    share = "share(lambda x: abs(x), lambda x: 9, x=real(9))"

    assert len(failures(tmp_path, f"0.9 < {share} <= {bound}")) == refused
    assert len(failures(tmp_path, f"found = {share}\n>>> 0.9 < found <= {bound}")) == refused


@pytest.mark.parametrize(
    ("bound", "written"), [("6e-9", r"$6 \cdot 10^{-9}$"), ("1e-9", "$10^{-9}$")]
)
def test_no_sentence_makes_room_for_a_wide_bound(tmp_path, bound, written):
    (message,) = failures(tmp_path, f"{THIRDS} < {bound}", f"Biases are within {written}.")

    assert "is more than 10000 times what" in message


def test_a_wrong_answer_is_told_as_ever(tmp_path):
    (message,) = failures(tmp_path, "gap(lambda x: x, lambda x: -x, x=real(9)) < 1e-9")

    assert message == "Expected:\n    True\nGot:\n    False"
