/** What the browser keeps, for this visit or longer, if it may keep anything. */
export const kept = (doing) => {
  try {
    return doing(window);
  } catch {
    return null;
  }
};
