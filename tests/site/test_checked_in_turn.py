"""In which order pages are checked: as they are read in `serve`, as they are made in a build."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import get_files

from engine import scripts
from engine.places import DOCS, modules
from pages import navigation
from pages.workers import as_made, as_read, subjects, trains


def test_a_build_checks_pages_in_the_order_in_which_it_makes_them():
    config = MkDocsConfig()
    config.load_dict({"site_name": "book", "docs_dir": str(DOCS)})
    assert config.validate() == ([], [])
    files = [Path(file.abs_src_path or "") for file in get_files(config)]
    made = [path for path in files if path.suffix == ".md"]
    made += [path for path in files if scripts.is_lab(path)]  # as our hooks add them
    assert len(made) > 80

    checked = as_made(reversed(subjects()))

    labs = [path for path in checked if trains(path)]
    assert checked[: len(labs)] == labs
    assert checked[len(labs) : -len(modules())] == [path for path in made if path not in labs]
    assert checked[-len(modules()) :] == modules()


def test_serve_checks_a_chapter_before_those_that_follow_it_in_the_book():
    places = [place.path for place in navigation.places()]

    checked = [path for path in as_read(reversed(subjects())) if path in places]

    labs = [path for path in checked if trains(path)]
    assert checked == [*labs, *(path for path in places if path not in labs)]
