"""Light and dark."""


def test_the_theme_switches_and_the_figures_with_it(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address + "chapters/sinusoidal/")
    seen = []
    for _ in range(2):
        seen.append(
            page.evaluate(
                """[...document.querySelectorAll('#fig-heatmap img')]
                   .filter(image => image.checkVisibility()).map(image => image.src)"""
            )
        )
        page.locator("[data-md-component=palette] label:visible").click()
    light, dark = seen

    assert [source.rpartition("/")[2] for source in light] == ["fig-heatmap-light.svg#only-light"]
    assert [source.rpartition("/")[2] for source in dark] == ["fig-heatmap-dark.svg#only-dark"]
