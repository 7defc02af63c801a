import { readsUntil } from "../../db/index.ts";
import type { Readable } from "node:stream";
import type { FigureRequest, PanelDefinition } from "@querent/figures";
import { memoryForWindow, answerPages, type AnswerSelection } from "../figures/answer-pages.ts";
import { readDefinition } from "../figures/read-definition.ts";
import { failurePages } from "../figures/read-failures.ts";
import { windowOf } from "../figures/window.ts";
import { job } from "./bridge-job.ts";
import { checkMeasure, invalid } from "./check-measure.ts";
import type { PlanDeps } from "./plan-panel.ts";

export interface BridgeRequest extends Omit<FigureRequest, "by" | "platformCode"> {
  readonly fromPlatform: string;
  readonly toPlatform: string;
}

const narrow = { pointer: "?from", detail: "Choose a shorter window, or a locale." };

/** The bridge as JSON. Null: the account has no such panel. */
export async function bridgePanel(
  { database, entities, computer }: Omit<PlanDeps, "rules">,
  {
    accountId,
    panelId,
    signal,
  }: { readonly accountId: string; readonly panelId: string; readonly signal: AbortSignal },
  { fromPlatform, toPlatform, from, to, ...asked }: BridgeRequest,
): Promise<Buffer | Readable | null> {
  const panel = await readDefinition(database, entities, accountId, panelId);
  if (panel === null) return null;
  check(panel, { ...asked, fromPlatform, toPlatform });
  const window = await windowOf(database, { accountId, panelId }, { from, to });
  const { locale, persona } = asked;
  const surface = { ...(locale === undefined ? {} : { locale }), ...(persona === undefined ? {} : { persona }) };
  const selectionOf = (platformCode: unknown): AnswerSelection => ({
    panelId,
    ...surface,
    ...window,
    platformCode: String(platformCode),
  });
  return computer.reply({
    accountId,
    job,
    input: { panel, asked: { ...asked, ...surface }, window, fromPlatform, toPlatform },
    inputs: {
      failures: (db, of) => failurePages(db, accountId, selectionOf(of), asked),
      answers: (db, of) => answerPages(db, accountId, selectionOf(of)),
    },
    signal,
    narrow,
    memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, { panelId, ...window }),
  });
}

function check(panel: PanelDefinition, request: BridgeRequest): void {
  for (const name of ["fromPlatform", "toPlatform"] as const)
    if (!panel.platforms.includes(request[name])) throw invalid(`?${name}`, "The panel does not ask this platform.");
  if (request.fromPlatform === request.toPlatform) throw invalid("?toPlatform", "It is the same platform.");
  checkMeasure(panel, request, "?");
}
