"""Sweeps: interrupted, resumed, refused, on a cluster; and their command."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

from check.fences import find_fences
from check.page_source import read_page as read_page
from check.paths import ROOT
from posenc.experiments import settings, training
from posenc.experiments import sweep as sweeping
from posenc.experiments.__main__ import _list_means
from posenc.experiments.encodings import Encoding
from posenc.experiments.model import Shape
from posenc.experiments.results import FOLDER, Result, read
from posenc.experiments.settings import Experiment, Reading, Setting, Trial
from posenc.experiments.sweep import sweep

TINY = Experiment(
    "Is it fast?",
    {
        name: Setting(
            "which_first",
            Encoding(name, train_len=6),
            Shape(vocabulary=10, classes=2, d_model=8, heads=2, layers=1, pooled=True),
            training.Plan(steps=50, batch=8, seq_len=6),
            (Trial("accuracy", 6, sentences=64),),
        )
        for name in ("none", "learned")
    },
    seeds=2,
)


def tiny(folder: Path, **given: Any) -> Result:
    return sweep("tiny", folder, experiment=TINY, **given)


READ = Experiment(
    "Can it read?",
    {
        "rope": TINY.settings["none"]._replace(
            task="text",
            encoding=Encoding("rope", train_len=32),
            shape=Shape(96, classes=96, d_model=8, heads=2, layers=1, causal=True),
            plan=training.Plan(steps=50, batch=2, seq_len=32),
            tests=(
                Reading("plain", 64),
                Reading("half", 32, Encoding("rope", train_len=32, base=100.0)),
            ),
        )
    },
    seeds=2,
)


def bare(result: Result) -> list[dict[str, Any]]:
    """What a result says, but for when and how long."""
    return [{k: v for k, v in run.items() if k not in ("date", "seconds")} for run in result.runs]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return tiny(tmp_path_factory.mktemp("whole"), command="as typed")


def test_every_model_is_trained_from_every_seed(whole):
    runs = [(run["setting"], run["seed"]) for run in whole.runs]

    assert runs == [("none", 0), ("none", 1), ("learned", 0), ("learned", 1)]
    assert whole.seeds == 2
    assert whole.provenance["command"] == "as typed"
    assert whole.provenance["date"] == max(run["date"] for run in whole.runs)
    assert whole.provenance["versions"]["numpy"] == np.__version__
    assert whole.by_offset("learned").shape == (2, 6)
    assert np.diag(whole.cosines("learned")).tolist() == [1.0] * 6
    assert whole.losses("none").shape == (2, 1)


def test_text_losses_by_position_and_the_command_output(tmp_path):
    result = sweep("read", tmp_path, experiment=READ)

    losses = result.nats("rope")
    assert losses.shape == (2, 2)
    assert result.nats("rope", "half").shape == (2, 1)
    assert ((losses > 1) & (losses < 1.5 * np.log(96))).all()
    low, high = (np.array(ends) for ends in result.intervals["rope"]["plain"])
    assert low + high == pytest.approx(2 * losses.mean(axis=0), abs=1e-4)
    assert list(_list_means(result)) == [
        f"rope, plain: {losses[:, 0].mean():.3f} {losses[:, 1].mean():.3f}",
        f"rope, half: {result.nats('rope', 'half').mean():.3f}",
    ]


def test_command_prints_shares_with_intervals(whole):
    low, high = whole.interval("none")

    told = f"none, accuracy: {whole.mean('none'):.3f} [{low:.3f}, {high:.3f}]"
    assert next(iter(_list_means(whole))) == told


def test_an_interrupted_sweep_goes_on_where_it_stopped(whole, tmp_path, monkeypatch):
    measure = sweeping.measure
    measured: list[tuple[str, int]] = []

    def two_runs(name: str, setting: Setting, seed: int) -> dict[str, Any]:
        if len(measured) == 2:
            raise KeyboardInterrupt
        measured.append((name, seed))
        return measure(name, setting, seed)

    monkeypatch.setattr(sweeping, "measure", two_runs)
    with pytest.raises(KeyboardInterrupt):
        tiny(tmp_path)
    assert not (tmp_path / "tiny.json").exists()

    first, measured[:] = [*measured], []
    result = tiny(tmp_path)

    assert sorted(first + measured) == sorted((run["setting"], run["seed"]) for run in result.runs)
    assert bare(result) == bare(whole)
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.json"]


def test_truncated_line_is_run_again(whole, tmp_path):
    partial = tmp_path / "tiny.partial.jsonl"
    head = {"settings": whole.settings, "machine": {}}
    lines = [json.dumps(head), *(json.dumps(run) for run in whole.runs[:2])]
    partial.write_text("\n".join(lines)[:-9])

    assert bare(tiny(tmp_path)) == bare(whole)


def test_a_finished_result_is_not_overwritten_silently(tmp_path):
    done = tmp_path / "tiny.json"
    done.write_text("precious")

    with pytest.raises(FileExistsError, match=r"tiny.json is finished; to replace it, say --again"):
        tiny(tmp_path)
    assert done.read_text() == "precious"

    assert tiny(tmp_path, again=True).name == "tiny"


def test_runs_of_other_settings_are_refused(tmp_path):
    head = {"settings": {"none": {"task": "another"}}, "machine": {}}
    (tmp_path / "tiny.partial.jsonl").write_text(json.dumps(head) + "\n")

    with pytest.raises(ValueError, match=r"tiny.partial.jsonl holds runs of other settings"):
        tiny(tmp_path)


def test_an_interval_needs_two_seeds(tmp_path):
    with pytest.raises(ValueError, match="seeds must be at least 2, for an interval, got 1"):
        tiny(tmp_path, seeds=1)


def test_sweep_on_a_cluster_has_the_same_results(whole, tmp_path):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as cluster:
        result = tiny(tmp_path, dask=cluster.scheduler_address)

    assert bare(result) == bare(whole)


def test_the_recipe_for_an_experiment_can_be_followed():
    page = ROOT / "docs/contributing/experiment.md"
    code = next(fence.source for fence in find_fences(read_page(page)) if "_heads" in fence.source)
    module = dict(vars(settings))
    exec(code, module)

    experiment = module["_heads"]()

    name, setting = next(iter(experiment.settings.items()))
    short = setting._replace(plan=setting.plan._replace(steps=50), tests=setting.tests[:1])
    assert 0 < sweeping.measure(name, short, 0)["accuracy"]["x1"] < 1
    assert [setting.shape.heads for setting in experiment.settings.values()] == [1, 4]


def test_the_command_refuses_to_replace_what_is_finished():
    run = [sys.executable, "-W", "error", "-m", "posenc.experiments", "order", "--out", FOLDER]
    done = subprocess.run(run, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.strip() == "order: order.json is finished; to replace it, say --again"


@pytest.mark.parametrize(
    ("module", "more", "packages"),
    [("jax", [], "jax optax scipy tqdm"), ("distributed", ["--dask", "x"], "distributed")],
)
def test_missing_library_names_the_packages_to_install(module, more, packages, tmp_path):
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from posenc.experiments.__main__ import main\n"
        f"sys.exit(main(['order', '--out', {str(tmp_path)!r}, *{more!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == f"{module} is missing: pip install {packages}"


def test_a_file_is_read_back_as_written(whole, tmp_path):
    path = tmp_path / "again.json"
    path.write_text(sweeping._format_result(vars(whole)), encoding="utf-8")

    assert read(path) == whole
