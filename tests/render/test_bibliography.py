"""The bibliography: papers that readers can find, with links to the pages that cite them."""

from sybil import Document

from check.page_source import read_page
from render import bibliography

SOURCES = (
    "https://arxiv.org/abs/",
    "https://doi.org/",
    "https://jmlr.org/",
    "https://openreview.net/",
    "https://proceedings.neurips.cc/",
    "report of",
)


def test_entries_link_to_citing_pages_and_uncited_papers_are_reported(monkeypatch, tmp_path):
    papers = tmp_path / "bibliography.md"
    papers.write_text("## One 2001 { #one2001 }\n\nOne.\n\n## Two 2002 { #two2002 }\n\nTwo.\n")
    (tmp_path / "a.md").write_text("---\ntitle: A\n---\n[One](bibliography.md#one2001)\n")
    monkeypatch.setattr(bibliography, "DOCS", tmp_path)
    monkeypatch.setattr(bibliography, "BIBLIOGRAPHY", papers)
    text = papers.read_text()

    (problem,) = bibliography.parse(Document(text, str(papers)))

    assert problem.parsed.startswith("no page cites two2002; link to it,")
    assert [line for _, _, line in bibliography.link_citing_pages(text)] == [
        "\nCited in: [A](a.md).\n{ .provenance }\n",
    ]


def test_every_entry_has_the_year_and_a_link_or_report_number():
    text = read_page(bibliography.BIBLIOGRAPHY)
    papers = list(bibliography.PAPER.finditer(text))

    assert len(papers) == text.count("\n## ")
    for paper in papers:
        assert paper["id"][-4:] in paper["entry"], "the year"
        assert any(where in paper["entry"] for where in SOURCES), paper["entry"]


def test_entry_without_a_paragraph_does_not_swallow_the_next(monkeypatch, tmp_path):
    papers = tmp_path / "bibliography.md"
    papers.write_text("## One 2001 { #one2001 }\n\n## Two 2002 { #two2002 }\n\nTwo,\nlong.\n")
    cites = '---\ntitle: A\n---\n[Two](bibliography.md#two2002 "2002")\n'
    (tmp_path / "a.md").write_text(f"{cites}\n```text\n[One](bibliography.md#one2001)\n```\n")
    monkeypatch.setattr(bibliography, "DOCS", tmp_path)
    monkeypatch.setattr(bibliography, "BIBLIOGRAPHY", papers)
    text = papers.read_text()

    (problem,) = bibliography.parse(Document(text, str(papers)))
    ((start, _, line),) = bibliography.link_citing_pages(text)

    assert problem.parsed.startswith("the entry of a paper needs a heading")
    assert (start, line) == (len(text), "\nCited in: [A](a.md).\n{ .provenance }\n")
