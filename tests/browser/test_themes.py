"""Light and dark: as the system has it, or as the reader chooses, with the figures of each."""

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
        page.locator("[data-md-component=palette] label:visible").click()
        seen += page.evaluate(SHOWN)
        if seen[-1] == "fig-heatmap-dark":
            page.goto(address + "chapters/relative/")
            assert page.evaluate(SCHEME) == "slate"
            page.go_back()

    assert seen == ["fig-heatmap-light", "fig-heatmap-dark", "fig-heatmap-light"]


def test_without_javascript_the_theme_is_the_one_of_the_system(browser, address):
    grounds = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(java_script_enabled=False, color_scheme=scheme)
        page = context.new_page()
        page.goto(address + "chapters/sinusoidal/")
        grounds[scheme] = page.evaluate(GROUND)
        assert page.evaluate(SHOWN) == [f"fig-heatmap-{scheme}"]
        context.close()

    assert grounds["light"] != grounds["dark"]
