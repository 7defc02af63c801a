/** What the functions give back is the page's word for it: unknown, until it is looked at. */
type InPage<Input extends unknown[]> = (...input: Input) => unknown;

export const findLists: InPage<[element: unknown]>;
export const scrollLists: InPage<[element: unknown, step: { area: number; restart: boolean }]>;
export const noteLists: InPage<[]>;
export const countItems: InPage<[]>;
