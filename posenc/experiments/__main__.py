"""The command: `python -m posenc.experiments NAME`."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from posenc.experiments.results import Result

# Before JAX is imported: one run takes one core, so that several share a machine well.
ONE_CORE = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def main(arguments: list[str]) -> int:
    """Run experiments, print what they found, and return the exit status."""
    os.environ.setdefault("XLA_FLAGS", ONE_CORE)
    try:
        from posenc.experiments.settings import EXPERIMENTS
        from posenc.experiments.sweep import sweep
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is missing: pip install jax optax scipy tqdm", file=sys.stderr)
        return 1
    parser = argparse.ArgumentParser(
        prog="python -m posenc.experiments",
        description="Train the models of an experiment and store what they can.",
    )
    parser.add_argument("name", nargs="+", choices=EXPERIMENTS, help="the experiments to run")
    parser.add_argument(
        "--out", type=Path, default=Path("results"), help="folder of the results (results)"
    )
    parser.add_argument("--seeds", type=int, help="how many, from 0 on (5)")
    parser.add_argument("--again", action="store_true", help="replace finished results")
    parser.add_argument("--dask", metavar="ADDRESS", help="run on this Dask cluster")
    given = parser.parse_args(arguments)
    for name in given.name:
        command = f"python -m posenc.experiments {name}"
        command += f" --seeds {given.seeds}" if given.seeds else ""
        try:
            result = sweep(
                name,
                given.out,
                seeds=given.seeds,
                again=given.again,
                dask=given.dask,
                command=command,
            )
        except ModuleNotFoundError as missing:
            print(f"{missing.name} is missing: pip install distributed", file=sys.stderr)
            return 1
        except (FileExistsError, ValueError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        print(f"{result.question} (means of {result.seeds} seeds, 95 % intervals)")
        for line in _list_means(result):
            print(f"  {line}")
    return 0


def _list_means(result: Result) -> Iterator[str]:
    """Say what each model reached in each test; of a text, its loss in nats by place."""
    for setting, tests in result.intervals.items():
        for test, (low, high) in tests.items():
            if isinstance(low, list):
                means = result.nats(setting, test).mean(axis=0)
                yield f"{setting}, {test}: " + " ".join(f"{mean:.3f}" for mean in means)
            else:
                yield f"{setting}, {test}: {result.mean(setting, test):.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
