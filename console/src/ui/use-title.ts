import { useEffect } from "preact/hooks";

/** The title of the window while a view is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Querent`;
  }, [title]);
}
