"""The convention switchboard: its rows against posenc and against what the libraries returned."""

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

import posenc
from tests.book.test_conventions import ADDED, ROTARY, SINUSOIDAL, literal, table
from tests.browser.explorers import called, copied_link, number, opened, settled, shown
from tests.goldens import INDEX, cases

SWITCHBOARD = "reference/conventions/#explore-switchboard"
MODULE = "parts/conventions"
# What the tables of the page call the settings.
LAYOUTS = {
    "interleaved": ("interleaved", "sines"),
    "half": ("half", "sines"),
    "half, cosines first": ("half", "cosines"),
}
EXPONENTS = {"2i/d": "paper", "i/(d/2-1)": "tensor2tensor"}


def lists(page: Page, address: str) -> dict[str, dict[str, dict[str, Any]]]:
    """The settings of each library, by the list that names it."""
    found: dict[str, list[dict[str, Any]]] = page.evaluate(
        "async (url) => { const { ADDED, ROTARY } = await import(url); return { ADDED, ROTARY }; }",
        f"{address}assets/scripts/explorers/{MODULE}.js",
    )
    return {
        name: {library: line["settings"] for line in lines for library in line["libraries"]}
        for name, lines in found.items()
    }


def expected_row(token: int, d: int, base: float, settings: dict[str, Any]) -> np.ndarray:
    row = posenc.sinusoidal_at(
        settings["start"] + token,
        d,
        base=base,
        layout=settings["layout"],
        exponent=settings["exponent"],
    )
    if settings["order"] == "cosines":
        half = settings["layout"] == "half"
        row = row.reshape(2, -1)[::-1].ravel() if half else row.reshape(-1, 2)[:, ::-1].ravel()
    return np.asarray(row * (d**-0.5 if settings["size"] == "root" else 1))


def expected_turn(x: Any, p: float, base: float, layout: str, halves: bool) -> np.ndarray:
    turned = posenc.apply_rotary(np.array([x], float), [p], base=base, layout=layout)
    target = "half" if halves else layout
    return np.asarray(posenc.convert_layout(turned[0], source=layout, target=target))


def test_rows_are_those_of_posenc(site_tab, address):
    calls: list[Any] = [
        (token, d, {"base": base, **settings})
        for token in (0, 1, 63)
        for d in (2, 8, 30)
        for base in (10, 10000)
        for layout in ("interleaved", "half")
        for order in ("sines", "cosines")
        for exponent in ("paper", "tensor2tensor")
        for start, size in ((0, "one"), (2, "one"), (1, "root"))
        for settings in [
            {"layout": layout, "order": order, "exponent": exponent, "start": start, "size": size}
        ]
    ]
    for given, row in zip(calls, called(site_tab, address, MODULE, "addedRow", calls), strict=True):
        token, d, settings = given
        # Angles up to 65, wrong by that times a few units of the last bit.
        assert abs(np.array(row) - expected_row(token, d, settings["base"], settings)).max() < 3e-13

    x = [0.3, -1.2, 2.5, 0.1, -0.7, 1.1, 0.4, -2.2, 1.9, 0.6]
    calls = [
        (x, p, {"base": base, "layout": layout, "halves": halves})
        for p in (0, 1, 64, 1000)
        for base in (10, 10000)
        for layout, halves in (("interleaved", False), ("interleaved", True), ("half", True))
    ]
    for given, row in zip(
        calls, called(site_tab, address, MODULE, "turnedRow", calls), strict=True
    ):
        _, p, turn = given
        assert abs(np.array(row) - expected_turn(x, p, **turn)).max() < 1e-11, given


def test_lists_are_the_tables_of_the_page(site_tab, address):
    found = lists(site_tab, address)
    told = {}
    for library, _, channels, exponent, start, _ in table("library", "added"):
        layout, order = LAYOUTS[channels]
        size = "root" if library == "x-transformers" else "one"  # **Size.** on the page
        told[library] = {
            "layout": layout,
            "order": order,
            "exponent": EXPONENTS[exponent],
            "start": int(start),
            "size": size,
        }
    assert found["ADDED"] == told

    told = {}
    for library, _, pairs, direction, *_ in table("library", "rotary"):
        assert direction == "+1"
        halves = pairs == "half" or library == "DeepSeek-V3"
        told[library] = {"layout": pairs, "halves": halves}
    assert found["ROTARY"] == told


def test_each_library_returned_the_row_of_its_settings(site_tab, address):
    found = lists(site_tab, address)
    deviations = {case["name"]: case["deviation"] for case in INDEX["sinusoidal"]}
    for library, settings in found["ADDED"].items():
        name = SINUSOIDAL[library]
        golden = ADDED[f"{name}.table"]
        d = golden.shape[-1]
        rows = golden[1] if library.startswith("fairseq") else golden.reshape(-1, d)
        steps = f"{name}.timesteps"
        tokens = ADDED[steps].tolist() if steps in ADDED else range(len(rows))
        calls = [(float(token), d, settings) for token in tokens]
        ours = np.array(called(site_tab, address, MODULE, "addedRow", calls))
        # As far as the library itself lies from its formula, and half a unit of float32.
        assert abs(ours - rows).max() <= deviations[name] + 2.0**-25, library

    golden_turns = {case.name: case for case in cases("rope_apply")}
    for library, settings in found["ROTARY"].items():
        name, given, returned, place, half = ROTARY[library]
        case = golden_turns[name]
        base = next(
            (case.arguments[k] for k in ("rope_theta", "theta") if k in case.arguments), 1e4
        )
        x = case[given][place][: 2 * half].tolist()
        p = literal("rotary")[library][0]
        [row] = called(site_tab, address, MODULE, "turnedRow", [(x, p, {**settings, "base": base})])
        theirs = case[returned][place][: 2 * half]
        # Angles in float32, up to 1414 here, have errors of up to 6e-5.
        assert abs(np.array(row) - theirs).max() < 4e-4, library


def agrees(block: Locator, expected: np.ndarray, paper: np.ndarray) -> None:
    """Both rows, and the marks where they differ."""
    values = shown(block)
    for name, row in (("these", expected), ("paper", paper)):
        seen = [number(values[f"{name}{c}"]) for c in range(8)]
        assert abs(np.array(seen) - row).max() <= 0.51e-4, (name, seen)
    differs = [values[f"these{c}"] != values[f"paper{c}"] for c in range(8)]
    cells = block.locator(".strip tbody tr").last.locator("td")
    assert [cell.inner_text().endswith("≠") for cell in cells.all()] == differs
    assert cells.evaluate_all("all => all.map(e => e.classList.contains('differs'))") == differs


def marked(block: Locator) -> str | None:
    """The libraries that have the mark, once drawn."""
    settled(block.page)
    found = block.locator("fieldset.libraries:visible label:has(:checked)")
    return " · ".join(found.locator(".names span").all_inner_texts()) if found.count() else None


def test_presets_and_switches_show_the_rows_of_posenc(page, brief):
    block = opened(page, brief + SWITCHBOARD)
    paper = posenc.sinusoidal_at(1, 8)

    def row(**changed: Any) -> np.ndarray:
        settings = {"layout": "half", "order": "sines", "exponent": "tensor2tensor", "size": "one"}
        return expected_row(1, 8, 10000, {**settings, "start": 0, **changed})

    assert marked(block) == "fairseq, M2M100"
    agrees(block, row(start=2), paper)
    libraries = block.get_by_role("group", name="Encodings that are added")
    presets: list[tuple[str, dict[str, Any]]] = [
        ("MusicGen", {"order": "cosines"}),
        ("diffusers, flipped", {"order": "cosines", "exponent": "paper"}),
        ("Annotated Transformer", {"layout": "interleaved", "exponent": "paper"}),
        ("Marian, RoFormer", {"exponent": "paper"}),
        ("x-transformers", {"exponent": "paper", "size": "root"}),
        ("tensor2tensor", {}),
    ]
    for library, changed in presets:
        libraries.get_by_role("radio", name=library).press(" ")
        agrees(block, row(**changed), paper)
        assert library in (marked(block) or "")

    block.get_by_role("radio", name="2, after padding").press(" ")
    assert marked(block) == "fairseq, M2M100"
    block.get_by_role("radio", name="2, after padding").press("ArrowLeft")
    agrees(block, row(start=1), paper)
    assert marked(block) is None
    assert block.locator(".explorer-message", has_text="As in no library").is_visible()
    block.get_by_label("Base b, as a number").fill("100")
    block.get_by_label("Token, from 0", exact=True).press("ArrowRight")
    settings = {"layout": "half", "order": "sines", "exponent": "tensor2tensor", "size": "one"}
    agrees(
        block,
        expected_row(2, 8, 100, {**settings, "start": 1}),
        posenc.sinusoidal_at(2, 8, base=100),
    )
    omegas = posenc.inv_freq(8, 100, exponent="tensor2tensor")
    seen = [number(shown(block)[f"omega{i}"]) for i in range(4)]
    assert np.allclose(seen, omegas, rtol=6e-4)


def test_rotary_presets_show_the_turn_of_posenc_and_its_pairs(page, brief):
    block = opened(page, brief + SWITCHBOARD)
    block.get_by_role("radio", name="rotary", exact=True).press(" ")
    block.get_by_label("Token, from 0, as a number").fill("3")
    x = np.arange(1, 9) / 10
    paper = expected_turn(x, 3, 10000, "interleaved", halves=False)
    libraries = block.get_by_role("group", name="Rotary embeddings")
    for library, layout, halves, first in (
        ("Llama (Hugging Face)", "half", True, "x₀c − x₄s"),
        ("GPT-J", "interleaved", False, "x₀c − x₁s"),
        ("DeepSeek-V3", "interleaved", True, "x₀c − x₁s"),
    ):
        libraries.get_by_role("radio", name=library).press(" ")
        agrees(block, expected_turn(x, 3, 10000, layout, halves), paper)
        assert library in (marked(block) or "")
        made = block.locator(".strip tbody tr").last.locator(".made").first
        assert made.inner_text() == first
        # An arc joins the two results of a pair, here the first.
        arc = block.locator(".arcs.these path.c0").get_attribute("d") or ""
        start, end = (float(x) for x in re.findall(r"[M ]([\d.]+) 0(?=A|$)", arc))
        heads = block.locator(".strip thead th")
        middles = heads.evaluate_all(
            "all => all.map(e => e.getBoundingClientRect()).map(r => r.left + r.width / 2)"
        )
        shift = middles[1] - start
        partner = 5 if halves else 2  # the heads begin with that of the names of rows
        assert middles[partner] == pytest.approx(end + shift, abs=1)


def test_reset_link_and_theme(page, brief):
    page.emulate_media(color_scheme="light")
    block = opened(page, brief + SWITCHBOARD)
    before = shown(block)
    block.get_by_role("radio", name="MusicGen").press(" ")
    changed = shown(block)
    assert changed != before
    link = copied_link(block)
    assert link.endswith("?switchboard.order=cosines&switchboard.start=0#explore-switchboard")
    block.get_by_role("button", name="Reset").click()
    assert shown(block) == before

    page.goto("about:blank")
    block = opened(page, link)
    assert shown(block) == changed
    assert marked(block) == "MusicGen"
    colour = "path => getComputedStyle(path).stroke"
    arc = block.locator(".arcs.these path.c0")
    light = arc.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("body[data-md-color-scheme=slate]")
    assert arc.evaluate(colour) != light
