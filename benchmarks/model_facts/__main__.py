"""Write posenc/scaling/model_facts.json: what each model of transformers does with positions.

uv run --with torch --with transformers==5.24.0 python -m benchmarks.model_facts
"""

import json
import warnings
from pathlib import Path
from typing import Any

import transformers  # type: ignore[import-not-found]

from benchmarks.model_facts.facts import measure_facts
from benchmarks.model_facts.tables import measure_tables
from posenc.scaling import facts

PATH = Path(facts.__file__).parent / "model_facts.json"


def format_facts(models: dict[str, Any], tables: dict[str, Any]) -> str:
    """Return the facts as JSON with one line per model, so that a change shows as a line."""
    version = json.dumps(f"transformers {transformers.__version__}")
    parts = [f'"library": {version}']
    for name, part in (("models", models), ("tables", tables)):
        lines = [f"{json.dumps(key)}: {json.dumps(part[key], sort_keys=True)}" for key in part]
        body = ",\n".join(lines)
        parts.append(f'"{name}": {{\n{body}\n}}')
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    transformers.utils.logging.set_verbosity_error()
    warnings.simplefilter("ignore")
    PATH.write_text(format_facts(measure_facts(), measure_tables()), "utf-8")
