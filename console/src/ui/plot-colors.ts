import { useEffect, useState } from "preact/hooks";

/** Whether the device prefers dark colours. A canvas does not follow it by itself. */
export function usePrefersDark(): boolean {
  const [query] = useState(() => window.matchMedia("(prefers-color-scheme: dark)"));
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const changed = () => setDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, [query]);
  return isDark;
}

/** The colour of a custom property as a canvas takes it. */
export function resolvedColor(host: HTMLElement, name: string): string {
  // A new element, because changing the colour of an existing one would start a transition.
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
