"""Reading without JavaScript, and coming in by a link."""


def test_everything_is_there_without_javascript(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "chapters/relative/")

    assert page.locator("math").count() > 100
    assert page.locator("#eq-shift").is_visible()
    assert page.locator("#fig-ripples img").first.is_visible()
    context.close()


def test_an_equation_can_be_linked_to(page, address):
    page.goto(address + "reference/equations/")
    page.get_by_role("link", name="stated and verified").nth(12).click()

    name = page.url.rpartition("#")[2]
    assert name.startswith("eq-")
    box = page.locator(f"#{name}").bounding_box()
    assert box
    assert 40 <= box["y"] <= 400, "below the header, and on the screen"
