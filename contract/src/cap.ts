import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp } from "./scalars.ts";

export const capKinds = ["account", "project", "panel", "tag"] as const;
const kind = Type.Enum([...capKinds], {
  description:
    "`account`: everything that the account submits. `project`: the runs of the panels of a project. `panel`: the runs of a panel. `tag`: the tasks with a tag, of runs and of batches.",
});
const limit = Type.Integer({ minimum: 0, maximum: 1e15 });

/** A cap as sent. At least one of its limits is set. */
export const CapInput = Closed({
  kind,
  subject: OptionalOrNull(
    StorableText({
      minLength: 1,
      maxLength: 64,
      description: "The id of the project or the panel, or the tag. None for the account.",
    }),
  ),
  runPoints: OptionalOrNull(limit),
  dayPoints: OptionalOrNull(limit),
  monthPoints: OptionalOrNull(limit),
});

export const CapsChange = Closed(
  { caps: Type.Array(CapInput, { maxItems: 1000, description: "All caps of the account. Others are removed." }) },
  {
    examples: [
      {
        caps: [
          { kind: "account", monthPoints: 50000 },
          { kind: "tag", subject: "coffee", dayPoints: 500 },
        ],
      },
    ],
  },
);
export type CapsChange = Static<typeof CapsChange>;

export const Cap = Type.Object({
  kind,
  subject: Nullable(Type.String()),
  runPoints: Nullable(limit, { description: "The most points of one run or batch. Null: no limit." }),
  dayPoints: Nullable(limit, { description: "The most points held in a day (UTC). Null: no limit." }),
  monthPoints: Nullable(limit, { description: "The most points held in a month (UTC). Null: no limit." }),
  dayHeld: Type.Integer({
    minimum: 0,
    description: "The points held today. Points of tasks that failed since are not subtracted.",
  }),
  monthHeld: Type.Integer({ minimum: 0, description: "The points held this month." }),
  countedFrom: Timestamp,
});
export type Cap = Static<typeof Cap>;
export const Caps = Type.Object({ caps: Type.Array(Cap) });
export type Caps = Static<typeof Caps>;
