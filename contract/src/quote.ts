import { Type, type Static } from "typebox";
import { ProblemItem } from "./problem.ts";
import { Nullable } from "./scalars.ts";

export const quoteWarnings = {
  output_without_effect: "This platform gives the answer alone; `output` is returned as `answer`.",
  result_format_without_effect:
    "This platform gives the structured answer alone; `resultFormat` is echoed and changes nothing.",
} as const;

/** What is accepted, and has no effect. */
export const QuoteWarning = Type.Object({
  pointer: Type.String({ description: "JSON Pointer (RFC 6901) into the body." }),
  code: Type.Enum(Object.keys(quoteWarnings) as (keyof typeof quoteWarnings)[]),
  detail: Type.String(),
});
export type QuoteWarning = Static<typeof QuoteWarning>;

/** The answer to a dry run: what a submission of the same body would cost, item by item, and what is wrong with it. */
export const Quote = Type.Object({
  valid: Type.Boolean({ description: "True when every item would be accepted." }),
  itemCount: Type.Integer({ minimum: 0 }),
  estimatedPoints: Type.Integer({ minimum: 0, description: "Of the valid items." }),
  availablePoints: Type.Integer({ minimum: 0 }),
  affordable: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      points: Nullable(Type.Integer({ minimum: 0 })),
      errors: Type.Array(ProblemItem),
      warnings: Type.Array(QuoteWarning, { description: "What would be accepted, and have no effect." }),
    }),
  ),
});
export type Quote = Static<typeof Quote>;
