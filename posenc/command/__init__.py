"""The command line: tables, configs and judgements of files and functions.

Each command is one call of a public function. Exit status 0 says that all is well, 1 that
something differs, breaks a law or is unknown, 2 that the input could not be judged.
"""

from posenc.command.cli import app

__all__ = ["app"]
