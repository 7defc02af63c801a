/**
 * The script that the watch mode adds to the page. The first message says what the page was made of; a later one with other scripts
 * reloads it, and one with other styles swaps them: the new one first, so that the page is never without.
 */
export const liveReload = (changes: string): string => `
let scripts;
new EventSource(${JSON.stringify(changes)}).addEventListener("message", ({ data }) => {
  const change = JSON.parse(data);
  scripts ??= change.scripts;
  if (scripts !== change.scripts) return location.reload();
  const before = [...document.querySelectorAll("link[rel=stylesheet]")];
  const shown = new Set(before.map(({ href }) => new URL(href).pathname));
  for (const path of change.styles.filter((path) => !shown.has(path))) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = path;
    const gone = before.filter(({ href }) => !change.styles.includes(new URL(href).pathname));
    link.addEventListener("load", () => gone.forEach((old) => old.remove()));
    document.head.append(link);
  }
});
`;
