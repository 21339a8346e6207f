"""Answer the pages of the workbench: each tool is a module with a function `answer`.

The worker in the browser calls `run_tool`, so the result is JSON.
"""

import json
from importlib import import_module
from typing import Any


def run_tool(name: str, arguments: dict[str, Any]) -> str:
    """Return the answer of a tool as JSON; files among the arguments are memoryviews of bytes."""
    answer = import_module(f"{__name__}.{name}").answer(**arguments)
    return json.dumps(answer, allow_nan=False)
