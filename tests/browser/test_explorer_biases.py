"""The explorer of biases: its functions and what it shows, against posenc."""

import math
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

import posenc
from tests.browser.explorers import called, copied_link, number, opened, shown
from tests.goldens import cases

PAGE = "chapters/biases/"
ALIBI = f"{PAGE}#explore-biases"
T5 = "chapters/offsets/#explore-biases-2"
MODULE = "parts/biases"


def test_slopes_and_biases_are_those_of_posenc(site_tab, address):
    heads = list(range(1, 130))
    theirs = called(site_tab, address, MODULE, "alibiSlopes", [[n] for n in heads])
    for n, slopes in zip(heads, theirs, strict=True):
        # Both compute one power of 2, each within a unit of the last place.
        assert np.allclose(slopes, posenc.alibi_slopes(n), rtol=4.5e-16, atol=0)

    calls = [
        (n, q_len, k_len, {"form": form})
        for n in (1, 6, 8)
        for q_len, k_len in ((5, 5), (1, 9), (4, 7))
        for form in ("causal", "symmetric")
    ]
    found = called(site_tab, address, MODULE, "alibiBias", calls)
    for (n, q_len, k_len, form), bias in zip(calls, found, strict=True):
        expected = posenc.alibi_bias(n, q_len, k_len, **form)
        assert np.allclose(np.array(bias, float), expected, rtol=7e-16, atol=0)


def test_slopes_are_those_of_five_libraries(site_tab, address):
    golden = [case for case in cases("alibi") if case.name.startswith("slopes_")]
    assert len(golden) > 5
    heads = [[case.arguments["num_heads"]] for case in golden]
    for case, found in zip(
        golden, called(site_tab, address, MODULE, "alibiSlopes", heads), strict=True
    ):
        for name in case.outputs:  # float32, and a running product of up to 112 of them
            assert np.allclose(found, case[name].ravel(), rtol=2e-5, atol=0), (case.name, name)


def test_buckets_are_exactly_those_of_posenc(site_tab, address):
    offsets = [*range(-300, 301), -5000, 5000]
    settings: list[dict[str, Any]] = [
        {"bidirectional": both, "num_buckets": buckets, "max_distance": far}
        for both in (True, False)
        for buckets in (4, 6, 20, 32, 36, 64)
        for far in (33, 40, 100, 128, 392, 1024)
        if far > (buckets // 2 if both else buckets) // 2
    ]
    keys = ("bidirectional", "num_buckets", "max_distance")
    names = dict(zip(keys, ("bidirectional", "numBuckets", "maxDistance"), strict=True))
    calls = [[offsets, {names[key]: value for key, value in s.items()}] for s in settings]
    found = called(site_tab, address, MODULE, "relativePositionBucket", calls)
    for given, buckets in zip(settings, found, strict=True):
        assert buckets == posenc.relative_position_bucket(offsets, **given).tolist(), given


def agrees_alibi(block: Locator, heads: int, head: int, k: int, form: str) -> None:
    """The numbers shown are those of posenc, in as many digits as are shown."""
    values = shown(block)
    slope = posenc.alibi_slopes(heads)[head]
    bias = posenc.alibi_bias(heads, abs(k) + 1, 2 * abs(k) + 1, form=form)[head, 0, abs(k) + k]
    assert number(values["slope"]) == pytest.approx(slope, rel=6e-4)
    assert number(values["half"]) == pytest.approx(math.log(2) / slope, rel=6e-4)
    if bias == -math.inf:
        assert (values["bias"], values["weight"]) == ("-∞ (hidden)", "0")
        return
    assert number(values["bias"]) == pytest.approx(bias, abs=0.51e-4)
    # The weights of equal contents, each as a share of that of the query's own place.
    alike = np.zeros((abs(k) + 1, 1))
    row = posenc.alibi_bias(heads, 1, abs(k) + 1)[head]
    weights = posenc.attention_weights(alike[:1], alike, bias=row)[0]
    assert number(values["weight"]) == pytest.approx(weights[0] / weights[-1], rel=6e-4)


def test_alibi_shows_the_numbers_of_posenc_for_what_the_keys_set(page, brief):
    block = opened(page, brief + ALIBI)
    agrees_alibi(block, 8, 1, -6, "symmetric")
    plot = block.get_by_role("application")
    plot.press("ArrowLeft")
    agrees_alibi(block, 8, 1, -7, "symmetric")
    block.get_by_label("Heads H, as a number").fill("12")
    block.get_by_label("Head h", exact=True).press("End")
    agrees_alibi(block, 12, 11, -7, "symmetric")
    plot.press("End")
    agrees_alibi(block, 12, 11, 24, "symmetric")
    block.get_by_role("radio", name="symmetric").press("ArrowLeft")
    agrees_alibi(block, 12, 11, 24, "causal")
    plot.press("Home")
    agrees_alibi(block, 12, 11, -24, "causal")
    block.get_by_label("Heads H, as a number").fill("3")  # head 11 is not there any more
    agrees_alibi(block, 3, 2, -24, "causal")


def agrees_t5(block: Locator, k: int, **options: Any) -> None:
    """The bucket, and all that is said of the buckets, is that of posenc."""
    values = shown(block)
    offsets = np.arange(-3000, 3001)
    buckets = posenc.relative_position_bucket(offsets, **options)
    bucket = buckets[offsets == k].item()
    assert values["bucket"] == str(bucket)
    used = len(set(buckets.tolist()))
    assert values["used"] == f"{used} of {options['num_buckets']}"
    behind = buckets[offsets <= 0]
    assert number(values["last"]) == (behind[::-1] == behind.max()).argmax()
    if not options["bidirectional"] and k > 0:
        assert values["shared"] == "all later keys"
        return
    side = (offsets <= 0) if k <= 0 else (offsets > 0)
    together = abs(offsets[side & (buckets == bucket)])
    first, last = together.min(), together.max()
    text = f"{first} and more" if last == 3000 else f"{first} to {last}"
    assert values["shared"] == (str(first) if first == last else text)


def test_t5_shows_the_buckets_of_posenc_for_what_the_keys_set(page, brief):
    block = opened(page, brief + T5)
    options: dict[str, Any] = {"bidirectional": True, "num_buckets": 32, "max_distance": 128}
    agrees_t5(block, -20, **options)
    plot = block.get_by_role("application")
    plot.press("Shift+ArrowRight")
    plot.press("Shift+ArrowRight")
    agrees_t5(block, 0, **options)
    plot.press("ArrowRight")
    agrees_t5(block, 1, **options)
    plot.press("End")
    agrees_t5(block, 160, **options)
    block.get_by_role("checkbox", name="Both directions").press(" ")
    agrees_t5(block, 160, **options | {"bidirectional": False})
    plot.press("Home")
    agrees_t5(block, -160, **options | {"bidirectional": False})
    block.get_by_label("Buckets, as a number").fill("36")
    block.get_by_label("Largest distance n₁, as a number").fill("392")
    block.get_by_label("Offsets up to, as a number").fill("84")
    options = {"bidirectional": False, "num_buckets": 36, "max_distance": 392}
    agrees_t5(block, -84, **options)  # the distance at which logarithms in float32 go wrong
    block.get_by_label("Largest distance n₁", exact=True).press("Home")
    agrees_t5(block, -84, **options | {"max_distance": 19})


def test_the_staircase_is_drawn_as_posenc_has_it(page, brief):
    block = opened(page, brief + T5)
    d = block.locator(".bias path.curve").get_attribute("d")
    assert d is not None
    points = [tuple(map(float, point.split())) for point in d[1:].split("L")]
    assert len(points) == 2 * 321
    heights = np.array([y for _, y in points[::2]])
    buckets = posenc.relative_position_bucket(np.arange(-160, 161))
    # Heights are those of the buckets, up to two decimals of a pixel and a straight line.
    slope, middle = np.polyfit(buckets, heights, 1)
    assert slope < 0
    assert abs(slope * buckets + middle - heights).max() < 0.02


def test_reset_link_rule_and_theme(page, brief):
    page.emulate_media(color_scheme="light")
    block = opened(page, brief + ALIBI)
    before = shown(block)
    block.get_by_role("radio", name="T5").press(" ")
    assert not block.get_by_label("Heads H", exact=True).is_visible()
    assert block.get_by_label("Buckets", exact=True).is_visible()
    block.get_by_label("Buckets, as a number").fill("20")
    changed = shown(block)
    link = copied_link(block)
    assert link.endswith("?biases.rule=t5&biases.buckets=20#explore-biases")
    block.get_by_role("button", name="Reset").click()
    assert block.get_by_label("Heads H", exact=True).is_visible()
    assert shown(block) | {"bucket": "", "shared": "", "used": "", "last": ""} == before

    page.goto("about:blank")
    block = opened(page, link)
    assert shown(block)["bucket"] == changed["bucket"]
    colour = "path => getComputedStyle(path).stroke"
    curve = block.locator(".bias path.chosen")
    light = curve.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("body[data-md-color-scheme=slate]")
    assert curve.evaluate(colour) != light
