import type { TaskRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { to } from "../../app/address.ts";
import { StateMark } from "../../ui/state-mark.tsx";
import { Ago, distance, duration, fullTime, now, number } from "../../ui/time.tsx";
import { taskMessages } from "../../i18n/task.ts";
import { took } from "../tasks/task-table.tsx";
import { AskedAsFacts } from "./asked-as-facts.tsx";
import { TaskActions } from "./task-actions.tsx";
import * as css from "./task-head.module.css";

const questionShownMax = 280;

/** The question, how it stands, and what may be done about it. */
export function TaskHead({ record, changed }: { record: TaskRecord; changed: () => void }) {
  const t = taskMessages.value;
  const [whole, setWhole] = useState(false);
  const isLong = record.question.length > questionShownMax;
  return (
    <header class={css.taskHead}>
      <div class={css.taskHeadTop}>
        <StateMark state={record.state} progress={record.progress} />
        <TaskActions record={record} changed={changed} />
      </div>
      <h1 class={isLong ? css.long : undefined} dir="auto">
        {isLong && !whole ? `${record.question.slice(0, questionShownMax).toWellFormed()}…` : record.question}
      </h1>
      {isLong ? (
        <button type="button" class="plain link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t.less : t.more}
        </button>
      ) : null}
      <WaitLine progress={record.progress} />
      <ul class={css.taskMarks}>
        {optionsOf(record).map((option) => (
          <li key={option} class="tag">
            {option}
          </li>
        ))}
        {record.tags.map((tag) => (
          <li key={tag}>
            <a class="tag" href={to("/tasks", { q: `tag:"${tag.replaceAll('"', "")}"` })}>
              <bdi>{tag}</bdi>
            </a>
          </li>
        ))}
      </ul>
      {record.provenance?.standIn === true ? <p class="note note-warn">{t.standInNote}</p> : null}
      <Facts record={record} />
      <AskedAsFacts record={record} />
    </header>
  );
}

/** What a pending task waits for, when it is tried next, and what failed last. */
function WaitLine({ progress }: Pick<TaskRecord, "progress">) {
  const t = taskMessages.value;
  if (progress === null || progress.reason === null) return null;
  const { reason, nextAttemptAt, lastFailure } = progress;
  // The state mark says this already.
  if (reason === "queued" && lastFailure === null) return null;
  const parts = [
    reason === "retry" && lastFailure !== null ? t.attemptFailed(lastFailure.attempt) : t.waitReasons[reason],
    ...(nextAttemptAt === null ? [] : [t.retryAt(distance(Math.max(1000, Date.parse(nextAttemptAt) - now.value)))]),
    ...(lastFailure === null ? [] : [`${lastFailure.code}: ${lastFailure.message}`]),
  ];
  return (
    <p class={css.taskWait} data-waits>
      {parts.join(" · ")}
    </p>
  );
}

function Facts({ record }: { record: TaskRecord }) {
  const t = taskMessages.value;
  const facts = [
    [t.facts.platform, record.platformCode],
    [t.facts.model, record.modelVersion],
    [t.facts.asked, <Ago key="asked" at={record.createdAt} />],
    [t.facts.took, took(record)],
    [t.facts.points, record.state === "pending" ? null : number(record.chargedPoints)],
    [t.facts.reference, record.clientReference],
    [t.facts.revision, record.revision > 1 ? number(record.revision) : null],
    [t.facts.expires, <Expiry key="expiry" record={record} />],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(([name, fact]) =>
        fact === null || (name === t.facts.expires && record.expiresAt === null) ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{fact}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

const dayMs = 86_400_000;

/** How long the result is still kept: in days, and to the second on its last day. */
function Expiry({ record: { expiresAt, expired } }: { record: TaskRecord }) {
  const t = taskMessages.value;
  if (expiresAt === null) return null;
  const leftMs = Date.parse(expiresAt) - now.value;
  if (expired || leftMs <= 0) return <span class="quiet">{t.expired}</span>;
  const left = leftMs < dayMs ? duration(leftMs) : distance(leftMs);
  return (
    <time dateTime={expiresAt} title={fullTime(expiresAt)} class={leftMs < dayMs ? css.soon : undefined}>
      {left}
    </time>
  );
}

function optionsOf({ options, provenance }: TaskRecord): string[] {
  const t = taskMessages.value;
  return [
    ...(provenance === null ? [] : [provenance.standIn === true ? t.standIn : t.kinds[provenance.kind]]),
    ...(options.deepAnalysis ? [t.options.deepAnalysis] : []),
    ...(options.output === "answer" ? [] : [t.options[options.output]]),
    ...(options.resultFormat === "json" ? [] : [t.options[options.resultFormat]]),
  ];
}
