"""The first page: its session judges in the browser as the book judges it."""

import math
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

import posenc
from engine.statements import register
from tests.nav import CHAPTERS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def home(site_tab, address):
    """Open the first page, once for all that is filled in, and wait for its fields."""
    page = site_tab.context.new_page()
    page.goto(address)
    page.get_by_role("textbox", name="position").wait_for()
    yield page
    page.close()


def judged(
    home: Page, position: str = "1234", width: str = "512", claimed: str = "16.0"
) -> tuple[bool, str]:
    """Fill in the fields and return the verdict and what is said."""
    home.get_by_role("textbox", name="position").fill(position)
    home.get_by_role("textbox", name="d_model").fill(width)
    home.get_by_role("textbox", name="said to print").fill(claimed)
    classes = home.locator(".live").get_attribute("class") or ""
    return "false" not in classes.split(), home.locator(".live-verdict").text_content() or ""


@pytest.mark.parametrize(
    ("position", "width"), [("1234", "512"), ("0", "2"), ("-77.5", "64"), ("1000000", "1002")]
)
def test_the_length_shown_is_that_of_the_package(home, position, width):
    length = math.hypot(*posenc.sinusoidal_at(float(position), int(width)))

    holds, said = judged(home, position, width, f"{length:.10f}")
    assert holds, said
    (printed,) = map(float, re.findall(r"length is ([\d.]+)\.", said))
    assert math.isclose(printed, length, rel_tol=1e-11)  # twelve digits are shown

    holds, said = judged(home, position, width, f"{length + 1e-9:.10f}")
    assert not holds
    assert "no page is built" in said


def test_the_last_digit_means_what_it_means_in_the_book(home):
    """Half a unit of the last digit written, as prompts.py has it."""
    verdicts = [judged(home, claimed=claimed)[0] for claimed in ("16.04", "16", "17", "16.00", "")]

    assert verdicts == [False, True, False, True, False]


@pytest.mark.parametrize("width", ["7", "0", "-2", "four", "2.5", "100000"])
def test_a_width_that_the_package_refuses_is_refused(home, width):
    holds, said = judged(home, width=width, claimed="1.0")

    assert not holds
    assert re.match("ValueError|Too wide", said)


def test_what_is_counted_is_what_there_is(home):
    chapters, equations, examples = home.locator(".counts b").all_text_contents()

    pages = [ROOT / f"docs/chapters/{stem}.md" for stem in CHAPTERS]
    assert int(chapters) == len(CHAPTERS)
    assert int(equations) == len(register(pages))
    prompts = sum(page.read_text("utf-8").count("\n>>> ") for page in pages)
    assert int(examples.replace("\u202f", "")) > prompts, "formulas and references count, too"
