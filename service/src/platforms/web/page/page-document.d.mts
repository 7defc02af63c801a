/** What the functions give back is the page's word for it: unknown, until it is looked at. */
type InPage<Input extends unknown[]> = (...input: Input) => unknown;

export const noteStyles: InPage<[elements: readonly unknown[], limits: { charsMax: number }]>;
export const documentParts: InPage<[elements: readonly unknown[], limits: { charsMax: number }]>;
