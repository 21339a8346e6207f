"""The page fits its window, and what it is made of has its place before it loads."""

import pytest

from tests.browser.visits import arrived


def test_figures_have_their_size_before_they_load(page, address):
    page.goto(address + "chapters/relative/")

    sizes = page.evaluate(
        """[...document.querySelectorAll('figure img')].map(
             image => [image.getAttribute('width'), image.getAttribute('height'), image.alt])"""
    )

    assert len(sizes) >= 8
    assert all(
        int(width) > 300 and int(height) > 150 and len(alt) > 40 for width, height, alt in sizes
    )


def test_formulas_are_drawn_with_the_font_of_the_site(page, address):
    page.goto(address + "chapters/relative/")
    page.evaluate("document.fonts.ready.then(() => true)")

    assert page.evaluate("document.fonts.check('16px \"STIX Two Math\"')")
    assert "STIX Two Math" in page.evaluate(
        "getComputedStyle(document.querySelector('math')).fontFamily"
    )
    # A root is as high as what stands under it: the font's table for mathematics is used.
    assert page.evaluate(
        """[...document.querySelectorAll('msqrt')].every(root =>
             root.getBoundingClientRect().height >=
             root.firstElementChild.getBoundingClientRect().height)"""
    )


def test_a_root_ends_where_what_is_under_it_ends(page, address):
    """Chromium keeps room for the widest sign that the font has, if they are not alike."""
    page.goto(address + "chapters/extrapolation/")
    page.evaluate("document.fonts.ready.then(() => true)")

    behind = page.evaluate(
        """[...document.querySelectorAll('msqrt')].map(root =>
             root.getBoundingClientRect().right
             - root.lastElementChild.getBoundingClientRect().right)"""
    )
    assert len(behind) > 5
    assert max(behind) < 1


def test_on_a_phone_the_marks_of_a_check_keep_out_of_the_words_beside_them(page, address):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(address + "chapters/padding/")

    inside = page.evaluate(
        """[...document.querySelectorAll('summary .strength')].map(mark => {
             const domain = mark.closest('summary').querySelector('.domain');
             const [one, other] = [mark, domain].map(part => part.getBoundingClientRect());
             return one.bottom > other.top && other.bottom > one.top; })"""
    )

    assert len(inside) > 5
    assert not any(inside)


# What is wider than its box, of what is in sight, whether it says that there is more, at its
# beginning and at its end.
MORE = """async () => {
  const frames = async () => {
    for (let left = 3; left--;) await new Promise(requestAnimationFrame);
  };
  const wide = [...document.querySelectorAll(".framed, div.arithmatex, pre > code")]
    .filter(one => one.checkVisibility({contentVisibilityAuto: true}))
    .filter(one => one.scrollWidth > one.clientWidth + 1);
  const fades = () => wide.map(one => getComputedStyle(one).maskImage !== "none");
  const before = fades();
  wide.forEach(one => one.scrollTo({left: one.scrollWidth, behavior: "instant"}));
  await frames();
  return [before, fades()];
}"""


@pytest.mark.parametrize(
    ("path", "width"),
    [("reference/conventions/", 1280), ("chapters/offsets/", 390), ("chapters/relative/", 390)],
)
def test_what_is_cut_at_the_right_fades_out_there_until_its_end_is_seen(page, address, path, width):
    page.set_viewport_size({"width": width, "height": 20_000})
    page.goto(address + path)
    arrived(page)

    before, after = page.evaluate(MORE)
    assert all(before)
    assert len(before) >= 1
    assert not any(after)
