/** What a function that runs in the page returns is the page's word: unknown, until it is looked at. */
export type InPage = (...input: unknown[]) => unknown;

/**
 * A function of the page that uses others: they are sent as text, so none can use another by itself. One of them all is one
 * round trip to the browser. `body` has them by their names, and the arguments as `input`.
 */
export function inPage(parts: Readonly<Record<string, (...input: never[]) => unknown>>, body: string): InPage {
  const named = Object.entries(parts).map(([name, part]) => `const ${name} = ${String(part)};`);
  const text = `(...input) => { ${named.join("\n")}\n${body} }`;
  return Object.assign(() => undefined, { toString: () => text });
}
