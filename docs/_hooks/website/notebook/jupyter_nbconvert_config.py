"""What Jupyter is told of the kernels that run the labs."""

import os
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821, Jupyter hands it in

c.NotebookClient.extra_arguments = [
    "--ext=engine.kernel",
    "--log-level=ERROR",
    "--HistoryManager.enabled=False",
    "--PlainTextFormatter.pprint=False",
]

# Ports are looked for, let go, and only then taken: now and then by somebody else, which is a
# kernel that never answers. A socket in a folder of its own is nobody else's.
if os.name == "posix":
    c.KernelManager.transport = "ipc"
    c.KernelManager.ip = str(Path(os.environ["JUPYTER_RUNTIME_DIR"]) / "kernel")
