import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Rows rendered beyond the visible ones, so that scrolling does not show gaps. */
const spare = 8;

/** Which of many rows of equal height are visible, so that only those are rendered. */
export function useWindow(
  root: RefObject<HTMLElement | null>,
  { count, rowHeight }: { count: number; rowHeight: number },
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 40 });
  useEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      const top = root.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / rowHeight) - spare);
      const to = Math.ceil((window.innerHeight - top) / rowHeight) + spare;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    const later = () => (frame ||= requestAnimationFrame(measure));
    measure();
    window.addEventListener("scroll", later, { passive: true });
    window.addEventListener("resize", later);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", later);
      window.removeEventListener("resize", later);
    };
  }, [count, rowHeight]);
  return { from: Math.min(range.from, count), to: Math.min(range.to, count) };
}
