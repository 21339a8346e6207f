"""The numbers and pictures of each explorer agree with posenc while a reader moves its controls."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps

import posenc
from tests.browser import readouts
from tests.browser.explorers import (
    Gesture,
    Readout,
    choose,
    click,
    copy_link,
    find_differences,
    open_explorer,
    press,
    read_values,
    type_number,
)
from tests.browser.waiting import set_scheme, wait_for_frames


@dataclass(frozen=True)
class Explorer:
    """An explorer on a page, and what a reader does with it."""

    address: str
    readout: Callable[..., Readout]
    start: dict[str, Any]  # the arguments of `readout` for what the page shows first
    steps: list[tuple[Gesture, dict[str, Any]]]  # a gesture, and the arguments that it changes


EXPLORERS = {
    "shuffle": Explorer(
        "chapters/order/#explore-shuffle",
        readouts.shuffle_readout,
        {"order": [0, 1, 2, 3, 4], "sees": "tokens"},
        [
            (click(".words button", place=0), {}),
            (click(".words button", place=2), {"order": [2, 1, 0, 3, 4]}),
            (choose("+ causal mask"), {"sees": "mask"}),
            (choose("+ positions"), {"sees": "positions"}),
            (click(".words button", place=4), {}),
            (click(".words button", place=1), {"order": [2, 4, 0, 3, 1]}),
            (choose("tokens"), {"sees": "tokens"}),
        ],
    ),
    "table": Explorer(
        "chapters/sinusoidal/#explore-table",
        readouts.table_readout,
        {"p": 20, "c": 8, "d": 32, "base": 100, "layout": "interleaved"},
        [
            (press("plot", "ArrowDown", "ArrowRight", "Shift+ArrowDown"), {"p": 31, "c": 9}),
            (press("Channels d", "ArrowRight"), {"d": 34}),
            (press("Base b", "End"), {"base": 1e6}),
            (type_number("Base b", 5000), {"base": 5000}),
            (press("interleaved", "ArrowRight"), {"layout": "half"}),
            (press("Channels d", "Home"), {"d": 2, "c": 1}),  # the cursor stays in the table
            (type_number("Length L", 9), {"p": 8}),
        ],
    ),
    "clock": Explorer(
        "chapters/counting/#explore-clock",
        readouts.clock_readout,
        {"p": 20},
        [
            (press("plot", "ArrowRight"), {"p": 21}),
            (click(".rim", place=1, right=0.6, down=0.8), {"p": 25}),
            (press("Position p", "End"), {"p": 200}),
            (press("Channels d", "End"), {"d": 16}),
            (press("Base b", "Home"), {"base": 10}),
            (press("Channels d", "Home"), {"d": 2}),
        ],
    ),
    "clock, slowed": Explorer(
        "chapters/scaling/#explore-clock",
        readouts.clock_readout,
        {"p": 40, "base": 100, "slowed": 2},
        [
            (press("Slowed by s", "End"), {"slowed": 8}),
            (press("Slowed by s", "ArrowLeft"), {"slowed": 7.5}),
        ],
    ),
    "clock of a grid": Explorer(
        "chapters/grids/#explore-clock",
        readouts.grid_clock_readout,
        {"row": 2, "column": 3},
        [
            (press("plot", "ArrowRight"), {"column": 4}),
            (click(".rim", place=2, down=0.9), {"column": 3}),
            (click(".rim", place=2, down=-0.9), {"column": 0}),
            (press("plot", "ArrowRight"), {"column": 1}),
            (press("plot", "ArrowDown"), {"row": 3}),
            (press("Columns W", "Home"), {"row": 9, "column": 1}),
            (press("Position p", "End"), {"row": 100, "column": 0}),
        ],
    ),
    "shift": Explorer(
        "chapters/relative/#explore-shift",
        readouts.shift_readout,
        {"p": 3, "k": 2, "pair": 1},
        [
            (press("plot", "ArrowRight", "ArrowDown"), {"p": 4, "k": 1}),
            (press("Offset k", "Home"), {"k": -20}),
            (press("Pair i", "End"), {"pair": 7}),
            (press("Position p", "End"), {"p": 100}),
        ],
    ),
    "similarity": Explorer(
        "chapters/relative/#explore-similarity",
        readouts.similarity_readout,
        {"p": 100, "q": 106, "d": 64, "base": 10000},
        [
            (click(".by-position .other"), {"p": 106, "q": 112}),
            (click(".by-offset .mirrored"), {"q": 100}),
            (press("plot", "ArrowRight", "Shift+ArrowLeft"), {"q": 91}),
            (press("Anchor p", "ArrowRight"), {"p": 107, "q": 92}),
            (type_number("Base b", 345.5), {"base": 345.5}),
            (type_number("Channels d", 4), {"d": 4}),
            (press("plot", "End"), {"q": 171}),
            (press("Anchor p", "End"), {"p": 200, "q": 200}),  # no position is above 200
            (type_number("Anchor p", 30), {"p": 30, "q": 94}),
        ],
    ),
    "trained": Explorer(
        "chapters/learned/#explore-trained",
        readouts.trained_readout,
        {"p": 150, "plane": 1, "head": 2, "k": -1},
        [
            (press("Row p", "ArrowRight"), {"p": 151}),
            (press("Plane i", "Home"), {"plane": 0}),
            (press("plot", "ArrowLeft"), {"k": -2}),
            (type_number("Head h", 5), {"head": 5}),
            (press("Offset k", "End"), {"k": 20}),
            (press("Row p", "End"), {"p": 236}),
            (press("Plane i", "End"), {"plane": 4}),
        ],
    ),
    "pairs": Explorer(
        "chapters/rotary/#explore-pairs",
        readouts.pairs_readout,
        {"p": 0, "k": 3, "base": 100},
        [
            (press("Position of the query p", "ArrowRight"), {"p": 1}),
            (type_number("Position of the query p", 57), {"p": 57}),
            (press("Offset of the key k", "End"), {"k": 40}),
            (type_number("Base b", 10000), {"base": 10000}),
        ],
    ),
    "rotary": Explorer(
        "chapters/rotary/#explore-rotary",
        readouts.rotary_readout,
        {"p": 2, "q": 5, "query": "interleaved", "key": "interleaved", "base": 100, "pair": 1},
        [
            (press("Key position q", "ArrowRight"), {"q": 6}),
            (press("Query position p", "End"), {"p": 40}),
            (press("plot", "Shift+ArrowRight"), {"q": 16}),
            (choose("half", group="Layout of the key"), {"key": "half"}),
            (choose("half", group="Layout of the query"), {"query": "half"}),
            (press("1", "ArrowRight"), {"pair": 2}),
            (type_number("Base b", 2500), {"base": 2500}),
            (choose("Move both together"), {}),
            (press("Key position q", "ArrowLeft"), {"p": 39, "q": 15}),
            (press("Key position q", "Home"), {"p": 24, "q": 0}),  # the offset stays
            (choose("interleaved", group="Layout of the key"), {"key": "interleaved"}),
        ],
    ),
    "scaling": Explorer(
        "chapters/scaling/#explore-scaling",
        readouts.scaling_readout,
        {
            "rule": "yarn",
            "i": 30,
            "d": 128,
            "base": 1e4,
            "original": 4096,
            "factor": 8,
            "length": 32768,
        },
        [
            (press("plot", "Shift+ArrowRight"), {"i": 40}),
            (choose("Llama 3"), {"rule": "llama3"}),
            (press("plot", "End"), {"i": 63}),
            (press("Llama 3", "ArrowDown"), {"rule": "proportional"}),
            (type_number("Turned channels d", 96), {"d": 96, "i": 47}),  # the cursor stays inside
            (choose("Dynamic NTK"), {"rule": "dynamic"}),
            (type_number("Base b", 5e5), {"base": 5e5}),
            (type_number("Trained on L₀", 8192), {"original": 8192, "length": 65536}),
            (type_number("Factor s", 2.5), {"factor": 2.5}),
            (type_number("Text now L / L₀", 3.3), {"length": 27034}),
            (press("plot", "Home"), {"i": 0}),
            (choose("NTK-aware"), {"rule": "ntk"}),
        ],
    ),
    "biases, ALiBi": Explorer(
        "chapters/biases/#explore-biases",
        readouts.alibi_readout,
        {"heads": 8, "head": 1, "k": -6, "form": "symmetric"},
        [
            (press("plot", "ArrowLeft"), {"k": -7}),
            (type_number("Heads H", 12), {"heads": 12}),
            (press("Head h", "End"), {"head": 11}),
            (press("plot", "End"), {"k": 24}),
            (press("symmetric", "ArrowLeft"), {"form": "causal"}),
            (press("plot", "Home"), {"k": -24}),
            (type_number("Heads H", 3), {"heads": 3, "head": 2}),
        ],
    ),
    "biases, T5": Explorer(
        "chapters/offsets/#explore-biases-2",
        readouts.t5_readout,
        {"k": -20, "bidirectional": True, "num_buckets": 32, "max_distance": 128},
        [
            (press("plot", "Shift+ArrowRight", "Shift+ArrowRight", "ArrowRight"), {"k": 1}),
            (press("plot", "End"), {"k": 160}),
            (choose("Both directions, as in an encoder"), {"bidirectional": False}),
            (press("plot", "Home"), {"k": -160}),
            (type_number("Buckets", 36), {"num_buckets": 36}),
            (press("Largest distance n₁", "Home"), {"max_distance": 19}),
        ],
    ),
    "switchboard, added": Explorer(
        "reference/conventions/#explore-switchboard",
        readouts.added_readout,
        {"token": 1, "base": 10000, "exponent": "tensor2tensor", "layout": "half", "start": 2},
        [
            (choose("1", group="First token at"), {"start": 1}),
            (choose("2i/d"), {"exponent": "paper"}),
            (choose("cosine first"), {"order": "cosines"}),
            (choose("interleaved"), {"layout": "interleaved"}),
            (choose("1/√d"), {"size": "root"}),
            (type_number("Base b", 100), {"base": 100}),
            (press("Token, from 0", "ArrowRight"), {"token": 2}),
        ],
    ),
    "switchboard, rotary": Explorer(
        "reference/conventions/?switchboard.code=rotary#explore-switchboard",
        readouts.rotary_rows_readout,
        {"p": 1, "base": 10000, "layout": "half", "halves": True},
        [
            (type_number("Token, from 0", 3), {"p": 3}),
            (choose("interleaved"), {"layout": "interleaved", "halves": False}),
            (choose("Results half by half"), {"halves": True}),
            (type_number("Base b", 100), {"base": 100}),
        ],
    ),
}


@pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS)
def test_numbers_shown_agree_with_posenc(page, address, explorer):
    """After each gesture; and a copied link restores them, after Reset has undone them."""
    block = open_explorer(page, address + explorer.address)
    settings = explorer.start
    first = read_values(block)
    assert find_differences(first, explorer.readout(**settings)) == []
    for place, (gesture, changes) in enumerate(explorer.steps, start=1):
        gesture(block)
        settings = settings | changes
        shown = read_values(block)
        assert find_differences(shown, explorer.readout(**settings)) == [], f"after step {place}"
    link = copy_link(block)
    block.get_by_role("button", name="Reset").click()
    if "?" not in explorer.address:
        assert read_values(block) == first
    page.goto("about:blank")
    assert read_values(open_explorer(page, link)) == shown


def test_every_explorer_is_in_the_table(site):
    found = {
        f"{page.parent.relative_to(site)}/#{name}"
        for page in site.rglob("index.html")
        for name in re.findall(r'<div [^>]*id="(explore-[\w-]+)"', page.read_text("utf-8"))
    }
    listed = {explorer.address for explorer in EXPLORERS.values()}

    assert found - listed == {"./#explore-table", "chapters/sinusoidal/#explore-clock"}


# Where a picture has a curve or dots, and the numbers of posenc that their heights must show.
PICTURES = {
    "similarities": (
        "chapters/relative/?similarity.p=20#explore-similarity",
        ".by-position .curve >> nth=0",
        [readouts.similarity(20, q) for q in range(201)],
    ),
    "rotary scores": (
        "chapters/rotary/?rotary.keyLayout=half#explore-rotary",
        ".curve",
        [
            readouts.rotary_score(2, 2 + k, "interleaved", "half", 100)
            for k in np.arange(-40, 40.25, 0.25)
        ],
    ),
    "buckets of T5": (
        "chapters/offsets/#explore-biases-2",
        ".bias path.curve",
        np.repeat(posenc.relative_position_bucket(np.arange(-160, 161)), 2),
    ),
    "scaled frequencies": (
        "chapters/scaling/#explore-scaling",
        "circle.pair",
        posenc.rope_parameters(readouts.rope_config("yarn", 128, 1e4, 4096, 8)).inv_freq
        / posenc.inv_freq(128),
    ),
    "hands of the clock": (
        "chapters/counting/#explore-clock",
        ".tip",
        posenc.sinusoidal_at(20, 8)[1::2],
    ),
}
HEIGHTS = """all => all.flatMap(one => one.localName === "circle" ? [one.cy.baseVal.value]
  : one.getAttribute("d").slice(1).split("L").map(point => Number(point.split(" ")[1])))"""


@pytest.mark.parametrize(("place", "selector", "exact"), PICTURES.values(), ids=PICTURES)
def test_pictures_are_drawn_as_posenc_has_them(page, address, place, selector, exact):
    block = open_explorer(page, address + place)
    wait_for_frames(page)
    heights = block.locator(selector).evaluate_all(HEIGHTS)[-len(exact) :]
    slope, zero = np.polyfit(exact, heights, 1)

    assert slope < 0, "larger numbers are higher"
    assert abs(slope * np.array(exact) + zero - heights).max() < 0.02  # pixels


@pytest.mark.parametrize(("scheme", "colours"), [("light", "RdBu_r"), ("dark", "berlin")])
def test_the_heat_map_has_the_colours_of_the_figures(page, address, scheme, colours):
    block = open_explorer(page, address + "chapters/sinusoidal/#explore-table")
    set_scheme(page, scheme)
    pixels = block.locator("canvas").evaluate(
        """canvas => [[0, 1], [9, 4], [40, 20], [63, 30]].map(([row, channel]) => [row, channel,
             ...canvas.getContext("2d").getImageData((channel + 0.5) / 32 * canvas.width,
               (row + 0.5) / 64 * canvas.height, 1, 1).data])"""
    )
    table = posenc.sinusoidal_positional_encoding(64, 32, base=100)
    for row, channel, *rgba in pixels:
        exact = colormaps[colours]((table[row, channel] + 1) / 2, bytes=True)
        # Colours between the stops of the map are interpolated, and the canvas rounds once more.
        assert np.abs(np.array(exact, int) - rgba).max() <= 6, (row, channel)
