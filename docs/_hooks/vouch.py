"""Vouch for what no code shows on a page, and for what its code shows, once you have read it.

    uv run python docs/_hooks/vouch.py                              # all that nobody vouches for
    uv run python docs/_hooks/vouch.py docs/chapters/grids.md       # that of a page
    uv run python docs/_hooks/vouch.py docs/chapters/grids.md --true

Each is printed with its line. Of a sentence ask of each word whether it is so, and whether its
opposite would read as well; look up who did what, in which paper or library; derive each step of a
proof. Of a session or a cell ask of each comparison whether it would fail if what the page says
were false: whether both sides are computed apart, from inputs that differ as they should, with no
margin that swallows the claim, and drawn from all that the page speaks of. With `--true` you say
that you have. `pages/vouched.py` tells what is read.
"""

import argparse
from pathlib import Path

from sybil import Document

from engine.places import named
from engine.texts import read
from pages import vouched


def main() -> None:
    """Print what nobody vouches for, or keep that somebody does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="all if there are none")
    parser.add_argument("--true", action="store_true", help="you have read these, and each is so")
    arguments = parser.parse_args()
    there = vouched.pages()
    asked = [page.resolve() for page in arguments.pages] or there
    if others := [named(page) for page in asked if page not in there]:
        parser.error(f"nobody has to vouch for {', '.join(others)}")
    for page in asked:
        text = read(page)
        document = Document(text, str(page))
        for sentence in vouched.unread(document):
            line = text.count("\n", 0, sentence.start) + 1
            print(f"{named(page)}:{line}: {sentence.text}")
        if arguments.true:
            vouched.keep(page, map(vouched.digest, vouched.told(document)))
    for file in vouched.left() if arguments.true else ():
        file.unlink()


if __name__ == "__main__":
    main()
