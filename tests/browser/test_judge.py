"""The page *Judge a function*: code and files in, verdicts of the package out."""

import re

import numpy as np
from playwright.sync_api import Page, expect

import posenc
from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab
from tests.browser.visits import BEYOND_WINDOW
from tests.browser.waiting import set_scheme

PAGE = "workbench/judge/"


def open_page(page: Page, address: str) -> None:
    page.goto(address + PAGE)
    expect(page.locator(".cm-content")).to_be_visible()


def judge(page: Page, code: str = "", reference: str = "") -> None:
    """Judge code, or what is there."""
    if code:
        page.get_by_role("textbox", name="NumPy code").fill(code)
    if reference:
        page.get_by_label("What it should be").select_option(reference)
    page.get_by_role("button", name="Judge", exact=True).click()


def judge_example(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()
    judge(page)


def test_right_and_wrong_functions_and_files(page, address, tmp_path):
    open_page(page, address)
    judge_example(page, "RoPE of Llama")
    expect(page.get_by_role("heading", name="rope is llama", exact=True)).to_be_visible()

    judge_example(page, "RoPE in the wrong layout")
    expect(page.get_by_role("heading", name="rope is not llama")).to_be_visible()
    expect(page.get_by_text("Cause: interleaved layout instead of half.")).to_be_visible()
    expect(page.locator("canvas.heat")).to_be_visible()
    assert find_problems(page) == []

    table = tmp_path / "mine.npy"
    np.save(table, posenc.sinusoidal_positional_encoding(64, 32, start=1))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a .npy file").click()
    chooser.value.set_files(table)
    judge(page, reference="identify")
    expect(page.get_by_role("heading", name="mine.npy is sinusoidal")).to_be_visible()
    expect(page.locator(".workbench-result pre")).to_contain_text("first position 1")


def test_errors_have_lines_and_loops_can_be_stopped(page, address):
    open_page(page, address)
    judge(page, "def rope(x, positions):\n    return x * missing\n", "llama")
    expect(page.locator(".workbench-culprit")).to_have_text(["    return x * missing"])
    expect(page.locator(".run-status")).to_contain_text("Line 2: NameError")

    judge(page, "import torch\n")
    expect(page.locator(".run-status")).to_contain_text("posenc compare mine.py:")

    judge(page, "while True:\n    pass\n")
    expect(page.get_by_text("Judging", exact=True)).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".run-status")).to_have_text("stopped")


def test_a_link_fills_in_the_code_and_only_a_press_runs_it(page, address):
    page.goto(address + "reference/judge/")
    page.get_by_role("link", name="Judge this code in your browser").first.click()
    page.wait_for_url(re.compile("#code="))
    expect(page.locator(".cm-content")).to_contain_text("def rope(x, positions)")
    expect(page.get_by_text("This code came with the link")).to_be_visible()
    assert page.get_by_role("heading", name="rope is").count() == 0

    judge(page)
    expect(page.get_by_text("Cause: base 10000 instead of 500000.")).to_be_visible()


def test_a_reload_keeps_the_code_and_functions_can_be_chosen(page, address):
    open_page(page, address)
    code = "def rope(x, positions):\n    return x\n\ndef zero(x, positions):\n    return 0 * x\n"
    page.get_by_role("textbox", name="NumPy code").fill(code)
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("return 0 * x")

    judge(page, reference="llama")
    expect(page.get_by_role("heading", name="zero is not llama")).to_be_visible()
    page.get_by_label("Function", exact=True).select_option("rope")
    expect(page.get_by_text("Edited since")).to_be_visible()
    judge(page)
    expect(page.get_by_role("heading", name="rope is not llama")).to_be_visible()


def test_firefox_judges_and_stops(firefox, address):
    with open_tab(firefox) as page:
        open_page(page, address)
        judge(page, "while True:\n    pass\n")
        expect(page.get_by_text("Judging", exact=True)).to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".run-status")).to_have_text("stopped")

        judge_example(page, "RoPE in the wrong layout")
        expect(page.get_by_text("Cause: interleaved layout instead of half.")).to_be_visible()
        assert find_violations(page) == []


def find_problems(page: Page) -> list[str]:
    """Return what is wrong for keyboards, screen readers and narrow windows."""
    problems: list[str] = []
    for width, scheme in ((1280, "light"), (390, "dark"), (320, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        set_scheme(page, scheme)
        problems += page.evaluate(BEYOND_WINDOW) + find_violations(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    return problems
