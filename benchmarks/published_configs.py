"""Renew the frequencies that transformers computes for published configs.

uv run --with torch --with transformers==5.24.0 python -m benchmarks.published_configs
"""

import json

import transformers  # type: ignore[import-not-found]

from tests.goldens import GOLDEN
from tests.package.scaling.published import AGREES
from tests.package.scaling.variants import compute_published


def main() -> None:
    """Write the number of pairs, three frequencies and the factor of each kind of layer."""
    found = {}
    for name, (config, kinds) in AGREES.items():
        theirs = compute_published(config)
        found[name] = {
            kind or "": [len(w), *(float(w[i]) for i in (1, len(w) // 2, -1)), factor]
            for kind, (w, factor) in theirs.items()
            if kind in kinds
        }
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(kept)}" for name, kept in found.items())
    library = json.dumps(f"transformers {transformers.__version__}")
    text = f'{{"library": {library}, "configs": {{\n{lines}\n}}}}\n'
    (GOLDEN / "rope_published.json").write_text(text, "utf-8")


if __name__ == "__main__":
    transformers.utils.logging.set_verbosity_error()
    main()
