"""The conventions page quotes numbers of other libraries; they agree with tests/golden."""

import ast
import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from check.paths import DOCS
from tests.goldens import GOLDEN, INDEX, load_cases

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


def read_literal(name: str) -> Any:
    """Return the value that the page assigns to a name."""
    source = re.search(rf"^>>> {name} = (.*(?:\n\.\.\. .*)*)", PAGE, re.M)
    assert source, name
    return ast.literal_eval(source[1].replace("\n... ", "\n"))


def read_table(heading: str, anchor: str) -> list[list[str]]:
    """Return the cells of the first table below an anchor whose head begins with `heading`."""
    part = PAGE[PAGE.index(f"{{ #{anchor} }}") :]
    rows = part[part.index(f"| {heading} |") :].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def read_output(after: str) -> list[list[str]]:
    """Return the rows of a printed table in the session that contains some code."""
    part = PAGE[PAGE.index(after) :].partition("```")[0]
    lines = [line for line in part.splitlines() if not line.startswith((">>>", "..."))]
    return [line.split(" | ") for line in lines if " | " in line]


@pytest.mark.parametrize("library", SINUSOIDAL)
def test_added_codes_agree_with_the_golden_vectors(library: str) -> None:
    d, token, quoted = read_literal("added")[library]
    golden = ADDED[f"{SINUSOIDAL[library]}.table"]
    # fairseq looked up two sequences; the second has no padding.
    row = (golden[1] if library.startswith("fairseq") else golden.reshape(-1, d))[token]

    # The page shows six digits.
    assert_allclose(quoted, row[[0, 1, 2, d // 2, d - 1]], rtol=5e-6, atol=0)


@pytest.mark.parametrize("library", ROTARY)
def test_rotary_numbers_agree_with_the_golden_vectors(library: str) -> None:
    name, query, result, index, half = ROTARY[library]
    case = next(case for case in load_cases("rope_apply") if case.name == name)
    _, before, after = read_literal("rotary")[library]

    # The page shows six places.
    assert_allclose(before, case[query][index][[0, 1, half]], rtol=0, atol=5e-7)
    assert_allclose(after, case[result][index][[0, 1]], rtol=0, atol=5e-7)


def test_biases_agree_with_the_golden_vectors() -> None:
    golden = {case.name: case for case in load_cases("alibi")}
    names = ("bias", "bias_bloom", "bias", "bias")
    rows = read_literal("biases").values()

    for row, case, name in zip(rows, BIASES.values(), names, strict=True):
        assert row == golden[case][name][0, -1 if case.startswith("xt") else 0].tolist()


def test_buckets_agree_with_the_golden_vectors() -> None:
    both, causal, *_ = load_cases("relative")
    at = [both["relative_position"].tolist().index(k) for k in read_literal("offsets")]

    assert (both.name, causal.name) == ("t5_bi_32_128", "t5_causal_32_128")
    assert read_literal("both_ways") == both["bucket"][at].tolist()
    assert read_literal("causal") == causal["bucket"][at].tolist()


def test_grids_agree_with_the_golden_vectors() -> None:
    golden = {case.name: case for case in load_cases("grid")}
    beside = read_literal("beside")

    assert list(beside) == list(GRIDS)[:3]
    for library, quoted in beside.items():
        # The page shows four places.
        assert_allclose(quoted, golden[GRIDS[library]]["table"][1], rtol=0, atol=5.1e-5)


def test_cosines_agree_with_the_golden_vectors() -> None:
    case = next(case for case in load_cases("rope_apply") if case.name == "llama_half_f32_long")
    positions = case["position_ids"][0].tolist()

    for p, pair, quoted in read_literal("llama"):
        assert np.float32(quoted) == case["cos"][0, positions.index(p), pair]


def test_tables_agree_with_the_output_of_sessions() -> None:
    output = [
        [library, *rest[:3]] for library, *rest in read_output("for guess in itertools.product")
    ]
    cells = [[row[0], *row[2:5]] for row in read_table("library", "added")]
    assert output == cells

    output = [row[:3] for row in read_output("turned = complex")]
    cells = [[row[0], row[2], row[3]] for row in read_table("library", "rotary")]
    assert output == cells


@pytest.mark.parametrize(
    ("anchor", "libraries", "family"),
    [
        ("added", SINUSOIDAL, "sinusoidal"),
        ("rotary", {library: case[0] for library, case in ROTARY.items()}, "rope_apply"),
        ("biases", BIASES, "alibi"),
        ("grids", GRIDS, "grid"),
    ],
)
def test_versions_agree_with_the_golden_vectors(
    anchor: str, libraries: dict[str, str], family: str
) -> None:
    versions = {case["name"]: case["library"] for case in INDEX[family]}

    rows = read_table("library", anchor)
    assert [row[0] for row in rows] == list(libraries)
    for library, version, *_ in rows:
        numbers = re.findall(r"\d+\.\d+\.\d+|(?<=commit )\w{7}", version)
        assert any(number in versions[libraries[library]] for number in numbers), library


def test_page_states_the_number_of_cases() -> None:
    assert f"The frequencies of {len(load_cases('rope_params'))} configurations" in PAGE
    assert "all channels of all twenty cases" in PAGE
    assert len(load_cases("rope_apply")) == 20
