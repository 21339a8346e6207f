// A cursor in a picture, moved by keys, mouse or touch.

const KEYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -10],
  PageDown: [0, 10],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/**
 * Add a cursor to a picture. Keys call `step(right, down)`, with ten steps for Shift and infinitely
 * many for Home and End. Presses and drags call `point(x, y)`, in CSS pixels from the corner.
 * Vertical swipes still scroll the page.
 */
export function movable(node, label, { step, point }) {
  node.tabIndex = 0;
  node.setAttribute("role", "application"); // so that a screen reader passes the arrow keys on
  node.setAttribute("aria-label", label);
  node.classList.add("movable");
  node.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    step(way[0] && way[0] * far, way[1] && way[1] * far);
  });
  const follow = (event) => {
    const corner = node.getBoundingClientRect();
    point(event.clientX - corner.left, event.clientY - corner.top);
  };
  // A touch may be the start of a scroll, so wait until it moves sideways or ends.
  let start = null;
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    node.setPointerCapture(event.pointerId);
    start = event.pointerType === "touch" ? event : null;
    if (!start) follow(event);
  });
  node.addEventListener("pointermove", (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    if (start && !sideways(start, event)) return;
    start = null;
    follow(event);
  });
  node.addEventListener("pointerup", (event) => {
    if (start) follow(event); // a tap
  });
}

function sideways(from, to) {
  const [right, down] = [Math.abs(to.clientX - from.clientX), Math.abs(to.clientY - from.clientY)];
  return right > 6 && right > down;
}
