"""The bibliography: every paper can be found and is cited, and its pages are named."""

from sybil import Document

from check.page_source import read_page
from render import bibliography

FINDABLE = (
    "https://arxiv.org/abs/",
    "https://doi.org/",
    "https://jmlr.org/",
    "https://proceedings.neurips.cc/",
    "report of",
)


def test_the_bibliography_names_the_pages_that_cite_a_paper(monkeypatch, tmp_path):
    papers = tmp_path / "bibliography.md"
    papers.write_text("## One 2001 { #one2001 }\n\nOne.\n\n## Two 2002 { #two2002 }\n\nTwo.\n")
    (tmp_path / "a.md").write_text("---\ntitle: A\n---\n[One](bibliography.md#one2001)\n")
    monkeypatch.setattr(bibliography, "DOCS", tmp_path)
    monkeypatch.setattr(bibliography, "BIBLIOGRAPHY", papers)
    text = papers.read_text()

    (complaint,) = bibliography.parse(Document(text, str(papers)))

    assert complaint.parsed.startswith("no page cites two2002; link to it,")
    assert [said for _, _, said in bibliography.link_citing_pages(text)] == [
        "\nCited in: [A](a.md).\n{ .provenance }\n",
        "",
    ]


def test_every_paper_of_the_bibliography_can_be_found():
    text = read_page(bibliography.BIBLIOGRAPHY)
    papers = list(bibliography.PAPER.finditer(text))

    assert len(papers) == text.count("\n## ")
    for paper in papers:
        assert paper["id"][-4:] in paper["entry"], "the year"
        assert any(where in paper["entry"] for where in FINDABLE), paper["entry"]


def test_a_paper_without_a_paragraph_does_not_swallow_the_next(monkeypatch, tmp_path):
    papers = tmp_path / "bibliography.md"
    papers.write_text("## One 2001 { #one2001 }\n\n## Two 2002 { #two2002 }\n\nTwo,\nlong.\n")
    cites = '---\ntitle: A\n---\n[Two](bibliography.md#two2002 "2002")\n'
    (tmp_path / "a.md").write_text(f"{cites}\n```text\n[One](bibliography.md#one2001)\n```\n")
    monkeypatch.setattr(bibliography, "DOCS", tmp_path)
    monkeypatch.setattr(bibliography, "BIBLIOGRAPHY", papers)
    text = papers.read_text()

    (complaint,) = bibliography.parse(Document(text, str(papers)))
    ((start, _, said),) = bibliography.link_citing_pages(text)

    assert complaint.parsed.startswith("a paper is a heading that ends in")
    assert (start, said) == (len(text), "\nCited in: [A](a.md).\n{ .provenance }\n")
