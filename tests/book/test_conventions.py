"""The page on conventions quotes numbers of other libraries: they are those in tests/golden."""

import ast
import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from check.paths import DOCS
from tests.goldens import GOLDEN, INDEX, cases

PAGE = (DOCS / "reference/conventions.md").read_text("utf-8")
ADDED = np.load(GOLDEN / "sinusoidal.npz")

# library on the page -> case
SINUSOIDAL = {
    "Annotated Transformer": "annotated_50x64",
    "DistilBERT, XLM": "distilbert_xlm_33x48",
    "VideoMAE": "videomae_16x24",
    "SpeechT5, scaled": "speecht5_scaled_22x36",
    "positional-encodings": "pe1d_12_16",
    "keras-hub": "kerashub_sine_9x16",
    "Marian, RoFormer": "marian_40x64",
    "CTRL": "ctrl_15x20",
    "x-transformers": "xt_scaled_sinusoidal_13x24",
    "tensor2tensor": "t2t1d_a",
    "fairseq, M2M100": "m2m100_lookup",
    "Whisper": "whisper_30x32",
    "MusicGen": "musicgen_cosfirst_18x20",
    "diffusers": "timestep_ddpm",
    "diffusers, flipped": "timestep_sd_unet",
}
# library on the page -> case, query array, its result, where in it, first of the second half
ROTARY: dict[str, tuple[str, str, str, tuple[int, ...], int]] = {
    "Llama": ("llama_half_f32", "q", "q_out", (0, 0, 2), 32),
    "GPT-NeoX": ("neox_partial_025", "q", "q_out", (0, 0, 3), 12),
    "keras-hub": ("kerashub_half", "t", "out", (0, 2, 0), 16),
    "GPT-J": ("gptj_interleaved", "q", "q_out", (0, 2, 0), 16),
    "Cohere": ("cohere_interleaved", "q", "q_out", (0, 0, 0), 16),
    "Llama, by Meta": ("meta_complex_f32", "q", "q_out", (0, 2, 0), 32),
    "rotary-embedding-torch": ("ret_basic", "t", "out", (0, 0, 2), 16),
    "x-transformers": ("xt_partial_interp", "t", "out", (0, 0, 2), 16),
    "DeepSeek-V3": ("deepseek_v3_interleave", "q", "q_out", (0, 0, 3), 32),
}
BIASES = {
    "paper's code": "paper_buffer_8x6",
    "BLOOM": "bloom_bias_leftpad",
    "MPT": "mpt_bias_12x9",
    "x-transformers": "xt_alibi_4x5x8",
}
GRIDS = {
    "MAE": "mae_2d_4_16",
    "ViTMAE": "hf_2d_3x5_16",
    "timm": "timm_sincos2d_3x4_16",
    "positional-encodings": "pe2d_4x5_24",
    "tensor2tensor": "t2tnd_2d",
    "Qwen2-VL": "qwen2vl_mrope",
    "Qwen3-VL": "qwen3vl_mrope_interleaved",
}


def literal(name: str) -> Any:
    """The value that the page gives to a name."""
    source = re.search(rf"^>>> {name} = (.*(?:\n\.\.\. .*)*)", PAGE, re.M)
    assert source, name
    return ast.literal_eval(source[1].replace("\n... ", "\n"))


def table(heading: str, under: str) -> list[list[str]]:
    """Cells of the first table below an anchor whose header begins with `heading`."""
    part = PAGE[PAGE.index(f"{{ #{under} }}") :]
    rows = part[part.index(f"| {heading} |") :].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def printed(after: str) -> list[list[str]]:
    """Rows that a session prints with bars between."""
    part = PAGE[PAGE.index(after) :].partition("```")[0]
    lines = [line for line in part.splitlines() if not line.startswith((">>>", "..."))]
    return [line.split(" | ") for line in lines if " | " in line]


@pytest.mark.parametrize("library", SINUSOIDAL)
def test_added_codes_are_the_golden_ones(library: str) -> None:
    d, token, quoted = literal("added")[library]
    golden = ADDED[f"{SINUSOIDAL[library]}.table"]
    # Of the looked-up codes, the second sequence has no padding.
    row = (golden[1] if library.startswith("fairseq") else golden.reshape(-1, d))[token]

    # The page shows six digits.
    assert_allclose(quoted, row[[0, 1, 2, d // 2, d - 1]], rtol=5e-6, atol=0)


@pytest.mark.parametrize("library", ROTARY)
def test_rotary_numbers_are_the_golden_ones(library: str) -> None:
    name, given, returned, place, half = ROTARY[library]
    case = next(case for case in cases("rope_apply") if case.name == name)
    _, before, after = literal("rotary")[library]

    # The page shows six places.
    assert_allclose(before, case[given][place][[0, 1, half]], rtol=0, atol=5e-7)
    assert_allclose(after, case[returned][place][[0, 1]], rtol=0, atol=5e-7)


def test_biases_are_the_golden_ones() -> None:
    golden = {case.name: case for case in cases("alibi")}
    names = ("bias", "bias_bloom", "bias", "bias")
    rows = literal("biases").values()

    for row, case, name in zip(rows, BIASES.values(), names, strict=True):
        assert row == golden[case][name][0, -1 if case.startswith("xt") else 0].tolist()


def test_buckets_are_the_golden_ones() -> None:
    both, causal, *_ = cases("relative")
    at = [both["relative_position"].tolist().index(k) for k in literal("offsets")]

    assert (both.name, causal.name) == ("t5_bi_32_128", "t5_causal_32_128")
    assert literal("both_ways") == both["bucket"][at].tolist()
    assert literal("causal") == causal["bucket"][at].tolist()


def test_grids_are_the_golden_ones() -> None:
    golden = {case.name: case for case in cases("grid")}
    beside = literal("beside")

    assert list(beside) == list(GRIDS)[:3]
    for library, quoted in beside.items():
        # The page shows four places.
        assert_allclose(quoted, golden[GRIDS[library]]["table"][1], rtol=0, atol=5.1e-5)


def test_cosines_are_the_golden_ones() -> None:
    case = next(case for case in cases("rope_apply") if case.name == "llama_half_f32_long")
    positions = case["position_ids"][0].tolist()

    for p, pair, quoted in literal("llama"):
        assert np.float32(quoted) == case["cos"][0, positions.index(p), pair]


def test_tables_say_what_the_sessions_found() -> None:
    found = [[library, *rest[:3]] for library, *rest in printed("for guess in itertools.product")]
    told = [[row[0], *row[2:5]] for row in table("library", "added")]
    assert found == told

    found = [row[:3] for row in printed("turned = complex")]
    told = [[row[0], row[2], row[3]] for row in table("library", "rotary")]
    assert found == told


@pytest.mark.parametrize(
    ("under", "listed", "family"),
    [
        ("added", SINUSOIDAL, "sinusoidal"),
        ("rotary", {library: case[0] for library, case in ROTARY.items()}, "rope_apply"),
        ("biases", BIASES, "alibi"),
        ("grids", GRIDS, "grid"),
    ],
)
def test_versions_are_those_of_the_goldens(under: str, listed: dict[str, str], family: str) -> None:
    libraries = {case["name"]: case["library"] for case in INDEX[family]}

    rows = table("library", under)
    assert [row[0] for row in rows] == list(listed)
    for library, version, *_ in rows:
        numbers = re.findall(r"\d+\.\d+\.\d+|(?<=commit )\w{7}", version)
        assert any(number in libraries[listed[library]] for number in numbers), library


def test_the_page_counts_the_cases() -> None:
    assert f"The frequencies of {len(cases('rope_params'))} configurations" in PAGE
    assert "all channels of all twenty cases" in PAGE
    assert len(cases("rope_apply")) == 20
