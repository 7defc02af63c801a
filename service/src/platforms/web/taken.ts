/** `missing`: why there is none, in a sentence for the account. `cause`: for the operator. */
export type Taken<Value> = { readonly taken: Value } | { readonly missing: string; readonly cause?: unknown };
