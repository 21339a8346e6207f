"""The page *Inspect a model*: published configs in, the numbers of the package out."""

import csv
import json
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import posenc
from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab
from tests.browser.visits import BEYOND_WINDOW
from tests.browser.waiting import set_scheme
from website.model_list import list_models

PAGE = "workbench/inspect/"
MODELS = list_models()
THREE = ("Llama 3.1 8B", "Gemma 3 12B", "DeepSeek V3")
BROKEN = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "rope_scaling": {"rope_type": "linear", "facter": 4.0},
}


def open_page(page: Page, address: str) -> Locator:
    """Open the page, wait for its editor, and return that."""
    page.goto(address + PAGE)
    editor = page.get_by_role("textbox", name="config.json")
    expect(page.locator(".cm-content")).to_be_visible()
    return editor


def read_table(page: Page, name: str) -> list[list[str]]:
    """Return the cells of a table as they are copied, with all digits."""
    region = page.get_by_role("region", name=name)
    region.locator("xpath=..").get_by_role("button", name="Copy table").click()
    expect(region.locator("xpath=..").get_by_role("button")).to_have_text("Copied")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return [line.split("\t") for line in text.split("\n")]


def test_numbers_are_those_of_the_package(page, address):
    open_page(page, address)
    for name in THREE:
        page.get_by_role("button", name=name).click()
        model = posenc.model_positions(MODELS[name])
        title = f"{model.model_type}: {len(model.layers)} layers, RoPE"
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        expect(page.locator(".workbench-strip > span")).to_have_count(len(model.layers))

        kinds = {layer.kind: layer for layer in model.layers}
        facts = {row[0]: row[1:] for row in read_table(page, "Kinds of layers")}
        assert [float(base) for base in facts["Base"]] == [one.base for one in kinds.values()]
        assert facts["Rule"] == [one.rope_type for one in kinds.values()]
        for kind, layer in kinds.items():
            words = kind.replace("_", " ")
            page.locator("summary", has_text=words).click()
            rows = read_table(page, f"Pairs of {words} layers")[1:]
            assert layer.parameters is not None
            assert [float(row[2]) for row in rows] == layer.parameters.inv_freq.tolist()
            pair = "0, 1" if model.layout == "interleaved" else f"0, {layer.rotary_dim // 2}"
            assert rows[0][1] == pair


def test_a_refused_config_marks_its_key_and_keeps_the_result(page, address):
    editor = open_page(page, address)
    editor.fill(json.dumps(MODELS["DeepSeek V3"]))
    editor.press("Control+Enter")
    title = page.get_by_role("heading", name="deepseek_v3: 61 layers")
    expect(title).to_be_visible()

    editor.fill(json.dumps(BROKEN))
    expect(page.get_by_text("Edited since")).to_be_visible()
    page.get_by_role("button", name="Inspect", exact=True).click()
    with pytest.raises(ValueError, match="facter") as refusal:
        posenc.model_positions(BROKEN)
    expect(page.locator(".run-status")).to_have_text(str(refusal.value))
    expect(page.locator(".workbench-culprit")).to_have_text(['"facter"'])
    expect(title).to_be_visible()

    editor.fill(json.dumps(BROKEN)[:-1])
    page.get_by_role("button", name="Inspect", exact=True).click()
    expect(page.locator(".run-status")).to_contain_text("This is not JSON")


def test_a_link_shows_the_same_result_and_no_other_is_believed(page, address):
    open_page(page, address)
    page.get_by_role("button", name="Gemma 3 12B").click()
    expect(page.locator("#cache")).to_be_visible()
    page.wait_for_url(re.compile("#config="))
    result = page.locator(".workbench-result").inner_text()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url

    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#cache")).to_be_visible()
    assert page.locator(".workbench-result").inner_text().split() == result.split()

    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(link[:-9])
    expect(page.locator(".cm-content")).to_be_visible()
    expect(page.locator(".cm-placeholder")).to_be_visible()
    assert page.locator("#cache").count() == 0


def test_files_are_offered_and_taken(page, address, tmp_path):
    open_page(page, address)
    (tmp_path / "config.json").write_text(json.dumps(MODELS["gpt-oss-20b"]), "utf-8")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file").click()
    chooser.value.set_files(tmp_path / "config.json")
    expect(page.get_by_role("heading", name="gpt_oss: 24 layers")).to_be_visible()

    for kind in ("npz", "csv"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download .{kind}").click()
        assert download.value.suggested_filename == f"positions.{kind}"
        download.value.save_as(tmp_path / f"positions.{kind}")

    (layer, *_) = posenc.model_positions(MODELS["gpt-oss-20b"]).layers
    assert layer.parameters is not None
    expected = layer.parameters.inv_freq.tolist()
    arrays = np.load(tmp_path / "positions.npz")
    assert arrays[f"{layer.kind}.inv_freq"].tolist() == expected
    table = (tmp_path / "positions.csv").read_text("utf-8").splitlines()
    rows = [row for row in csv.DictReader(table) if row["kind"] == layer.kind]
    assert [float(row["inv_freq"]) for row in rows] == expected


def test_firefox_shows_a_model_that_rotates_nothing(firefox, address):
    with open_tab(firefox) as page:
        editor = open_page(page, address)
        editor.fill(json.dumps({"model_type": "t5", "num_heads": 8}))
        editor.press("Control+Enter")
        expect(page.get_by_role("heading", name="t5: T5 buckets")).to_be_visible()
        expect(page.get_by_role("cell", name="91 and above")).to_be_visible()
        assert find_violations(page) == []

        page.reload()
        expect(page.get_by_role("heading", name="t5: T5 buckets")).to_be_visible()

        gpt2 = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12}
        editor.fill(json.dumps(gpt2))
        editor.press("Control+Enter")
        bytes_of_a_token = "In bfloat16 that is 36\u202f864 (36 KiB) for a token"
        expect(page.get_by_text(bytes_of_a_token)).to_be_visible()


def test_the_page_is_accessible_on_laptops_and_phones(page, address):
    open_page(page, address)
    page.get_by_role("button", name="Gemma 3 12B").click()
    expect(page.locator("#cache")).to_be_visible()
    page.locator("summary", has_text="full attention").click()
    problems = []
    for width, scheme in ((1280, "light"), (390, "dark"), (320, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        set_scheme(page, scheme)
        problems += page.evaluate(BEYOND_WINDOW) + find_violations(page)

    assert problems == []


def test_without_scripts_the_page_names_the_command(scriptless, address):
    scriptless.goto(address + PAGE)

    expect(scriptless.get_by_text("posenc model config.json")).to_be_visible()
