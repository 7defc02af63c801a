/** The submission of items as a command for a POSIX shell. The token stays out of it: commands end up in histories and tickets. */
export function asCurl(items: readonly object[], origin: string): string {
  return [
    `curl -s ${quoted(`${origin}/v1/tasks/batch`)} \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Idempotency-Key: $(date +%s%N)" -H 'Content-Type: application/json' \\`,
    `  --data-raw ${quoted(JSON.stringify(items))}`,
  ].join("\n");
}

/** A word that needs no quoting in any shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
