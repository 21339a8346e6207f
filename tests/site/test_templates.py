"""The theme's templates: which are listed, and that one is compiled once."""

import jinja2
import pytest
from mkdocs.theme import Theme

from website.templates import Shown, Templates, remember

FILES = {
    "main.html": "{{ 1 + 1 }}",
    "assets/style.css": "",
    ".icons/one.svg": "",
    "assets/.kept": "",
    "assets/.hidden/two.svg": "",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return str(tmp_path)


def test_what_is_hidden_is_not_listed_and_can_be_loaded(folder):
    shown = Shown([folder])

    assert shown.list_templates() == ["assets/style.css", "main.html"]
    assert shown.get_source(jinja2.Environment(), ".icons/one.svg")[0] == ""


def test_a_name_that_two_folders_have_is_listed_once_as_jinja_does(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "main.html").write_text("", "utf-8")
    (other / "404.html").write_text("", "utf-8")
    folders = [str(other), folder]

    listed = jinja2.FileSystemLoader(folders).list_templates()
    shown = [name for name in listed if not any(part[0] == "." for part in name.split("/"))]
    assert Shown(folders).list_templates() == shown


def test_a_template_is_compiled_once_and_again_when_it_is_edited(folder, tmp_path, monkeypatch):
    theme = Theme(name=None, custom_dir=folder)
    remember(theme, Templates())
    compiled = []
    compile_ = jinja2.Environment.compile

    def counted(env, source, *args, **names):
        compiled.append(source)
        return compile_(env, source, *args, **names)

    monkeypatch.setattr(jinja2.Environment, "compile", counted)
    assert [theme.get_env().get_template("main.html").render() for _ in range(2)] == ["2", "2"]
    assert compiled == ["{{ 1 + 1 }}"]

    (tmp_path / "main.html").write_text("{{ 2 + 1 }}", "utf-8")
    assert theme.get_env().get_template("main.html").render() == "3"
