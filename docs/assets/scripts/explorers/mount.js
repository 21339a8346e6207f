// Finds the explorers of a page and brings each to life when the reader comes near it.
// Until then, and where that fails, the static figure in the block says what there is to say.

const NEAR = "600px 0px"; // a screen ahead, so that nothing changes before the reader's eyes

/** Import the module that a block names, and put it into the block. */
async function mount(block) {
  if ("state" in block.dataset) return; // once, whoever asks
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
