"""The register of equations: folded by chapter, filtered by word, symbol and chapter."""

import re

SHOWN = """() =>
  [...document.querySelectorAll("details.register h3")]
    .filter((heading) => heading.checkVisibility())
    .map((heading) => heading.id)"""


def test_the_register_is_filtered_and_opened_by_links(page, address):
    page.goto(address + "reference/equations/")
    page.wait_for_selector("#filter")
    assert page.evaluate(SHOWN) == []
    assert page.evaluate("document.querySelector('article').scrollHeight") < 6000

    page.fill("#filter", "norm")
    page.wait_for_function("document.querySelector('.filter p').textContent")
    found = page.evaluate(SHOWN)
    assert "entry-eq-norm" in found
    assert len(found) < 40
    count, total = re.findall(r"\d+", page.inner_text(".filter p"))
    assert int(count) == len(found)
    assert int(total) == page.locator("details.register h3").count()
    assert page.locator("article h2:visible").count() < 20

    page.select_option(".filter select", "0")
    page.wait_for_function("document.querySelectorAll('article h2:not([hidden])').length < 2")
    assert set(page.evaluate(SHOWN)) < set(found)
    page.goto(address + "reference/equations/#entry-eq-shift")
    page.wait_for_function("document.getElementById('entry-eq-shift').checkVisibility()")
