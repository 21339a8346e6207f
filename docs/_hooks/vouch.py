"""Vouch for what no code shows on a page, once you have read it.

    uv run python docs/_hooks/vouch.py                              # all that nobody vouches for
    uv run python docs/_hooks/vouch.py docs/chapters/grids.md       # that of a page
    uv run python docs/_hooks/vouch.py docs/chapters/grids.md --true

Each sentence is printed with its line. Ask of each word whether it is so, and whether its opposite
would read as well; look up who did what, in which paper or library; derive each step of a proof.
With `--true` you say that you have. `pages/vouched.py` tells which sentences these are.
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
    digests = vouched.kept()
    for page in [page.resolve() for page in arguments.pages] or vouched.pages():
        text = read(page)
        document = Document(text, str(page))
        for sentence in vouched.unread(document):
            line = text.count("\n", 0, sentence.start) + 1
            print(f"{named(page)}:{line}: {sentence.text}")
        digests[named(page)] = sorted({vouched.digest(one) for one in vouched.told(document)})
    if arguments.true:
        there = {named(page) for page in vouched.pages()}
        vouched.keep({page: found for page, found in digests.items() if page in there and found})


if __name__ == "__main__":
    main()
