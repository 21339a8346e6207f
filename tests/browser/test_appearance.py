"""Themes, paper, and what is there without JavaScript."""

import re

import pytest

from tests.browser.waiting import set_scheme

HEATMAP = """[...document.querySelectorAll("#fig-heatmap img")]
  .filter(image => image.checkVisibility())
  .map(image => image.src.replace(/.*\\/|\\.svg.*/g, ""))"""
SHOWN = (
    "selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).length"
)


def test_the_theme_follows_the_system_and_a_choice_stays(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(address + "chapters/sinusoidal/")
    assert page.evaluate(HEATMAP) == ["fig-heatmap-dark"]
    set_scheme(page, "light")
    assert page.evaluate(HEATMAP) == ["fig-heatmap-light"]

    for _ in range(2):  # light, then dark
        page.locator("[data-book-palette] label:visible").click()
    assert page.evaluate(HEATMAP) == ["fig-heatmap-dark"]
    page.goto(address + "chapters/relative/")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    header = page.locator("header").first.evaluate("one => getComputedStyle(one).backgroundColor")
    page.wait_for_selector(f"meta[name=theme-color][content='{header}']", state="attached")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_javascript_everything_is_there(scriptless, address, scheme):
    scriptless.emulate_media(color_scheme=scheme)
    scriptless.goto(address + "chapters/sinusoidal/")
    assert scriptless.evaluate(HEATMAP) == [f"fig-heatmap-{scheme}"]

    scriptless.goto(address + "chapters/relative/")
    assert scriptless.locator("math").count() > 100
    assert scriptless.locator("#eq-shift").is_visible()
    explorer = scriptless.locator("#explore-shift")
    assert explorer.locator("> figure img:visible").count() == 1
    assert explorer.locator("input, button, select").count() == 0


def test_a_dark_page_is_printed_in_light_colours_without_controls(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(address + "chapters/relative/")
    set_scheme(page, "dark")
    page.add_style_tag(content="* { transition: none !important }")
    page.emulate_media(media="print", color_scheme="dark")

    for selector in ("article p", "h1", ".statement p", "pre code"):
        colour = page.locator(selector).first.evaluate("one => getComputedStyle(one).color")
        assert sum(map(int, colour[4:-1].split(", "))) < 3 * 128, selector
    for selector in (
        ".md-header",
        ".md-sidebar",
        ".md-footer",
        "details.code",
        'img[src$="-dark"]',
    ):
        assert page.evaluate(SHOWN, selector) == 0, selector
    assert page.evaluate(SHOWN, "figure img") == page.locator("figure").count()


def test_answers_are_printed_even_without_javascript(scriptless, address):
    scriptless.goto(address + "chapters/relative/")
    answers = "details.answer > :not(summary)"
    assert scriptless.evaluate(SHOWN, answers) == 0

    scriptless.emulate_media(media="print")
    assert scriptless.evaluate(SHOWN, answers) >= 5


@pytest.mark.parametrize("path", ["nope", "some/thing/deep/er/nope.html"])
def test_an_address_that_leads_nowhere_leads_to_the_first_page(page, address, path):
    page.goto(address + path)
    page.get_by_role("link", name="first page").click()
    page.locator(".md-content").wait_for()

    assert page.url == address


def test_the_cheat_sheet_is_printed_on_one_page(page, address):
    page.goto(address + "reference/cheatsheet/")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
