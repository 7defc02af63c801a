import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";

/** A signed-in session of a web platform, without its contents. */
export const SessionRecord = Type.Object({
  platformCode: Type.String(),
  name: Type.String({ description: "Names the account at the platform; unique within the platform." }),
  state: Type.Enum(["ready", "throttled", "signed_out", "needs_person"], {
    description:
      "`throttled`: the page limits this session, and it is not used before `throttledUntil`. `signed_out`: the page asks to sign in, and it is not used before the next sign-in. `needs_person`: the page asks for a human, and it is not used until a person has passed the check and resumed it, or signed in again.",
  }),
  running: Type.Integer({ minimum: 0, description: "Tasks that use it now." }),
  limits: Type.Object(
    {
      runningMax: Nullable(Type.Integer(), { description: "The most tasks that use it at the same time." }),
      perMinute: Nullable(Type.Integer(), { description: "The most tasks that begin to use it in a minute." }),
      perHour: Nullable(Type.Integer(), { description: "The most tasks that begin to use it in an hour." }),
    },
    { description: "Its own limits, from `sessions` of the platform's settings. Null: only those of the platform." },
  ),
  bytes: Type.Integer({ minimum: 0, description: "Its size." }),
  signedInAt: Timestamp,
  savedAt: Nullable(Timestamp, { description: "The last time that what the page changed was stored." }),
  usedAt: Nullable(Timestamp, { description: "The last time that a task began to use it." }),
  succeededAt: Nullable(Timestamp, { description: "The last complete answer." }),
  throttledUntil: Nullable(Timestamp),
  signedOutAt: Nullable(Timestamp, { description: "Since when it is `signed_out` or `needs_person`." }),
  signedOutWhy: Nullable(Type.String({ description: "What the page showed, for the operator." })),
});
export type SessionRecord = Static<typeof SessionRecord>;

export const SessionList = Type.Object({ sessions: Type.Array(SessionRecord) });
export type SessionList = Static<typeof SessionList>;
