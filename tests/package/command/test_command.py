"""The command line: each command in process, each refusal, and the real process."""

import json
import re
import shlex
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import posenc
from check.page_source import read_page
from check.paths import ROOT
from posenc.command import app

TABLE = posenc.sinusoidal_positional_encoding(32, 16)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("table.npy", TABLE)
    np.save("later.npy", posenc.sinusoidal_positional_encoding(32, 16, start=1))
    np.save("line.npy", TABLE[0])
    np.savez("both.npz", a=TABLE, b=-TABLE)
    np.save("noise.npy", np.random.default_rng(0).normal(size=(32, 16)))
    (tmp_path / "table.json").write_text(json.dumps(TABLE.tolist()))
    (tmp_path / "broken.json").write_text("[1,")
    (tmp_path / "table.txt").write_text("1")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04")
    some = {"rope_type": "proportional", "partial_rotary_factor": 0.5, "head_dim": 8}
    (tmp_path / "some.json").write_text(json.dumps({**some, "rope_theta": 1e4}))
    config = {"rope_theta": 500000.0, "head_dim": 8, "rope_type": "default"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    glm = {"model_type": "glm4", "head_dim": 32, "partial_rotary_factor": 1.0, "rope_theta": 1e4}
    (tmp_path / "glm.json").write_text(json.dumps(glm))
    text = {"model_type": "qwen3_vl_text", "head_dim": 8, "num_hidden_layers": 2}
    text |= {"hidden_size": 64, "num_attention_heads": 8, "rope_theta": 5e6}
    text |= {"rope_scaling": {"rope_type": "default", "mrope_section": [2, 1, 1]}}
    whole = {"model_type": "qwen3_vl", "text_config": text, "vision_config": {"hidden_size": 8}}
    (tmp_path / "vision.json").write_text(json.dumps(whole))
    (tmp_path / "stranger.json").write_text(json.dumps(glm | {"model_type": "stranger"}))
    (tmp_path / "command_sample.py").write_text(
        "import posenc\n"
        "number = 1\n"
        "turn = posenc.apply_rotary\n"
        "def halves(x, positions):\n"
        "    return posenc.apply_rotary(x, positions, layout='half')\n"
        "def still(x, positions): return x\n"
        "def encode(seq_len): return posenc.sinusoidal_positional_encoding(seq_len, 64)\n"
        "def fails(seq_len): raise KeyError('gone')\n"
        "def bias(seq_len): return posenc.alibi_bias(8, seq_len)\n"
        "def keys_alone(seq_len): return [[0.1 * q for q in range(seq_len)]] * seq_len\n"
        "def scaled(seq_len):  # one head divides by its own position\n"
        "    heads = posenc.alibi_bias(4, seq_len, form='symmetric')\n"
        "    heads[2] /= 1 - heads[2, 0]\n"
        "    return heads\n"
        "def dead(n): return [[[0.0] * n] * n, posenc.alibi_bias(1, n)[0]]\n"
        "def flat(seq_len): return [0.0] * seq_len\n"
        "def tensors(x, positions): return x.float()\n"
    )
    yield tmp_path
    sys.modules.pop("command_sample", None)


def run(line: str) -> Any:
    return CliRunner().invoke(app, line.split())


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("table --seq-len 3 --d-model 4", 0, "0.8415"),
        ("rope --config config.json", 0, "attention factor 1"),
        ("rope --config some.json", 0, "inf"),
        ("identify table.npy", 0, "interleaved"),
        ("identify table.json", 0, "interleaved"),
        ("identify both.npz --key a", 0, "interleaved"),
        ("identify noise.npy", 1, ""),
        ("compare table.npy --with sinusoidal", 0, "Equal"),
        ("compare later.npy --with sinusoidal", 1, "first position 1 instead of"),
        ("identify command_sample:encode", 0, "interleaved"),
        ("compare command_sample:halves --with llama3", 1, "base 10000 instead of 500000"),
        ("check command_sample:encode --as table", 0, "unique: yes"),
        ("check command_sample:turn --as rotary", 0, "equal_offsets: yes"),
        ("check command_sample:still --as rotary", 1, "sees_position: no"),
        ("check command_sample:bias --as bias", 0, "sees_position: yes"),
        ("check command_sample:keys_alone --as bias", 0, "equal_offsets: yes"),
        ("check command_sample:scaled --as bias", 1, "in head 2\n  Queries and keys rotate"),
        ("check command_sample:dead --as bias", 1, "in head 0\n  Positions are not used"),
        ("golden --out new --family t5", 0, "6 files in new"),
        ("--version", 0, f"posenc {posenc.__version__}"),
        ("compare command_sample.py:halves --config glm.json", 1, "half layout instead of"),
        ("compare command_sample:turn --config glm.json --seq-len 64", 0, "Equal"),
        ("compare command_sample:turn --with glm.json --dtype bfloat16", 0, "bfloat16"),
        ("compare command_sample:halves --config glm.json --layout half", 0, "Equal"),
        ("compare command_sample:turn --with command_sample:halves", 1, "interleaved layout"),
        ("compare table.npy --with later.npy", 1, "first position 0 instead of 1"),
        ("identify command_sample:turn --head-dim 16 --seq-len 40", 0, "first 16 channels"),
        ("check command_sample:turn --as rotary --head-dim 16 --seq-len 40", 0, "yes"),
        ("rope --config vision.json", 0, "attention factor 1"),
        ("model vision.json", 0, "qwen3_vl_text: 2 layers, rotary positions, half layout"),
        ("model vision.json --json", 0, '"layout": "half"'),
    ],
)
def test_command_output_and_exit_status(line, status, said):
    result = run(line)

    assert result.exit_code == status, result.output
    assert said in result.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("identify gone.npy", "gone.npy"),
        ("identify line.npy", "one axis"),
        ("identify table.txt", "must end with"),
        ("identify broken.json", "cannot be read"),
        ("identify empty.csv", "cannot be read"),
        ("identify command_sample:turn --key a", "--key is for .npz"),
        ("identify broken.npz", "cannot be read"),
        ("compare table.npy --with llama3", "thing"),
        ("identify both.npz", "--key must be one of a, b"),
        ("identify table.npy --key a", "--key is for .npz"),
        ("compare table.npy --with nothing", "reference must be one of"),
        ("compare command_sample:turn --with llama-3", "did you mean 'llama3'?"),
        ("compare command_sample:turn --with qwen3", "is a model_type"),
        ("compare command_sample:turn --with meta-llama/Llama-3", "posenc downloads nothing"),
        ("compare command_sample:turn", "pass either --with or --config"),
        ("compare command_sample:tensors --with llama", "pass --arrays torch if it takes PyTorch"),
        ("compare command_sample.py --with llama", "as in command_sample.py:rotate"),
        ("compare gone.py:turn --with llama", "there is no file gone.py"),
        ("compare command_sample:turn --config stranger.json", "pass --layout interleaved or"),
        ("compare table.npy --with sinusoidal --layout half", "--layout half"),
        ("rope --config vision.json --part audio", "'vision_config'"),
        ("rope --config gone.json", "gone.json"),
        ("table --seq-len 3 --d-model 5", "d_model"),
        ("table --seq-len 3 --d-model 4 --dtype int8", "dtype"),
        ("table --seq-len 3 --d-model 4 --out table.txt", "--out must end with"),
        ("check command_sample --as table", "module:function"),
        ("check nowhere_at_all:encode --as table", "cannot be imported"),
        ("check command_sample:gone --as table", "cannot be imported"),
        ("check command_sample:number --as table", "is not a function"),
        ("check command_sample:fails --as table", "raised KeyError"),
        ("check command_sample:flat --as bias", "must have shape (H, 512, 512) or (512, 512)"),
        ("golden --out .", "folder must be empty"),
        ("golden --out table.npy", "table.npy"),
        ("golden --out new --family fourier", "family must be one of 'sinusoidal'"),
    ],
)
def test_bad_input_is_one_line(line, said):
    result = run(line)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("posenc: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


@pytest.mark.parametrize("suffix", ["npy", "csv"])
def test_a_table_that_was_written_is_read_again(suffix):
    assert run(f"table --seq-len 32 --d-model 16 --out mine.{suffix}").exit_code == 0

    assert run(f"compare mine.{suffix} --with sinusoidal").exit_code == 0


def test_json_holds_the_same_numbers():
    shown = json.loads(run("table --seq-len 32 --d-model 16 --json").stdout)
    np.testing.assert_array_equal(shown, TABLE)

    found = json.loads(run("rope --config config.json --json").stdout)
    assert found["inv_freq"] == posenc.inv_freq(8, base=500000.0).tolist()

    assert json.loads(run("identify noise.npy --json").stdout)["kind"] == "unknown"
    findings = json.loads(run("check command_sample:still --as rotary --json").stdout)
    assert [found["law"] for found in findings if found["cause"]] == ["sees_position"]
    findings = json.loads(run("check command_sample:scaled --as bias --json").stdout)
    assert [found["head"] for found in findings if not found["holds"]] == [2]


def test_golden_vectors_are_written_and_listed(folder):
    said = json.loads(run("golden --out new/inside --family alibi --json").stdout)

    files = {path.name: path.stat().st_size for path in (folder / "new/inside").iterdir()}
    assert said["out"] == "new/inside"
    assert set(said["files"]) == set(files)
    assert said["bytes"] == sum(files.values())
    index = json.loads((folder / "new/inside/golden.json").read_text("utf-8"))
    assert {array["family"] for array in index["arrays"]} == {"alibi"}


def test_the_real_process_answers():
    command = [sys.executable, "-m", "posenc", "compare", "later.npy", "--with", "sinusoidal"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("Different")


def test_missing_typer_names_the_extra_to_install():
    code = "import sys; sys.modules['typer'] = None; from posenc.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "posenc: the command needs typer and rich: pip install typer rich\n"


def test_the_page_shows_what_the_command_prints():
    page = read_page(ROOT / "docs/reference/judge.md")
    blocks = re.findall(r"^```console\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1

    for step in re.split(r"^\$ posenc ", blocks[0], flags=re.MULTILINE)[1:]:
        line, _, shown = step.partition("\n")
        assert CliRunner().invoke(app, shlex.split(line)).stdout == shown
