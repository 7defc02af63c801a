import type { TaskState } from "@querent/client";

/** The contract's own list would bring its schemas along. The type keeps this one complete. */
export const taskStates = Object.keys({
  pending: true,
  completed: true,
  failed: true,
  canceled: true,
} satisfies Record<TaskState, true>) as readonly TaskState[];
