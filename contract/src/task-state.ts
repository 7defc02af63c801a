import { Type } from "typebox";

export const taskStates = ["pending", "completed", "failed", "canceled"] as const;
export const TaskState = Type.Enum([...taskStates], {
  description: "`pending` until the task ends, including while it is running. The other states are final.",
});
export type TaskState = (typeof taskStates)[number];
