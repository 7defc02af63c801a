/** `j` and `k`: the selection is the focus, so that Enter opens the task and a screen reader says which one it is. */
export function moveSelection(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-task]")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at === -1 ? (by === 1 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
