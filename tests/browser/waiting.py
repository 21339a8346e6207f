"""Wait until a page has loaded what is in sight, and has nothing left to do."""

from playwright.sync_api import Page

PATIENCE = 120  # seconds; only what never happens takes as long

FRAMES = """async (count) => {
  while (count--) await new Promise(requestAnimationFrame);
}"""

# Whatever has a lower priority than drawing has run, too.
IDLE = """async () => {
  for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
  if (window.scheduler) await scheduler.postTask(() => {}, {priority: "background"});
  else await new Promise(done => requestIdleCallback(done));  // Firefox before 142
}"""

IN_SIGHT = """const inSight = one => {
  const box = one.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight && one.checkVisibility();
};"""
LOADED = f"""() => {{
  {IN_SIGHT}
  return !document.querySelector("[data-state=loading]")
    && ![...document.images].some(image => !image.complete && inSight(image));
}}"""
# A block of code is laid out when it comes into sight; if it is wide, it becomes reachable by keys.
CODE_REACHABLE = f"""() => {{
  {IN_SIGHT}
  return ![...document.querySelectorAll("pre > code")].some(code =>
    code.scrollWidth > code.clientWidth + 1 && code.tabIndex < 0 && inSight(code));
}}"""


def wait_for_frames(page: Page, count: int = 2) -> None:
    """Wait until what was changed is drawn."""
    page.evaluate(FRAMES, count)


def wait_until_loaded(page: Page) -> None:
    """Wait until the fonts, images and explorers in sight have loaded, and the page is idle."""
    page.evaluate("document.fonts.ready.then(() => true)")
    wait_for_frames(page)  # what the first frame brings into sight, the second has
    page.wait_for_function(LOADED)
    page.evaluate(IDLE)


def scroll_to_end(page: Page) -> None:
    """Read a page, a screen at a time, and wait for what comes into sight."""
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    while True:
        wait_until_loaded(page)
        page.wait_for_function(CODE_REACHABLE)
        if page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 1"):
            return
        page.evaluate("scrollBy({top: innerHeight, behavior: 'instant'})")


def set_scheme(page: Page, scheme: str) -> None:
    """Set the system to light or dark, and wait until the page has followed."""
    page.emulate_media(color_scheme=scheme)
    name = {"light": "default", "dark": "slate"}[scheme]
    page.wait_for_selector(f"body[data-md-color-scheme={name}]")
    wait_for_frames(page)
