import type { Page } from "playwright-core";

/** What was measured of all frames while a page was scrolled from end to end. */
export interface Scrolled {
  /** The time that the slowest took, in milliseconds. */
  readonly slowest: number;
  /** The table rows of the one with the most. */
  readonly most: number;
}

/**
 * Scrolls a page from end to end, a hundredth with each frame. Null if a frame does not come: when all threads of a renderer are
 * busy, Chromium (153) can fail to go on after it has painted the tiles of a frame, and never renders that page again. The page
 * still answers then, so it is not the page's doing.
 */
export const scrollThrough = (page: Page): Promise<Scrolled | null> =>
  page.evaluate(`(async () => {
  let slowest = 0, most = 0, before = performance.now();
  for (let step = 0; step <= 100; step++) {
    window.scrollTo(0, document.documentElement.scrollHeight * step / 100);
    const frame = new Promise(requestAnimationFrame);
    const none = new Promise((done) => setTimeout(done, 30_000, null));
    if ((await Promise.race([frame, none])) === null) return null;
    const now = performance.now();
    slowest = Math.max(slowest, now - before);
    most = Math.max(most, document.querySelectorAll("tr").length);
    before = now;
  }
  return { slowest, most };
})()`);
