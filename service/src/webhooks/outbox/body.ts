import type { Notification, TaskRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";

export const notificationBytesMaxDefault = 256 * 1024;

/**
 * The bytes of a notification. Above `bytesMax` the task is sent without its result, and the receiver fetches it. The reduced
 * form is sent even if it exceeds a very small limit: a webhook without `taskId` is of no use.
 */
export function notificationBody(record: TaskRecord, deliveryRevision: number, bytesMax: number): Buffer {
  // Avoids serializing megabytes only to find that they are too long.
  if (charsAtLeast(record) <= bytesMax) {
    const whole = encode({ event: "task.finished", deliveryRevision, task: { ...record, resultOmitted: false } });
    if (whole.length <= bytesMax) return whole;
  }
  return encode({
    event: "task.finished",
    deliveryRevision,
    task: {
      taskId: record.taskId,
      clientReference: record.clientReference,
      state: record.state,
      content: null,
      revision: record.revision,
      chargedPoints: record.chargedPoints,
      createdAt: record.createdAt,
      completedAt: record.completedAt,
      resultOmitted: true,
    },
  });
}

/** A lower bound of the notification's length: the total of its longest texts, since each code unit takes at least one byte. */
function charsAtLeast({ content, pageHtml, sources, reasoningProcess }: TaskRecord): number {
  let chars = (content?.length ?? 0) + (pageHtml?.length ?? 0);
  for (const { summary } of sources) chars += summary?.length ?? 0;
  for (const { text } of reasoningProcess ?? []) chars += text.length;
  return chars;
}

function encode(notification: Notification): Buffer {
  return Buffer.from(JSON.stringify(notification), "utf8");
}

/** What notifications need to know about tasks: their current records. */
export interface TaskRecords {
  read(db: Queryable, accountId: string, taskIds: readonly string[]): Promise<Map<string, TaskRecord>>;
}
