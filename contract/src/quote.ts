import { Type, type Static } from "typebox";
import { ProblemItem } from "./problem.ts";
import { Nullable } from "./scalars.ts";

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
    }),
  ),
});
export type Quote = Static<typeof Quote>;
