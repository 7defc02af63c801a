/** What the functions give back is the page's word for it: unknown, until it is looked at. */
type InPage<Input extends unknown[]> = (...input: Input) => unknown;

export const htmlOfElements: InPage<[elements: readonly unknown[], limits: { charsMax: number; key: string | null }]>;
export const markOldTurns: InPage<[elements: readonly unknown[]]>;
export const markPanels: InPage<[elements: readonly unknown[], textSelectors: readonly string[]]>;
export const newTurn: InPage<[elements: readonly unknown[], dropped: readonly string[]]>;
export const shownError: InPage<[element: unknown, textSelectors: readonly string[]]>;
export const findDrafts: InPage<
  [turn: unknown, rules: Readonly<Record<"drafts" | "turns" | "texts" | "done" | "question", readonly string[]>>]
>;
export const isField: InPage<[element: unknown]>;
export const heldText: InPage<[element: unknown]>;
export const attributeOf: InPage<[element: unknown, name: string]>;
export const unscroll: InPage<[element: unknown]>;
export const unscrollWithin: InPage<[element: unknown]>;
export const showEnd: InPage<[element: unknown]>;
export const heightOf: InPage<[element: unknown]>;
export const grow: InPage<[element: unknown, height: number]>;
export const hide: InPage<[elements: readonly unknown[]]>;
