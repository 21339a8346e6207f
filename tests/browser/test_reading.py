"""Reading without JavaScript, and coming in by a link."""


def test_everything_is_there_without_javascript(still, address):
    still.goto(address + "chapters/relative/")

    assert still.locator("math").count() > 100
    assert still.locator("#eq-shift").is_visible()
    assert still.locator("#fig-ripples img").first.is_visible()


def test_an_equation_can_be_linked_to(page, address):
    page.goto(address + "reference/equations/")
    page.get_by_role("link", name="stated and verified").nth(12).click()

    name = page.url.rpartition("#")[2]
    assert name.startswith("eq-")
    box = page.locator(f"#{name}").bounding_box()
    assert box
    assert 40 <= box["y"] <= 400, "below the header, and on the screen"
