import { useEffect, useRef } from "preact/hooks";

type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Keyboard shortcuts that work while a view is open and no text is being typed. The view opened last takes precedence. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    layers.push(latest);
    return () => {
      layers.splice(layers.indexOf(latest), 1);
    };
  }, []);
}

const layers: { readonly current: Shortcuts }[] = [];

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
  if (isWriting(event.target) || document.querySelector("dialog[open]") !== null) return;
  for (const { current } of layers.toReversed()) {
    const act = current[event.key];
    if (act === undefined) continue;
    event.preventDefault();
    act(event);
    return;
  }
});

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      isTextInput(target))
  );
}

function isTextInput(element: HTMLElement): boolean {
  return (
    element instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit", "file"].includes(element.type)
  );
}
