"""The command `posenc`, also `python -m posenc`; it needs the extra `posenc[cli]`."""

import importlib.util
import sys


def main() -> None:
    """Run the command, or say in one line what it needs."""
    if not all(map(importlib.util.find_spec, ("rich", "typer"))):
        sys.exit(_refuse("the command needs typer and rich: pip install typer rich"))
    from posenc.command import app

    app(prog_name="posenc")


def _refuse(reason: str) -> int:
    print(f"posenc: {reason}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
