"""A check beside a sentence is evaluated where it is written."""

import pytest

from tests.checking import check

PAGE = """# T

```pycon
>>> values = [1, 2, 4]
```

Each value doubles the one before.
{check}

Text.
"""


def failures(tmp_path, text: str) -> list[tuple[int, str]]:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format(check=text), "utf-8")
    return [(failure.line, failure.message) for failure in check(page).failures]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- check: all(b == 2 * a for a, b in zip(values, values[1:])) -->",
        "<!-- check: np.all(np.diff(values) > 0) -->",
        "<!-- check: posenc.inv_freq(2)[0] == math.cos(0) -->",
        "<!-- check:\nsorted(values)\n== values -->",
        "`<!-- check: False -->` is how a check is written.",
    ],
)
def test_a_true_check_passes(tmp_path, text):
    assert failures(tmp_path, text) == []


def test_a_false_check_fails_with_its_line_and_its_value(tmp_path):
    message = "the check values[0] > 3 is False, not True"

    assert failures(tmp_path, "<!-- check: values[0] > 3 -->") == [(8, message)]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("<!-- check: values -->", 8, "is [1, 2, 4], not True"),
        ("<!-- check: sum(values) -->", 8, "is 7, not True"),
        ("<!-- check: valeus[0] == 1 -->", 8, "name 'valeus' is not defined"),
        ("<!-- check: values[0] = 1 -->", 8, "SyntaxError"),
        ("<!-- check: True\nand valeus -->", 9, "name 'valeus' is not defined"),
    ],
)
def test_what_is_not_true_fails(tmp_path, text, line, message):
    ((found, said),) = failures(tmp_path, text)

    assert found == line
    assert message in said
