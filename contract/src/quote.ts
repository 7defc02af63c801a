import { Type, type Static } from "typebox";
import { ProblemItem } from "./problem.ts";
import { Nullable } from "./scalars.ts";

export const quoteWarnings = {
  output_without_effect: "This platform returns only the answer. `output` is returned as `answer`.",
  result_format_without_effect:
    "This platform returns only the structured answer. `resultFormat` is returned as submitted and has no effect.",
  option_ignored:
    "This platform does not support the option, or not with this value. The question is asked without it, and `effective` reports it as `unsupported`.",
} as const;

/** A value that is accepted but has no effect. */
export const QuoteWarning = Type.Object({
  pointer: Type.String({ description: "JSON Pointer (RFC 6901) into the body." }),
  code: Type.Enum(Object.keys(quoteWarnings) as (keyof typeof quoteWarnings)[]),
  detail: Type.String(),
});
export type QuoteWarning = Static<typeof QuoteWarning>;

/** The response to a dry run: the cost and the errors of each item. */
export const Quote = Type.Object({
  valid: Type.Boolean({ description: "True if every item would be accepted." }),
  itemCount: Type.Integer({ minimum: 0 }),
  estimatedPoints: Type.Integer({ minimum: 0, description: "The points of the valid items." }),
  availablePoints: Type.Integer({ minimum: 0 }),
  affordable: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      points: Nullable(Type.Integer({ minimum: 0 })),
      errors: Type.Array(ProblemItem),
      warnings: Type.Array(QuoteWarning, { description: "Values that are accepted but have no effect." }),
    }),
  ),
});
export type Quote = Static<typeof Quote>;
