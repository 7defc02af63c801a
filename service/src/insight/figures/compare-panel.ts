import { hasBounds, type Instrument, type PanelDefinition } from "@querent/figures";
import type { Readable } from "node:stream";
import { ProblemError } from "../../api/problem-error.ts";
import { readsUntil, type Database, type Queryable } from "../../db/index.ts";
import { memoryForAnswers, type Computer } from "../computing/computer.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { answerPages, countWindow, type AnswerSelection } from "./answer-pages.ts";
import { job, type ArmInput } from "./comparison-job.ts";
import { readDefinition } from "./read-definition.ts";
import { failurePages } from "./read-failures.ts";
import { measuresOf, partsOf, requireEntity, type AskedMeasures } from "./requests.ts";
import { windowOf } from "./window.ts";

export interface CompareDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
}

interface AskedArm {
  readonly platformCode?: string | undefined;
  readonly locale?: string | undefined;
  readonly persona?: string | undefined;
  readonly kind?: Instrument["kind"] | undefined;
  readonly importId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ComparisonRequest extends AskedMeasures {
  readonly panelId: string;
  readonly one: AskedArm;
  /** What is left out is as in the first arm, but for the kind and the import. */
  readonly other: AskedArm & { readonly panelId?: string | undefined };
}

const narrow = { pointer: "?from", detail: "Choose a shorter window." };

const namesOf = { platformCode: "platformCode", locale: "locale", persona: "persona", kind: "kind" } as const;
const namesOfOther = {
  platformCode: "withPlatformCode",
  locale: "withLocale",
  persona: "withPersona",
  kind: "withKind",
} as const;

/** The differences as JSON. */
export async function comparePanel(
  { database, entities, computer }: CompareDeps,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  { panelId, one, other, ...measures }: ComparisonRequest,
): Promise<Buffer | Readable> {
  const otherPanelId = other.panelId ?? panelId;
  const first = await readDefinition(database, entities, accountId, panelId);
  if (first === null) throw new ProblemError("not_found", "There is no such panel.");
  const second = otherPanelId === panelId ? first : await readDefinition(database, entities, accountId, otherPanelId);
  if (second === null) throw invalid("?withPanelId", "There is no such panel.");
  requireEntity(first, measures);
  const asked = measuresOf(measures);
  if (asked.includes("platform_source_agreement"))
    throw invalid("?measure", "`platform_source_agreement` compares platforms already.");
  const window = await windowOf(database, { accountId, panelId }, one);
  const otherWindow = await windowOf(
    database,
    { accountId, panelId: otherPanelId },
    { from: other.from ?? window.from, to: other.to ?? window.to },
    { from: "?withFrom", to: "?withTo" },
  );
  const selections = {
    one: selectionOf(panelId, window, one),
    other: selectionOf(otherPanelId, otherWindow, {
      platformCode: other.platformCode ?? one.platformCode,
      locale: other.locale ?? one.locale,
      persona: other.persona ?? one.persona,
      importId: other.importId,
    }),
  };
  const armOf = (definition: PanelDefinition, name: keyof typeof selections): ArmInput => ({
    panel: definition,
    window: name === "one" ? window : otherWindow,
    kind: (name === "one" ? one : other).kind ?? null,
    importId: selections[name].importId ?? null,
    names: name === "one" ? namesOf : namesOfOther,
  });
  const selected = (of: unknown) => selections[of === "one" ? "one" : "other"];
  const failing = asked.some(hasBounds) ? "all" : measures;
  const countAnswers = (db: Queryable) =>
    Promise.all(Object.values(selections).map((selection) => countWindow(db, accountId, selection)));
  return computer.reply({
    accountId,
    job,
    input: {
      measures,
      one: armOf(first, "one"),
      other: armOf(second, "other"),
    },
    inputs: {
      failures: (db, of) => failurePages(db, accountId, selected(of), failing),
      answers: (db, of) => answerPages(db, accountId, selected(of), partsOf(measures)),
    },
    signal,
    narrow,
    memoryMiB: async () => {
      const counts = await countAnswers(readsUntil(database, signal));
      return memoryForAnswers(counts.reduce((sum, count) => sum + count, 0));
    },
  });
}

function selectionOf(
  panelId: string,
  window: { readonly from: string; readonly to: string },
  { platformCode, locale, persona, importId }: AskedArm,
): AnswerSelection {
  return {
    panelId,
    ...window,
    ...(platformCode === undefined ? {} : { platformCode }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    ...(importId === undefined ? {} : { importId }),
  };
}

const invalid = (pointer: string, detail: string) =>
  new ProblemError("validation_failed", "This cannot be compared.", {
    errors: [{ pointer, code: "not_allowed", detail }],
  });
