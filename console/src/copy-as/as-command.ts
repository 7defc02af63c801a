/** The submission of items as a command of `querent`, which reads them as JSON lines. No item's line can end the lines: each begins with a brace. */
export function asCommand(items: readonly object[], origin: string): string {
  return [
    `QUERENT_URL='${origin}' querent submit - <<'END'`,
    ...items.map((item) => JSON.stringify(item)),
    `END`,
    ``,
  ].join("\n");
}
