import type { TaskRecord } from "@querent/contract";
import { useEffect, useState } from "preact/hooks";
import { getTask } from "../../api/querent.ts";
import type { Reply } from "../../api/request.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { words } from "../../words/words.ts";
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
type PartName = (typeof partNames)[number];

/** One task. While it is pending the service holds each request until it ends; later a new revision may still come. */
export function TaskView({ taskId }: { taskId: string }) {
  const t = words.value.task;
  const [isPending, setPending] = useState(true);
  const { value, failed, refresh } = useLive<Reply<TaskRecord>>(
    taskId,
    async (signal, before) => {
      if (before === null) return whole(await getTask(taskId, { signal }));
      const wait = before.body.state === "pending" ? { prefer: "wait=20" } : {};
      const match = before.etag === null ? {} : { "if-none-match": before.etag };
      return (await getTask(taskId, { signal, headers: { ...wait, ...match } })) ?? before;
    },
    { everyMs: isPending ? 500 : 20_000 },
  );
  const record = value?.body ?? null;
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
    <div class="view task-view">
      <a class="back" href={list}>
        <Icon name="back" />
        {t.back}
      </a>
      {failed === null ? null : failed.status === 404 ? (
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
          <Part name={shown} record={record} text={value.text} />
        </>
      )}
    </div>
  );
}

function Part({ name, record, text }: { name: PartName; record: TaskRecord; text: string }) {
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
      return <JsonPart text={text} />;
  }
}

/** Parts that the task has nothing for are not offered. */
function isThere(name: PartName, record: TaskRecord): boolean {
  if (name === "steps") return record.reasoningProcess !== null || record.searchProcess !== null;
  if (name === "page") return record.pageHtml !== null;
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

function whole(reply: Reply<TaskRecord> | null): Reply<TaskRecord> {
  if (reply === null) throw new Error("304 to a request without If-None-Match");
  return reply;
}
