// Starts each explorer on a page when the reader scrolls near it. Until then, or if it fails to
// load, the block shows its static figure.

const NEAR = "600px 0px"; // about a screen ahead, so that nothing moves in view

/** Import the module that a block names, and build it inside the block. */
async function mount(block) {
  if ("state" in block.dataset) return; // already started
  block.dataset.state = "loading";
  try {
    const [{ build }, explorer] = await Promise.all([
      import("./parts/frame.js"),
      import(`./${block.dataset.explorer}.js`),
    ]);
    build(block, explorer);
    block.dataset.state = "live";
  } catch (error) {
    block.querySelector(":scope > .explorer-live")?.remove();
    block.dataset.state = "failed";
    console.error(`explorer ${block.dataset.explorer}:`, error);
  }
}

const watch = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      mount(target);
    }
  },
  { rootMargin: NEAR },
);
for (const block of document.querySelectorAll("[data-explorer]")) watch.observe(block);
