"""When a page has nothing left to do."""

from playwright.sync_api import Page

PATIENCE = 120  # seconds: only what never ends takes as long

# Nothing is left to be drawn, or to be run before what is least urgent.
IDLE = """async () => {
  for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
  await scheduler.postTask(() => {}, {priority: "background"});
}"""

# All that is in sight has come, and what is wider than its column can be scrolled by keys. (Two
# frames: what the first brings into sight, the second has.)
COME = """async (patience) => {
  const frame = () => new Promise(requestAnimationFrame);
  const inSight = one => {
    const box = one.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight && one.checkVisibility();
  };
  const loading = () => document.querySelector("[data-state=loading]")
    ?? [...document.images].find(image => !image.complete && inSight(image))
    ?? [...document.querySelectorAll("pre > code")].find(code =>
      code.scrollWidth > code.clientWidth + 1 && code.tabIndex < 0 && inSight(code));
  const end = performance.now() + patience * 1000;
  do {
    if (performance.now() > end) throw Error(`does not come: ${loading().outerHTML}`);
    await frame(), await frame();
  } while (loading());
}"""


def at_rest(page: Page) -> None:
    """Wait until all that is in sight has come, and the page has nothing left to do."""
    page.evaluate(COME, PATIENCE)
    page.evaluate(IDLE)
