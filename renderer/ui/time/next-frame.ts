/** The longest that a window which is not drawn holds up what comes after, in milliseconds. */
const longestMs = 100;

/** Resolves once what stands in the page now has been drawn. */
export function nextFrame(): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(done, longestMs);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(done);
    });
  });
}
