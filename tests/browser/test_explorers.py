"""What all explorers share: values, addresses, buttons, themes, room; and the first of them."""

import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib import colormaps
from playwright.sync_api import Route

import posenc
from engine import figures
from tests.browser.explorers import (
    called,
    copied_link,
    explorers,
    live,
    number,
    opened,
    settled,
    shown,
    themed,
)

FOLDER = Path(__file__).parents[2] / "docs/assets/scripts"
PAGE = "chapters/sinusoidal/"
TABLE = f"{PAGE}#explore-table"
MOVES = re.compile(r"^import \{ (?:heat|movable) \} from", re.MULTILINE)
IMPORTED = re.compile(r"(?:from |import\()[\"'`]([^\"'`]+)")


def test_each_script_is_small_and_imports_its_neighbours_alone():
    scripts = list(FOLDER.rglob("*.js"))
    assert len(scripts) > 10
    for script in scripts:
        text = script.read_text("utf-8")
        assert len(text.encode()) <= 15 * 1024, script
        assert all(source.startswith(("./", "../")) for source in IMPORTED.findall(text)), script


@pytest.mark.parametrize("exponent", ["paper", "tensor2tensor"])
def test_codes_agree_with_posenc(site_tab, address, exponent):
    widths = [(d, base) for d in (2, 6, 64, 128) for base in (10, 100.5, 10000, 1e6)]
    theirs = called(site_tab, address, "parts/codes", "invFreq", [(*w, exponent) for w in widths])
    for (d, base), frequencies in zip(widths, theirs, strict=True):
        # A power, and its exponent rounded before: a few units of the last bit.
        ours = posenc.inv_freq(d, base, exponent=exponent)
        assert np.allclose(frequencies, ours, rtol=4e-15, atol=0)

    calls = [
        (3, d, {"base": base, "layout": layout, "exponent": exponent, "start": start})
        for d, base in widths
        for layout in ("interleaved", "half")
        for start in (-3, 0, 1000)
    ]
    tables = called(site_tab, address, "parts/codes", "sinusoidalPositionalEncoding", calls)
    for (length, d, convention), table in zip(calls, tables, strict=True):
        expected = posenc.sinusoidal_positional_encoding(length, d, **convention)
        # The angle is at most 1002, and wrong by that times 4e-15.
        assert abs(np.array(table) - expected).max() < 1003 * 4e-15


def test_the_table_shows_the_numbers_of_posenc_for_what_the_keys_set(page, brief):
    block = opened(page, brief + TABLE)

    def agrees(p: int, c: int, d: int, base: float, layout: str) -> None:
        pair = c // 2 if layout == "interleaved" else c % (d // 2)
        entry = posenc.sinusoidal_at(p, d, base=base, layout=layout)[c]
        values = shown(block)
        assert block.locator("[data-name=value]").text_content() == f"PE({p}, {c})"
        assert values["formula"].endswith(f"pair {pair}")
        for key, expected, error in (
            ("value", entry, 0.5e-4),
            ("omega", posenc.inv_freq(d, base)[pair], 0),
            ("wavelength", posenc.wavelengths(d, base)[pair], 0),
        ):  # as many digits as are shown
            seen = number(values[key])
            assert abs(seen - expected) <= max(error, 0.6e-3 * expected), (key, values)

    agrees(20, 8, 32, 100, "interleaved")
    plot = block.get_by_role("application")
    for key in ("ArrowDown", "ArrowRight", "Shift+ArrowDown"):
        plot.press(key)
    agrees(31, 9, 32, 100, "interleaved")
    block.get_by_label("Channels d", exact=True).press("ArrowRight")
    agrees(31, 9, 34, 100, "interleaved")
    block.get_by_label("Base b", exact=True).press("End")
    agrees(31, 9, 34, 1e6, "interleaved")
    block.get_by_label("Base b, as a number").fill("5000")
    agrees(31, 9, 34, 5000, "interleaved")
    block.get_by_role("radio", name="interleaved").press("ArrowRight")
    agrees(31, 9, 34, 5000, "half")
    block.get_by_label("Channels d", exact=True).press("Home")  # the cursor stays in the table
    agrees(31, 1, 2, 5000, "half")
    block.get_by_label("Length L, as a number").fill("9")
    agrees(8, 1, 2, 5000, "half")


# Two keys, of which the second comes before what the first has changed is drawn.
TWICE = """(node, keys) => {
  for (const key of keys) node.dispatchEvent(new KeyboardEvent("keydown", { key }));
}"""


def test_two_keys_within_one_frame_are_two_steps(page, brief):
    moved = set()
    for path, names in explorers().items():
        for name in names:
            block = opened(page, f"{brief}{path}#{name}")
            reset = block.get_by_role("button", name="Reset")
            for place in block.get_by_role("application").all():
                before = shown(block)
                for keys in (("ArrowRight", "ArrowRight"), ("ArrowDown", "ArrowDown")):
                    for key in keys:
                        place.press(key)
                        settled(page)
                    one_by_one = shown(block)
                    reset.click()
                    assert shown(block) == before
                    place.evaluate(TWICE, keys)
                    assert shown(block) == one_by_one, (name, keys)
                    reset.click()
                    if one_by_one != before:
                        moved.add(block.get_attribute("data-explorer"))

    scripts = (FOLDER / "explorers").glob("*.js")
    assert moved == {script.stem for script in scripts if MOVES.search(script.read_text("utf-8"))}


def test_reset_undoes_everything(page, brief):
    block = opened(page, brief + TABLE)
    before = shown(block)["value"]
    block.get_by_label("Channels d", exact=True).press("End")
    block.get_by_role("application").press("ArrowDown")
    assert shown(block)["value"] != before
    block.get_by_role("button", name="Reset").click()
    assert shown(block)["value"] == before
    page.wait_for_url(brief + TABLE)  # nothing left in the address


def test_a_copied_link_restores_what_was_shown(page, brief):
    block = opened(page, brief + TABLE)
    block.get_by_label("Base b, as a number").fill("345.5")
    block.get_by_role("radio", name="half").press(" ")
    block.get_by_role("application").press("End")
    before = shown(block)["value"]
    link = copied_link(block)
    assert link.endswith("?table.base=345.5&table.layout=half&table.c=31#explore-table")

    page.goto("about:blank")
    assert shown(opened(page, link))["value"] == before


def test_an_address_keeps_its_place_and_what_others_put_there(page, brief):
    block = opened(page, f"{brief}{PAGE}?h=wave&other.d=3#frequencies", "explore-table")
    block.get_by_label("Length L", exact=True).press("ArrowRight")
    page.wait_for_url("**/?h=wave&other.d=3&table.length=65#frequencies")


def test_a_bad_value_in_a_link_counts_as_not_given(page, brief):
    given = ["d=7", "base=NaN", "length=1e9", "layout=third", "p=64", "c=1.5", "<b>=&="]
    bad = "&table.".join(given)
    block = opened(page, f"{brief}{PAGE}?table.{bad}#explore-table")
    assert shown(block)["value"] == f"{posenc.sinusoidal_at(20, 32, base=100)[8]:.4f}"
    assert block.locator("[data-name=value]").text_content() == "PE(20, 8)"


def test_the_map_is_drawn_in_the_colours_of_the_figures_in_both_themes(page, brief):
    block = opened(page, brief + TABLE)
    table = posenc.sinusoidal_positional_encoding(64, 32, base=100)
    for scheme, name in (("light", "RdBu_r"), ("dark", "berlin")):
        themed(page, scheme)
        pixels = block.evaluate(
            """block => {
                 const canvas = block.querySelector("canvas"), context = canvas.getContext("2d");
                 return [[0, 1], [9, 4], [40, 20], [63, 30]].map(([row, channel]) => [row, channel,
                   ...context.getImageData((channel + 0.5) / 32 * canvas.width,
                                           (row + 0.5) / 64 * canvas.height, 1, 1).data]);
               }"""
        )
        for row, channel, *rgba in pixels:
            exact = colormaps[name]((table[row, channel] + 1) / 2, bytes=True)
            # Between stops we go straight, and the canvas rounds once more.
            assert np.abs(np.array(exact, int) - rgba).max() <= 6, (name, row, channel)


def test_curves_have_the_colours_of_the_figures(page, brief):
    opened(page, brief + TABLE)
    for scheme, colours in (("default", figures.LIGHT), ("slate", figures.DARK)):
        page.evaluate("scheme => document.body.dataset.mdColorScheme = scheme", scheme)
        found = page.evaluate(
            """() => { const style = getComputedStyle(document.body);
                       return [0, 1, 2, 3, 4, 5].map(n => style.getPropertyValue(`--c${n}`)); }"""
        )
        assert found == list(colours)


# A block's height, and what is kept free for it.
HEIGHTS = """(name) => { const block = document.getElementById(name);
  return [block.getBoundingClientRect().height, parseFloat(getComputedStyle(block).minHeight)]; }"""
FREE = """(name) => { const block = document.getElementById(name);
  return block.getBoundingClientRect().bottom
    - block.querySelector(".explorer-live").getBoundingClientRect().bottom; }"""


@pytest.mark.parametrize(("path", "names"), explorers().items(), ids=explorers())
def test_nothing_moves_when_an_explorer_comes_to_life(page, address, path, names):
    held: list[Route] = []  # the frame of all explorers does not arrive, at first
    page.route("**/explorers/parts/frame.js", lambda route: held.append(route))
    page.goto(address + path)
    for alive in (False, True):
        if alive:
            for route in held:
                route.continue_()
            page.route("**/explorers/parts/frame.js", lambda route: route.continue_())
        for width in (390, 800, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            for name in names:
                if alive:
                    live(page, name)
                    settled(page)
                    assert page.evaluate(FREE, name) < 60, f"{name}, {width}: room for nothing"
                height, room = page.evaluate(HEIGHTS, name)
                assert height == pytest.approx(room, abs=0.1), (name, width, alive)
                assert page.locator(f"#{name} > figure").is_visible() is not alive
            # The search is still closing its overlay after a change of width.
            page.wait_for_function(f"document.documentElement.scrollWidth === {width}")


@pytest.mark.parametrize(("path", "names"), explorers().items(), ids=explorers())
def test_without_javascript_the_figure_is_there_and_no_control(still, address, path, names):
    still.goto(address + path)
    for name in names:
        block = still.locator(f"#{name}")
        assert block.locator("> figure img:visible").count() == 1
        assert block.locator("figcaption").is_visible()
        assert block.locator("input, button, select").count() == 0


def test_two_of_one_kind_on_a_page_do_not_disturb_each_other(page, brief):
    def doubled(route: Route) -> None:
        if route.request.resource_type != "document":
            return route.fallback()
        text = route.fetch().text()
        start = text.rindex("<div", 0, text.index('id="explore-table"'))
        end = text.index("</details>", start) + len("</details>")
        block = text[start:end] + "</div>"
        second = re.sub(r'id="([^"]+)"', r'id="\1-2"', block)
        return route.fulfill(body=text[:start] + second + text[start:], content_type="text/html")

    page.route(f"**/{PAGE}*", doubled)
    link = f"{brief}{PAGE}?table.d=64&table-2.base=50"
    second = opened(page, link, "explore-table-2")
    first = live(page, "explore-table")
    for block, d, base in ((first, "64", "100"), (second, "32", "50")):
        assert block.get_by_label("Channels d, as a number").input_value() == d
        assert block.get_by_label("Base b, as a number").input_value() == base
    second.get_by_label("Channels d", exact=True).press("ArrowRight")
    page.wait_for_url("**/?table.d=64&table-2.d=34&table-2.base=50")
    assert first.get_by_label("Channels d, as a number").input_value() == "64"
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size") == (
        page.evaluate("document.querySelectorAll('[id]').length")
    ), "an id is there twice"


def test_where_the_script_fails_the_figure_stays(page, brief):
    page.route("**/explorers/table.js", lambda route: route.abort())
    page.goto(brief + TABLE)
    page.wait_for_selector("#explore-table[data-state=failed]")
    assert page.locator("#explore-table > figure").is_visible()
    assert page.locator("#explore-table .explorer-live").count() == 0


def test_paper_gets_the_figure(page, address):
    block = opened(page, address + TABLE)
    page.emulate_media(media="print")
    assert block.locator("> figure").is_visible()
    assert not block.locator(".explorer-live").is_visible()


def test_a_change_is_read_out_once_it_rests(page, brief):
    block = opened(page, brief + TABLE)
    status = block.locator(".explorer-status[role=status]")
    block.get_by_label("Length L", exact=True).press("ArrowRight")
    status.filter(has_text="In 65 positions").wait_for(state="attached")
    assert block.locator("output:not([aria-live=off])").count() == 0, "numbers would chatter"
    assert status.text_content() == block.locator(".explorer-message").text_content()
