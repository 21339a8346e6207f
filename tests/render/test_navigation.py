"""The navigation names every page, and none that is not there."""

from render.navigation import SETTINGS, find_problems


def test_a_page_that_is_not_there_and_one_that_is_not_named_are_told(tmp_path):
    text = SETTINGS.read_text("utf-8")
    line = text[: text.index("chapters/sciences.md")].count("\n") + 1
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(text.replace("chapters/sciences.md", "chapters/science.md"), "utf-8")

    assert list(find_problems()) == []
    named, unnamed = find_problems(settings)
    assert named.startswith(f"mkdocs.yml:{line}: nav names chapters/science.md")
    assert "perhaps chapters/sciences.md" in named
    assert unnamed == (
        "docs/chapters/sciences.md:1: no reader finds this page; name it in nav of mkdocs.yml"
    )


def test_a_lab_that_is_not_named_is_told(tmp_path):
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(SETTINGS.read_text("utf-8").replace("      - labs/bugs.md\n", ""), "utf-8")

    assert [message.partition(":")[0] for message in find_problems(settings)] == [
        "docs/labs/bugs.md"
    ]
