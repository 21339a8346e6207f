"""Runs an experiment: every model from every seed, here or on a Dask cluster, and keeps it.

Each finished run is a line of `NAME.partial.jsonl`, so that a sweep which was interrupted
goes on where it stopped. With the last one, the file becomes `NAME.json`.
"""

import datetime
import importlib.metadata
import json
import math
import os
import platform
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special
from tqdm import tqdm

from posenc.experiments import tasks, training
from posenc.experiments.encodings import Encoding
from posenc.experiments.model import Shape, normalise
from posenc.experiments.results import Result, read
from posenc.experiments.settings import EXPERIMENTS, Experiment, Reading, Setting

Job = tuple[str, int]  # a model and a seed
PACKAGES = ("posenc", "numpy", "jax", "jaxlib", "optax")


def measure(name: str, setting: Setting, seed: int, *, quiet: bool = True) -> dict[str, Any]:
    """Train a model from a seed and test it; return the run, ready for JSON."""
    start = time.perf_counter()
    task = getattr(tasks, setting.task)
    trained = training.train(task, setting.encoding, setting.shape, setting.plan, seed, quiet=quiet)
    run = {"setting": name, "seed": seed} | _tested(trained, setting)
    run["loss"] = [_round_loss(loss) for loss in trained.losses]
    if setting.task == "recall":
        run["look_back"] = inspect_first_layer(trained.weights, setting.shape)
    if isinstance(setting.encoding, Encoding) and setting.encoding.name == "learned":
        cosines = _cosines(np.asarray(trained.weights["learned"]["table"], dtype=float))
        offsets = range(len(cosines))
        run["by_offset"] = [round(float(np.diag(cosines, k).mean()), 4) for k in offsets]
        if seed == 0:  # one to look at
            run["cosines"] = cosines.round(2).tolist()
    return run | {"date": _get_date(), "seconds": round(time.perf_counter() - start, 1)}


def inspect_first_layer(weights: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """Return the mean query of the values and the mean key of the names, for each head.

    A head that tells a value whose name is before it gives these a high score at offset -1. The
    first layer sees words alone, so the mean of its scores is the score of the means.
    """
    layer = weights["layers"][0]
    rows = np.asarray(normalise(weights["words"], layer["norm_a"]) @ layer["qkv"], dtype=float)
    queries, keys, _ = rows.reshape(-1, 3, shape.heads, shape.head_dim).swapaxes(0, 1)
    means = {
        "queries": queries[: tasks.VALUES].mean(axis=0),
        "keys": keys[tasks.VALUES :].mean(axis=0),
    }
    return {name: rows.round(4).tolist() for name, rows in means.items()}


def _tested(trained: training.Trained, setting: Setting) -> dict[str, Any]:
    """Return what a model can, by test: its accuracy, or its loss at each `PLACES` of a text."""
    accuracy: dict[str, float] = {}
    nats: dict[str, list[float]] = {}
    for test in setting.tests:
        encoding, shape = test.encoding or setting.encoding, setting.shape
        if isinstance(test, Reading):
            asked = tasks.unseen(test.seq_len)
            losses = training.nats(trained, encoding, shape, asked, tasks.PLACES)
            nats[test.name] = losses.round(4).tolist()
        else:
            task = getattr(tasks, setting.task)
            share = training.accuracy(
                trained,
                task,
                encoding,
                shape,
                test.seq_len,
                last=test.last,
                sentences=test.sentences,
            )
            accuracy[test.name] = round(share, 5)
    return {"nats": nats, "text": tasks.digest()} if nats else {"accuracy": accuracy}


def sweep(
    name: str,
    folder: Path,
    *,
    seeds: int | None = None,
    again: bool = False,
    dask: str | None = None,
    command: str = "",
    experiment: Experiment | None = None,
) -> Result:
    """Run an experiment to its end, write NAME.json and return the result.

    Args:
        name: Of the experiment, and of the files.
        folder: Where the files are; it is made.
        seeds: How many, from 0 on; those of the experiment by default.
        again: Whether a finished result may be replaced, once the new one is complete.
        dask: Address of a Dask scheduler; here, one run after the other, by default.
        command: For the provenance.
        experiment: Instead of the one of this name.

    Raises:
        FileExistsError: There is a finished result, and `again` is not given.
        ValueError: What was interrupted had other settings, or `seeds` is below 2.
    """
    experiment = experiment or EXPERIMENTS[name]
    seeds = experiment.seeds if seeds is None else seeds
    if seeds < 2:
        raise ValueError(f"seeds must be at least 2, for an interval, got {seeds}")
    done, partial = folder / f"{name}.json", folder / f"{name}.partial.jsonl"
    if done.exists() and not again:
        raise FileExistsError(f"{done.name} is finished; to replace it, say --again")
    folder.mkdir(parents=True, exist_ok=True)
    head = {"settings": _plain(experiment.settings), "machine": _machine()}
    runs = _interrupted(partial, head)
    ready = {(run["setting"], run["seed"]) for run in runs}
    jobs = [(model, seed) for seed in range(seeds) for model in experiment.settings]
    left = [job for job in jobs if job not in ready]
    with partial.open("a", encoding="utf-8") as file:
        finished = _on_dask(dask, experiment, left) if dask else _here(experiment, left)
        for run in tqdm(finished, desc=name, total=len(jobs), initial=len(jobs) - len(left)):
            file.write(json.dumps(run) + "\n")
            file.flush()
            runs.append(run)
    runs = [run for run in runs if (run["setting"], run["seed"]) in set(jobs)]
    result = {
        "name": name,
        "question": experiment.question,
        "provenance": {"date": max(run["date"] for run in runs)}
        | head["machine"]
        | {"command": command, "seconds": _seconds(runs)},
        "settings": head["settings"],
        "intervals": intervals(experiment, runs),
        "runs": sorted(
            runs, key=lambda run: (list(experiment.settings).index(run["setting"]), run["seed"])
        ),
    }
    done.write_text(_format_result(result), encoding="utf-8")
    partial.unlink()
    return read(done)


def intervals(
    experiment: Experiment, runs: Iterable[dict[str, Any]]
) -> dict[str, dict[str, list[Any]]]:
    """Return the 95 % confidence interval of the mean of each model in each test.

    Of a reading, all lower ends come first, then all upper ends.
    """
    found: dict[str, dict[str, list[Any]]] = {}
    runs = list(runs)
    for name, setting in experiment.settings.items():
        found[name] = {}
        for test in setting.tests:
            kind = "nats" if isinstance(test, Reading) else "accuracy"
            values = np.array([run[kind][test.name] for run in runs if run["setting"] == name])
            wide = special.stdtrit(len(values) - 1, 0.975) * values.std(axis=0, ddof=1)
            half, mean = wide / math.sqrt(len(values)), values.mean(axis=0)
            found[name][test.name] = np.array([mean - half, mean + half]).round(5).tolist()
    return found


def _cosines(table: NDArray[np.float64]) -> NDArray[np.float64]:
    rows = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines: NDArray[np.float64] = rows @ rows.T
    return cosines


def _here(experiment: Experiment, jobs: list[Job]) -> Iterator[dict[str, Any]]:
    for name, seed in jobs:
        yield measure(name, experiment.settings[name], seed)


def _on_dask(address: str, experiment: Experiment, jobs: list[Job]) -> Iterator[dict[str, Any]]:
    from distributed import Client, as_completed  # only where it is asked for

    with Client(address) as client:
        futures = [
            client.submit(measure, name, experiment.settings[name], seed, pure=False)
            for name, seed in jobs
        ]
        for _, run in as_completed(futures, with_results=True):
            yield run


def _interrupted(partial: Path, head: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the runs of a sweep that was interrupted; begin its file if there is none."""
    if not partial.exists():
        partial.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return []
    text = partial.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]  # without a line that was cut off while it was written
    if whole != text:
        partial.write_text(whole, encoding="utf-8")
    first, *rest = whole.splitlines()
    if json.loads(first)["settings"] != head["settings"]:
        raise ValueError(f"{partial.name} holds runs of other settings; move it away")
    return [json.loads(line) for line in rest]


def _machine() -> dict[str, Any]:
    versions = {package: importlib.metadata.version(package) for package in PACKAGES}
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": versions,
    }


def _plain(settings: dict[str, Setting]) -> dict[str, Any]:
    """Return settings as they are read back from JSON."""

    def plain(value: Any) -> Any:
        if hasattr(value, "_asdict"):
            return {key: plain(part) for key, part in value._asdict().items()}
        return [plain(part) for part in value] if isinstance(value, tuple) else value

    return {name: plain(setting) for name, setting in settings.items()}


def _seconds(runs: list[dict[str, Any]]) -> float:
    return round(float(sum(run["seconds"] for run in runs)), 1)


def _round_loss(loss: float) -> float:
    return float(f"{loss:.4g}")


def _get_date() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _format_result(result: dict[str, Any]) -> str:
    """Return JSON with a line for each run and each setting, so that changes can be read."""
    lines = []
    for key, value in result.items():
        if isinstance(value, list):
            body = ",\n".join(f"  {json.dumps(one)}" for one in value)
            lines.append(f" {json.dumps(key)}: [\n{body}\n ]")
        elif isinstance(value, dict):
            body = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{body}\n }}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
