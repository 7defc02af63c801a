import type { TaskRecord } from "@querent/contract";
import { idAt } from "../../kernel/id-at.ts";

/** The id of what remains of a task: of its observation, or of its failure. */
export const observationId = ({ taskId, completedAt, createdAt }: TaskRecord): string =>
  idAt(new Date(completedAt ?? createdAt), taskId);
