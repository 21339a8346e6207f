"""Write posenc/scaling/model_facts.json: what each model of transformers does with positions.

uv run --with torch --with transformers==5.24.0 python -m benchmarks.model_facts
"""

import json
import warnings
from pathlib import Path
from typing import Any

import transformers  # type: ignore[import-not-found]

from benchmarks.model_facts.facts import measure_facts
from posenc.scaling import facts

PATH = Path(facts.__file__).parent / "model_facts.json"


def write_facts(path: Path, models: dict[str, Any]) -> None:
    """Write one line per model, so that a change shows as a line."""
    lines = [f"  {json.dumps(name)}: {json.dumps(models[name], sort_keys=True)}" for name in models]
    version = json.dumps(f"transformers {transformers.__version__}")
    body = ",\n".join(lines)
    path.write_text(f'{{"library": {version}, "models": {{\n{body}\n}}}}\n', "utf-8")


if __name__ == "__main__":
    transformers.utils.logging.set_verbosity_error()
    warnings.simplefilter("ignore")
    write_facts(PATH, measure_facts())
