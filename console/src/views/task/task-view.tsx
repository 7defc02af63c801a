import { NotFoundError, type TaskReading, type TaskRecord } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { taskMessages } from "../../i18n/task.ts";
import { neighbour } from "../tasks/last-list.ts";
import { AnswerPart } from "./answer/answer-part.tsx";
import { DeliveriesPart } from "./parts/deliveries-part.tsx";
import { JsonPart } from "./parts/json-part.tsx";
import { PagePart } from "./parts/page-part.tsx";
import { ScreenshotPart } from "./parts/screenshot-part.tsx";
import { StepsPart } from "./parts/steps-part.tsx";
import { TimelinePart } from "./parts/timeline-part.tsx";
import { TaskHead } from "./task-head.tsx";

const partNames = ["answer", "steps", "page", "screenshot", "timeline", "deliveries", "json"] as const;
/** How long the service may hold the answer about a task that is pending: its end is seen at once, why it waits no later than this. */
const heldSeconds = 3;
type PartName = (typeof partNames)[number];

/** One task. While it is pending the service holds each request until it ends; later a new revision may still come. */
export function TaskView({ taskId }: { taskId: string }) {
  const t = taskMessages.value;
  const [isPending, setPending] = useState(true);
  const { value, failed, refresh } = useLive<TaskReading>(
    taskId,
    async (call, before) => {
      const waitSeconds = before?.record.state === "pending" ? heldSeconds : 0;
      return (await querent.tasks.read(taskId, { ...call, waitSeconds, etag: before?.etag })) ?? whole(before);
    },
    { everyMs: isPending ? 500 : 20_000 },
  );
  const record = value?.record ?? null;
  const list = to("/tasks", { q: query.value.get("q") ?? "" });
  const shown = partOf(query.value.get("part"), record);

  useEffect(() => {
    if (record === null) return;
    setPending(record.state === "pending");
    document.title = `${record.question.slice(0, 60)} · Querent`;
  }, [record]);
  const step = (by: 1 | -1) => {
    const next = neighbour(taskId, by);
    if (next !== null) go(addressOf(next, shown));
  };
  useShortcuts({ j: () => step(1), k: () => step(-1), u: () => go(list) });

  return (
    <div class="view">
      <a class="back" href={list}>
        <Icon name="back" />
        {t.back}
      </a>
      {failed === null ? null : failed instanceof NotFoundError ? (
        <div class="empty">
          <h1>{t.unknown}</h1>
          <p class="quiet">{t.unknownText}</p>
        </div>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {record === null || value === null ? null : (
        <>
          <TaskHead record={record} changed={refresh} />
          <nav class="parts" aria-label={t.tabsLabel}>
            {partNames
              .filter((name) => isThere(name, record))
              .map((name) => (
                <a
                  key={name}
                  href={addressOf(taskId, name)}
                  aria-current={name === shown ? "page" : undefined}
                  class="part-link"
                >
                  {t.tabs[name]}
                </a>
              ))}
          </nav>
          <Part name={shown} record={record} json={value.json} />
        </>
      )}
    </div>
  );
}

function Part({ name, record, json }: { name: PartName; record: TaskRecord; json: string }) {
  switch (name) {
    case "answer":
      return <AnswerPart record={record} />;
    case "steps":
      return <StepsPart record={record} />;
    case "page":
      return <PagePart record={record} />;
    case "screenshot":
      return <ScreenshotPart record={record} />;
    case "timeline":
      return <TimelinePart record={record} />;
    case "deliveries":
      return <DeliveriesPart key={record.taskId} taskId={record.taskId} state={record.state} />;
    case "json":
      return <JsonPart text={json} />;
  }
}

/** Parts that the task has nothing for are not offered. */
function isThere(name: PartName, record: TaskRecord): boolean {
  if (name === "steps") return record.reasoningProcess !== null || record.searchProcess !== null;
  if (name === "page") return record.pageHtml !== null || record.evidence.length > 0;
  if (name === "screenshot") return record.screenshotUrl !== null || record.shareUrl !== null;
  return true;
}

function partOf(name: string | null, record: TaskRecord | null): PartName {
  const known = partNames.find((part) => part === name) ?? "answer";
  return record === null || isThere(known, record) ? known : "answer";
}

function addressOf(taskId: string, part: PartName): string {
  return to(`/tasks/${taskId}`, { q: query.value.get("q") ?? "", part: part === "answer" ? "" : part });
}

function whole(before: TaskReading | null): TaskReading {
  if (before === null) throw new Error("nothing has changed since nothing was read");
  return before;
}
