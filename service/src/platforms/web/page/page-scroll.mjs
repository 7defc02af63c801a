/** Functions that run inside a page. Each is sent there as text: those that use another are sent with it. */

/**
 * Waits until the page has rendered what it was scrolled to: it learns of that with its next frame, which on a busy machine takes
 * seconds, and what it adds then is often added a moment later. Frames are waited for at most half a minute.
 */
export const rendered = async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  await Promise.race([frame().then(frame), pause(30_000)]);
  await pause(80);
};

/** Scrolls to the beginning of an area. */
export const scrollToTop = async (element) => {
  element.scrollTop = 0;
  await rendered();
};

/** Scrolls an area by most of its visible height; returns whether it moved. */
export const scrollOn = async (element) => {
  const before = element.scrollTop;
  element.scrollTop = before + Math.max(20, element.clientHeight * 0.6);
  const moved = element.scrollTop > before;
  if (moved) await rendered();
  return moved;
};
