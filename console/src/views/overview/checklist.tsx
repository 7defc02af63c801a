import type { PanelSummary } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { conditions } from "../../app/conditions.ts";
import { session } from "../../app/session.ts";
import { overviewMessages } from "../../i18n/overview.ts";
import { Icon } from "../../ui/icon.tsx";
import type { AccountPanels } from "./panels-part.tsx";
import * as css from "./checklist.module.css";

const refreshMs = 15_000;

interface ChecklistProps {
  readonly account: AccountPanels;
}

interface Step {
  readonly id: keyof typeof overviewMessages.value.steps;
  readonly isDone: boolean;
  readonly address: string;
}

/** From nothing to a shared report: what is done is ticked by itself, and what is not is a click away. */
export function Checklist({ account: { panels, brands } }: ChecklistProps) {
  const t = overviewMessages.value;
  const { value } = useLive(
    `steps ${panels.map(({ panelId }) => panelId).join(" ")}`,
    (call) => readDone(panels, call),
    {
      everyMs: refreshMs,
    },
  );
  const has = (relation: "own" | "competitor") => brands.some((brand) => brand.relation === relation);
  const [first] = panels;
  const panel = first === undefined ? "/panels/new" : `/panels/${first.panelId}`;
  const steps: readonly Step[] = [
    {
      id: "platform",
      isDone: conditions.value.platforms.some(
        ({ configured, standIn, kind }) => configured && !standIn && kind !== "sample",
      ),
      address: to(session.value?.scopes?.includes("admin") === true ? "/operator/platforms" : "/platforms"),
    },
    { id: "brand", isDone: has("own"), address: to("/brands") },
    { id: "competitors", isDone: has("competitor"), address: to("/brands") },
    { id: "panel", isDone: first !== undefined, address: to("/panels/new") },
    {
      id: "run",
      isDone: value?.hasAnswers === true,
      address: to(panel, first === undefined ? {} : { part: "runs" }),
    },
    { id: "report", isDone: value?.isShared === true, address: to(panel) },
  ];
  const open = steps.filter(({ isDone }) => !isDone);
  if (open.length === 0 || value === null) return null;
  return (
    <details class={`panel ${css.checklist}`} open={value.hasAnswers ? undefined : true} data-checklist>
      <summary>
        <h2>{t.checklist}</h2>
        <span class="quiet">{t.checklistDone(steps.length - open.length, steps.length)}</span>
      </summary>
      <ol>
        {steps.map(({ id, isDone, address }) => (
          <li key={id} data-step={id} data-done={isDone}>
            <span class={isDone ? css.done : css.open}>{isDone ? <Icon name="check" /> : null}</span>
            <span>
              <a href={address} class={isDone ? "quiet" : undefined}>
                {t.steps[id]}
              </a>
              <span class="unseen"> {isDone ? t.stepDone : t.stepOpen}</span>
              {isDone ? null : <span class="quiet small"> {t.stepHints[id]}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

interface Done {
  readonly hasAnswers: boolean;
  readonly isShared: boolean;
}

async function readDone(panels: readonly PanelSummary[], call: object): Promise<Done> {
  let done: Done = { hasAnswers: false, isShared: false };
  for (const { panelId } of panels) {
    const [run, shares] = await Promise.all([readLastAnswered(panelId, call), querent.reports.shares(panelId, call)]);
    done = { hasAnswers: done.hasAnswers || run, isShared: done.isShared || shares.length > 0 };
    if (done.hasAnswers && done.isShared) break;
  }
  return done;
}

const runsRead = 20;

async function readLastAnswered(panelId: string, call: object): Promise<boolean> {
  let read = 0;
  for await (const { batches, state } of querent.panels.runs(panelId, call)) {
    if (state === "started" && batches.some(({ counts }) => counts.completed > 0)) return true;
    if (++read === runsRead) break;
  }
  return false;
}
