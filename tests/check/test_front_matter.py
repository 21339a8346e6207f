"""Front matter of a page: problems are reported at their line, with what to write."""

import pytest
from sybil import Document

from check import front_matter

GOOD = "title: Tides\ndescription: Codes for the hour of a tide, and how long they are.\n"


@pytest.fixture
def find_problems(monkeypatch, tmp_path):
    """Return a function that lists the line and the message of each problem of a page."""
    monkeypatch.setattr(front_matter, "DOCS", tmp_path)

    def find(text: str) -> list[tuple[int, str]]:
        document = Document(text, str(tmp_path / "page.md"))
        return [
            (text.count("\n", 0, region.start) + 1, region.parsed)
            for region in front_matter.parse(document)
        ]

    return find


def test_a_page_with_title_and_description_passes(find_problems):
    assert find_problems(f"---\n{GOOD}---\n\n# Tides\n") == []


@pytest.mark.parametrize(
    ("line", "message", "text"),
    [
        (1, "has no front matter; write title: …", "# Tides\n"),
        (1, "has no front matter", f"\n---\n{GOOD}---\n"),  # not at the very top
        (1, "has no front matter", f"---\n{GOOD}\n# Tides\n"),  # not closed
        (2, "into quotation marks", "---\ntitle: Tides: an hour\n---\n"),
        (4, "not valid YAML", f'---\n{GOOD}mirrors: "000\n---\n'),
        (1, "not a mapping", "---\ntitle\n---\n"),
        (1, "write title: …", f"---\n{GOOD.replace('title', 'tide')}---\n"),
        (3, "has 5 characters; search engines", "---\ntitle: A\ndescription: Short\n---\n"),
        (1, "has 0 characters", "---\ntitle: A\n---\n"),
        (4, "'mirors' in the front matter; perhaps mirrors", f"---\n{GOOD}mirors: {{}}\n---\n"),
    ],
)  # fmt: skip
def test_a_problem_is_reported_at_its_line(find_problems, line, message, text):
    problems = find_problems(text)

    assert [place for place, problem in problems if message in problem] == [line], problems


def test_the_readme_needs_no_front_matter(find_problems):
    assert list(front_matter.parse(Document("# Hello\n", "README.md"))) == []
