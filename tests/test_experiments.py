"""Sweeps: interrupted, resumed, refused, on a cluster; and what the stored files say."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import distributed
import mpmath
import numpy as np
import pytest

from examples import ROOT
from fences import fences
from fences import read as read_page
from posenc import experiments
from posenc.experiments import settings, training
from posenc.experiments import sweep as sweeping
from posenc.experiments._results import FOLDER, Result, names, read
from posenc.experiments.encodings import Encoding
from posenc.experiments.model import Shape
from posenc.experiments.settings import EXPERIMENTS, Experiment, Setting, Trial
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


def bare(result: Result) -> list[dict[str, Any]]:
    """What a result says, but for times."""
    return [{k: v for k, v in run.items() if k != "seconds"} for run in result.runs]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return tiny(tmp_path_factory.mktemp("whole"), command="as typed")


def test_every_model_is_trained_from_every_seed(whole):
    runs = [(run["setting"], run["seed"]) for run in whole.runs]

    assert runs == [("none", 0), ("none", 1), ("learned", 0), ("learned", 1)]
    assert whole.seeds == 2
    assert whole.provenance["command"] == "as typed"
    assert whole.provenance["versions"]["numpy"] == np.__version__
    assert whole.by_offset("learned").shape == (2, 6)
    assert np.diag(whole.cosines("learned")).tolist() == [1.0] * 6
    assert whole.losses("none").shape == (2, 1)


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


def test_a_finished_result_is_not_overwritten_silently(tmp_path):
    done = tmp_path / "tiny.json"
    done.write_text("precious")

    with pytest.raises(FileExistsError, match=r"tiny.json is finished; to replace it, say --again"):
        tiny(tmp_path)
    assert done.read_text() == "precious"

    assert tiny(tmp_path, again=True).name == "tiny"


def test_runs_of_other_settings_are_not_mixed_in(tmp_path):
    head = {"settings": {"none": {"task": "another"}}, "machine": {}}
    (tmp_path / "tiny.partial.jsonl").write_text(json.dumps(head) + "\n")

    with pytest.raises(ValueError, match=r"tiny.partial.jsonl holds runs of other settings"):
        tiny(tmp_path)


def test_an_interval_needs_two_seeds(tmp_path):
    with pytest.raises(ValueError, match="seeds must be at least 2, for an interval, got 1"):
        tiny(tmp_path, seeds=1)


def test_a_cluster_finds_the_same(whole, tmp_path):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        result = tiny(tmp_path, dask=cluster.scheduler_address)

    assert bare(result) == bare(whole)


def quantile(probability: float, degrees: int) -> float:
    """Student's t by its density, integrated with mpmath."""
    n = mpmath.mpf(degrees)
    weight = mpmath.gamma((n + 1) / 2) / (mpmath.sqrt(n * mpmath.pi) * mpmath.gamma(n / 2))

    def below(t: Any) -> Any:
        return 0.5 + mpmath.quad(lambda x: weight * (1 + x * x / n) ** (-(n + 1) / 2), [0, t])

    return float(mpmath.findroot(lambda t: below(t) - probability, 2))


STORED = {name: experiments.load(name) for name in names()}


def test_every_experiment_has_a_stored_result():
    assert STORED.keys() == EXPERIMENTS.keys()


@pytest.mark.parametrize("name", STORED)
def test_a_stored_result_is_of_these_settings(name):
    """Whoever changes an experiment has to run it again."""
    result, experiment = STORED[name], EXPERIMENTS[name]

    assert result.settings == sweeping._plain(experiment.settings)
    assert result.question == experiment.question
    runs = {(run["setting"], run["seed"]) for run in result.runs}
    assert runs == {(s, seed) for s in experiment.settings for seed in range(experiment.seeds)}
    assert len(runs) == len(result.runs)
    assert result.provenance["command"] == f"python -m posenc.experiments {name}"
    assert (FOLDER / f"{name}.json").stat().st_size < 100_000


@pytest.mark.parametrize("name", STORED)
def test_intervals_are_those_of_student(name):
    result = STORED[name]
    t = quantile(0.975, result.seeds - 1)

    for setting, tests in result.intervals.items():
        for test, found in tests.items():
            values = result.values(setting, test).tolist()
            mean = sum(values) / len(values)
            variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
            half = t * (variance / len(values)) ** 0.5
            assert found == pytest.approx([mean - half, mean + half], abs=2e-5)
            assert result.interval(setting, test) == tuple(found)
            assert result.mean(setting, test) == pytest.approx(mean)


# Trained anew in each run of the tests, from the first seed.
AGAIN = [
    ("order", "none"),
    ("order", "none, causal"),
    ("order", "alibi"),
    ("order", "rope"),
    ("bags", "words and not: none"),
    ("lengths", "look_back: rope"),
    ("lengths", "fading: alibi"),
    ("places", "100 steps: after"),
    ("tables", "random, 100 steps"),
    ("wrong", "wrong: noise"),
]


@pytest.mark.parametrize(("name", "setting"), AGAIN)
def test_a_run_agrees_with_what_is_stored(name, setting):
    """It lies where a further seed would: within t·s·sqrt(1 + 1/n) of the mean, at 99.8 %.

    On another machine rounding differs, and with it the way of the training. Beside the
    seeds, the sentences of the test are drawn: three standard deviations of their share.
    """
    result = STORED[name]
    chosen = EXPERIMENTS[name].settings[setting]
    run = sweeping.measure(setting, chosen, 0)

    t, n = quantile(0.999, result.seeds - 1), result.seeds
    for test in chosen.tests:
        values = result.values(setting, test.name)
        share = float(np.clip(values.mean(), 0.01, 0.99))
        drawn = 3 * (share * (1 - share) / test.sentences) ** 0.5
        wide = t * values.std(ddof=1) * (1 + 1 / n) ** 0.5
        assert abs(run["accuracy"][test.name] - values.mean()) <= wide + drawn, test.name


def test_the_recipe_for_an_experiment_can_be_followed():
    page = ROOT / "docs/contributing/experiment.md"
    code = next(fence.source for fence in fences(read_page(page)) if "_bases" in fence.source)
    module = dict(vars(settings))
    exec(code, module)

    experiment = module["_bases"]()

    name, setting = next(iter(experiment.settings.items()))
    short = setting._replace(plan=setting.plan._replace(steps=50), tests=setting.tests[:1])
    assert 0 < sweeping.measure(name, short, 0)["accuracy"]["x1"] < 1
    assert [setting.encoding.base for setting in experiment.settings.values()] == [100.0, 10000.0]


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-W", "error", "-m", "posenc.experiments", *arguments]
    return subprocess.run(run, capture_output=True, text=True, check=False)


def test_the_command_refuses_to_replace_what_is_finished():
    done = command("order", "--out", str(FOLDER))

    assert done.returncode == 1
    assert done.stderr.strip() == "order: order.json is finished; to replace it, say --again"


def test_the_command_knows_the_experiments():
    done = command("ordre")

    assert done.returncode == 2
    assert all(name in done.stderr for name in EXPERIMENTS)


def test_results_can_be_read_without_jax():
    code = "import sys, posenc.experiments as e; e.load('order'); print('jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def test_what_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"name must be one of .*order.*, got 'ordre'"):
        experiments.load("ordre")
    assert all(f'"{name}"' in (experiments.load.__doc__ or "") for name in STORED)
    with pytest.raises(ValueError, match=r"setting must be one of none, .*, got 'nothing'"):
        STORED["order"].values("nothing")


def test_a_file_is_read_back_as_written(whole, tmp_path):
    path = tmp_path / "again.json"
    path.write_text(sweeping._written(vars(whole)), encoding="utf-8")

    assert read(path) == whole
