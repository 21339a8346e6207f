"""Inline checks are evaluated at their place on the page."""

import pytest

from tests.checking import check_page

PAGE = """# T

```pycon
>>> values = [1, 2, 4]
```

Each value doubles the one before.
{check}

Text.
"""


def list_failures(tmp_path, text: str) -> list[tuple[int, str]]:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format(check=text), "utf-8")
    return [(failure.line, failure.message) for failure in check_page(page).failures]


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
    assert list_failures(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("<!-- check: values[0] > 3 -->", 8, "the check values[0] > 3 is False, not True"),
        ("<!-- check: values -->", 8, "is [1, 2, 4], not True"),
        ("<!-- check: sum(values) -->", 8, "is 7, not True"),
        ("<!-- check: valeus[0] == 1 -->", 8, "name 'valeus' is not defined"),
        ("<!-- check: values[0] = 1 -->", 8, "SyntaxError"),
        ("<!-- check: True\nand valeus -->", 9, "name 'valeus' is not defined"),
    ],
)
def test_any_other_value_or_an_error_fails_at_its_line(tmp_path, text, line, message):
    ((failed_line, failure),) = list_failures(tmp_path, text)

    assert failed_line == line
    assert message in failure
