"""Problems of `nav` in mkdocs.yml."""

from render.navigation import SETTINGS, find_problems


def test_missing_and_unlisted_pages_are_reported(tmp_path):
    text = SETTINGS.read_text("utf-8")
    line = text[: text.index("chapters/sciences.md")].count("\n") + 1
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(text.replace("chapters/sciences.md", "chapters/science.md"), "utf-8")

    assert list(find_problems()) == []
    missing, unlisted = find_problems(settings)
    assert missing.startswith(f"mkdocs.yml:{line}: nav lists chapters/science.md")
    assert "perhaps chapters/sciences.md" in missing
    assert unlisted == (
        "docs/chapters/sciences.md:1: readers can't find this page; add it to nav in mkdocs.yml"
    )


def test_unlisted_lab_is_reported(tmp_path):
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(
        SETTINGS.read_text("utf-8").replace("          - labs/bugs.md\n", ""), "utf-8"
    )

    (problem,) = find_problems(settings)
    assert problem.startswith("docs/labs/bugs.md:")
