/** What the functions return is only what the page says: unknown until it is checked. */
type InPage<Input extends unknown[]> = (...input: Input) => unknown;

export const markConversation: InPage<[elements: readonly unknown[]]>;
export const wordsOf: InPage<
  [elements: readonly unknown[], how: { readonly question: string; readonly where: string; readonly menus: boolean }]
>;
