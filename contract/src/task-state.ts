import { Type } from "typebox";

export const taskStates = ["pending", "completed", "failed", "canceled"] as const;
export const TaskState = Type.Enum([...taskStates], {
  description: "`pending` until the end, whatever happens meanwhile; the other three are final.",
});
export type TaskState = (typeof taskStates)[number];
