const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A small page of the service itself: no scripts, no fonts, nothing from elsewhere. `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
code { font-family: ui-monospace, monospace; }
td { padding: .25rem 1rem .25rem 0; vertical-align: top; }
dt { margin-top: .75rem; } dd { margin-left: 0; }
</style>
${body}
</html>
`;
}
