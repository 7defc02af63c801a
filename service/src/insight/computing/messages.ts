/** What a service and the process of a job send each other. */

import type { ProblemItem } from "@querent/contract";

/** What to do; a page of an input, and that there are no more, or why not. Inputs are numbered by the process. */
export type ToProcess =
  | { readonly module: string; readonly input: unknown }
  | { readonly of: number; readonly page: string }
  | { readonly of: number; readonly end: "complete" | "too_large" };

/** Which input it reads; that it has taken a page, or takes no more; a piece of the result; and how it ended. */
export type FromProcess =
  | { readonly read: number; readonly name: string; readonly of: unknown }
  | { readonly taken: number }
  | { readonly left: number }
  | { readonly piece: Buffer }
  | { readonly end: "complete" | "input_too_large" | "result_too_large" | "memory" }
  | { readonly notComputable: ProblemItem; readonly sentence: string }
  | { readonly error: unknown };
