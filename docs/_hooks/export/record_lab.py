"""Run a lab that needs more than the site is built with, and store its answers next to it.

For example:

PYTHONPATH=docs/_hooks uv run --with torch python -m export.record_lab docs/labs/weights.py
"""

import json
import sys
from pathlib import Path

from check import page_check, recordings
from render import rules


def record(path: Path) -> None:
    """Run a lab and write its answers."""
    file = recordings.get_file(path)
    file.unlink(missing_ok=True)
    report = page_check.check_page(rules.build_page_rules().parse(path))
    if report.failures:
        sys.exit("\n".join(f"{path}:{f.line}: {f.message}" for f in report.failures))
    cells = [
        {"source": fence.source, "printed": answer.printed, "value": answer.value}
        for fence, answer in report.answers
    ]
    file.write_text(json.dumps(cells, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    record(Path(sys.argv[1]).resolve())
