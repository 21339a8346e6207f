"""The explorer of scaling rules: its functions and what it shows, against posenc."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

import posenc
from tests.browser.explorers import called, copied_link, number, opened, shown
from tests.goldens import cases

SCALING = "chapters/scaling/#explore-scaling"
MODULE = "parts/stretch"
RULES = ("none", "linear", "ntk", "dynamic", "yarn", "llama3", "proportional")


def config(rule: str, d: int, base: float, original: int, factor: float) -> dict[str, Any]:
    """A configuration as posenc reads it."""
    size: dict[str, Any] = {"head_dim": d, "rope_theta": base}
    trained: dict[str, Any] = {"factor": factor, "original_max_position_embeddings": original}
    return {
        "none": size,
        "linear": {**size, "rope_type": "linear", "factor": factor},
        "ntk": {"head_dim": d, "rope_theta": posenc.ntk_base(base, factor, d)},
        "dynamic": {
            **size,
            "rope_type": "dynamic",
            "factor": factor,
            "max_position_embeddings": original,
        },
        "yarn": {**size, "rope_type": "yarn", **trained},
        "llama3": {
            **size,
            "rope_type": "llama3",
            **trained,
            "low_freq_factor": 1,
            "high_freq_factor": 4,
        },
        "proportional": {**size, "rope_type": "proportional", "partial_rotary_factor": 0.25},
    }[rule]


def test_rules_are_those_of_posenc(site_tab, address):
    calls = [
        (config(rule, d, base, original, factor), length)
        for rule in RULES
        for d in (8, 14, 256)
        for base in (100, 10000, 1e7)
        for original in (128, 4096, 131072)
        for factor in (1, 3.5, 64)
        for length in (0, original, 3 * original + 1, 64 * original)
        if rule == "dynamic" or length == 0
    ]
    assert len(calls) > 500
    for given, found in zip(
        calls, called(site_tab, address, MODULE, "ropeParameters", calls), strict=True
    ):
        expected = posenc.rope_parameters(*given)
        # A power with a rounded exponent, up to 19 times a rounding of its base.
        assert np.allclose(found["invFreq"], expected.inv_freq, rtol=3e-14, atol=0), given
        assert found["attentionFactor"] == pytest.approx(expected.attention_factor, rel=4e-16)


def test_rules_are_those_of_other_libraries(site_tab, address):
    golden = {case.name: case for case in cases("rope_params")}
    for name, given in {
        "llama2_7b": config("none", 128, 10000, 4096, 1),
        "vicuna_7b_16k_linear4": config("linear", 128, 10000, 4096, 4),
        "authors_ntk_alpha4": config("ntk", 128, 10000, 4096, 4),
        "llama2_7b_dynamic4": config("dynamic", 128, 10000, 4096, 4),
        "authors_yarn_scale16": config("yarn", 128, 10000, 4096, 16),
        "qwen25_7b_yarn4": config("yarn", 128, 1e6, 32768, 4),
        "llama31_8b": config("llama3", 128, 5e5, 8192, 8),
        "gemma4_default_full_proportional": config("proportional", 512, 1e6, 131072, 1),
    }.items():
        case = golden[name]
        lengths = [key.partition("inv_freq_seq")[2] for key in case.outputs]
        for length in [0, *(int(text) for text in lengths if text)]:
            array = case[f"inv_freq_seq{length}" if length else "inv_freq"]
            [found] = called(site_tab, address, MODULE, "ropeParameters", [[given, length]])
            # They compute in float32: some roundings of 6e-8 each.
            assert np.allclose(found["invFreq"], array, rtol=1e-6, atol=0), (name, length)


def agrees(
    block: Locator,
    rule: str,
    i: int,
    d: int,
    base: float,
    original: int,
    factor: float,
    length: int,
) -> None:
    """All numbers shown are those of posenc, in as many digits as are shown."""
    values = shown(block)
    old = posenc.inv_freq(d, base)
    within = posenc.turns(original, d, base=base)
    for name in RULES:
        new, attention = posenc.rope_parameters(config(name, d, base, original, factor), length)
        ratio, reached = new / old, length * new / (2 * np.pi)
        strange = (within < 1) & (reached > within * (1 + 1e-9))
        assert number(values[f"{name}-ratio"]) == pytest.approx(ratio[i], abs=5.1e-4)
        assert values[f"{name}-kept"] == str((abs(ratio - 1) < 1e-9).sum())
        assert values[f"{name}-strange"] == str(strange.sum()), name
        assert number(values[f"{name}-attention"]) == pytest.approx(attention, abs=5.1e-4)
        if name != rule:
            continue
        assert number(values["old"].split()[0]) == pytest.approx(2 * np.pi / old[i], rel=6e-4)
        assert number(values["within"]) == pytest.approx(within[i], rel=6e-4)
        assert number(values["reached"]) == pytest.approx(reached[i], rel=6e-4)
        if new[i]:
            assert number(values["new"].split()[0]) == pytest.approx(2 * np.pi / new[i], rel=6e-4)
        else:
            assert values["new"] == "does not turn"
        short = f"{(within < 1).sum()} of {d // 2} pairs never completed a turn"
        assert block.locator(".explorer-message").get_by_text(short).is_visible()


def test_the_table_shows_the_numbers_of_posenc_for_what_the_keys_set(page, brief):
    block = opened(page, brief + SCALING)
    agrees(block, "yarn", 30, 128, 1e4, 4096, 8, 32768)
    plot = block.get_by_role("application")
    plot.press("Shift+ArrowRight")
    block.get_by_role("radio", name="YaRN").press("ArrowDown")
    agrees(block, "llama3", 40, 128, 1e4, 4096, 8, 32768)
    plot.press("End")
    block.get_by_role("radio", name="Llama 3").press("ArrowDown")
    agrees(block, "proportional", 63, 128, 1e4, 4096, 8, 32768)
    block.get_by_label("Turned channels d, as a number").fill("96")  # the cursor comes along
    block.get_by_role("radio", name="dynamic NTK").press(" ")
    agrees(block, "dynamic", 47, 96, 1e4, 4096, 8, 32768)
    block.get_by_label("Base b, as a number").fill("500000")
    block.get_by_label("Trained on L₀, as a number").fill("8192")
    block.get_by_label("Factor s, as a number").fill("2.5")
    block.get_by_label("Text now L / L₀, as a number").fill("3.3")
    agrees(block, "dynamic", 47, 96, 5e5, 8192, 2.5, round(8192 * 3.3))
    block.get_by_label("Text now L / L₀", exact=True).press("Home")
    plot.press("Home")
    block.get_by_role("radio", name="NTK-aware").press(" ")
    agrees(block, "ntk", 0, 96, 5e5, 8192, 2.5, 2048)


def test_the_chosen_curve_is_drawn_as_posenc_has_it(page, brief):
    block = opened(page, brief + SCALING)
    dots = block.locator("circle.pair")
    places = dots.evaluate_all(
        "all => all.map(dot => [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy'))])"
    )
    x, y = np.array(places).T
    new = posenc.rope_parameters(config("yarn", 128, 1e4, 4096, 8))[0]
    for seen, exact in (
        (x, np.log10(posenc.turns(4096, 128))),
        (y, new / posenc.inv_freq(128)),
    ):
        slope, middle = np.polyfit(exact, seen, 1)
        assert slope < 0  # fast pairs at the left, large ratios at the top
        assert abs(slope * exact + middle - seen).max() < 1e-9
    hollow = [dot for dot in dots.all() if "hollow" in (dot.get_attribute("class") or "")]
    assert len(hollow) == (posenc.turns(4096, 128) < 1).sum()


def test_reset_link_and_theme(page, brief):
    page.emulate_media(color_scheme="light")
    block = opened(page, brief + SCALING)
    before = shown(block)
    block.get_by_role("radio", name="interpolation").press(" ")
    block.get_by_label("Factor s, as a number").fill("3.5")
    changed = shown(block)
    assert changed != before
    link = copied_link(block)
    assert link.endswith("?scaling.rule=linear&scaling.factor=3.5#explore-scaling")
    block.get_by_role("button", name="Reset").click()
    assert shown(block) == before
    assert block.get_by_role("radio", name="YaRN").is_checked()

    page.goto("about:blank")
    block = opened(page, link)
    assert shown(block) == changed
    assert block.get_by_role("radio", name="interpolation").is_checked()
    colour = "path => getComputedStyle(path).stroke"
    curve = block.locator("path.chosen")
    light = curve.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("body[data-md-color-scheme=slate]")
    assert curve.evaluate(colour) != light
