/**
 * The types of the API, generated from its schemas by `npm run docs`. Do not edit.
 */
export {};
