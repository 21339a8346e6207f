"""Light and dark: as the system has it, or as the reader chooses, with the figures of each."""

import pytest

from tests.browser.visits import arrived

SHOWN = """[...document.querySelectorAll('#fig-heatmap img')]
  .filter(image => image.checkVisibility())
  .map(image => image.src.replace(/.*\\/|\\.svg.*/g, ''))"""
SCHEME = "document.body.dataset.mdColorScheme"
GROUND = "getComputedStyle(document.body).backgroundColor"


def test_the_theme_is_the_one_of_the_system_also_when_that_changes(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(address + "chapters/sinusoidal/")
    assert page.evaluate(SHOWN) == ["fig-heatmap-dark"]

    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"{SCHEME} === 'default'")
    assert page.evaluate(SHOWN) == ["fig-heatmap-light"]


def test_a_reader_can_choose_the_theme_and_it_stays(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address + "chapters/sinusoidal/")
    seen = []
    for _ in range(3):  # light, dark, and what the system says
        page.locator("[data-book-palette] label:visible").click()
        seen += page.evaluate(SHOWN)
        if seen[-1] == "fig-heatmap-dark":
            page.goto(address + "chapters/relative/")
            assert page.evaluate(SCHEME) == "slate"
            page.go_back()

    assert seen == ["fig-heatmap-light", "fig-heatmap-dark", "fig-heatmap-light"]


def test_the_theme_is_changed_by_keys_one_after_another(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.locator("[data-book-palette] input").first.focus()
    seen = []
    for _ in range(3):
        page.keyboard.press("Enter")
        seen.append((page.evaluate("document.activeElement.id"), page.evaluate(SCHEME)))

    assert seen == [
        ("__palette_1", "default"),
        ("__palette_2", "slate"),
        ("__palette_0", "default"),
    ]


def test_the_bars_of_the_window_have_the_colours_of_the_page(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    page.wait_for_selector("meta[name=theme-color]", state="attached")
    head = "getComputedStyle(document.querySelector('header')).backgroundColor"

    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert page.get_attribute("meta[name=theme-color]", "content") == page.evaluate(head)


def test_the_colours_cost_no_second_styling_of_the_page(page, address):
    """What Material does to the head and the body for each page, it does not do here."""
    page.emulate_media(color_scheme="light")
    page.add_init_script(
        """window.touched = [];
        new MutationObserver(records => {
          for (const record of records) {
            touched.push(...[...record.addedNodes].map(node => node.name), record.attributeName);
          }
        }).observe(document, {subtree: true, childList: true, attributes: true,
                              attributeFilter: ["data-md-color-switching"]});"""
    )
    page.goto(address)
    arrived(page)
    page.wait_for_selector("meta[name=theme-color]", state="attached")

    assert page.evaluate("touched.filter(name => /^color-scheme$|^data-md/.test(name))") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tokens_that_are_joined_look_alike(page, address, scheme):
    """What website/code.py takes for the same: a name and bare code, an operator and a bracket."""
    page.emulate_media(color_scheme=scheme)
    page.goto(address + "chapters/sinusoidal/")
    looks = page.locator(".highlight code").first.evaluate(
        """code => Object.fromEntries(["", "n", "w", "o", "p", "k"].map(kind => {
          const token = code.appendChild(document.createElement("span"));
          token.className = kind;
          const {color, fontStyle, fontWeight, backgroundColor} = getComputedStyle(token);
          return [kind, [color, fontStyle, fontWeight, backgroundColor].join()];
        }))"""
    )

    assert looks["n"] == looks["w"] == looks[""]
    assert looks["o"] == looks["p"]
    assert len({looks[""], looks["p"], looks["k"]}) == 3


def test_without_javascript_the_theme_is_the_one_of_the_system(still, address):
    grounds = {}
    for scheme in ("light", "dark"):
        still.emulate_media(color_scheme=scheme)
        still.goto(address + "chapters/sinusoidal/")
        grounds[scheme] = still.evaluate(GROUND)
        assert still.evaluate(SHOWN) == [f"fig-heatmap-{scheme}"]

    assert grounds["light"] != grounds["dark"]
