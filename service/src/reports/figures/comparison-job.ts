import type { Difference, PanelComparison } from "@querent/contract";
import {
  compareArms,
  measureOf,
  sameWordings,
  type Answer,
  type Arm,
  type ArmDifference,
  type ArmTooFew,
  type FailedTask,
  type Instrument,
  type MeasureId,
  type PanelDefinition,
} from "@querent/figures";
import { jsonPieces, NotComputable, type Job } from "../../computing/job.ts";
import { readAnswers, readFailedTasks } from "./read-input.ts";
import { requestsOf, type AskedMeasures } from "./requests.ts";

export interface ComparisonInput {
  readonly measures: AskedMeasures;
  readonly one: ArmInput;
  readonly other: ArmInput;
}

export interface ArmInput {
  readonly panel: PanelDefinition;
  readonly window: { readonly from: string; readonly to: string };
  readonly kind: Instrument["kind"] | null;
  readonly importId: string | null;
  /** The names of the query's members that choose its surface. */
  readonly names: Readonly<Record<"platformCode" | "locale" | "persona" | "kind", string>>;
}

/** The differences of two arms. */
export const job: Job<ComparisonInput> = {
  module: import.meta.url,
  async *run({ measures, one, other }, read) {
    const readArm = async function* (name: "one" | "other") {
      const failures = yield* readFailedTasks(read, name);
      const answers = yield* readAnswers(read, name);
      return ofOneSurface(name === "one" ? one : other, answers, failures);
    };
    const first = yield* readArm("one");
    const second = yield* readArm("other");
    if (isSame(first, second)) throw notComputable("?withPlatformCode", "Both arms are the same answers.");
    const known = new Set(other.panel.entities.map(({ entityId }) => entityId));
    const subjects = requestsOf(one.panel, [...first.arm.answers, ...second.arm.answers], measures).filter(
      ({ entityId }) => entityId === undefined || known.has(entityId),
    );
    const pairs = one.panel.panelId === other.panel.panelId ? null : sameWordings(one.panel, other.panel);
    const rows = yield* compareArms([first.arm, second.arm], pairs, subjects);
    yield* jsonPieces({
      one: first.record,
      other: second.record,
      commonPrompts: (pairs ?? one.panel.prompts).length,
      rows: rows.map(
        ({ measure, entityId = null, domain = null, sourceType = null, thesePrompts, promptsLikeThese, ...row }) => ({
          measure,
          definition: row.definition,
          entityId,
          domain,
          sourceType,
          one: { ...row.one, instrument: [...row.one.instrument] },
          other: { ...row.other, instrument: [...row.other.instrument] },
          prompts: row.prompts,
          unpaired: row.unpaired,
          topics: row.topics,
          bounds: row.bounds,
          thesePrompts: stated(thesePrompts, measure),
          promptsLikeThese: stated(promptsLikeThese, measure),
        }),
      ),
    } satisfies PanelComparison);
  },
};

const notComputable = (pointer: string, detail: string) => new NotComputable({ pointer, code: "not_allowed", detail });

interface ResolvedArm {
  readonly arm: Arm;
  readonly record: PanelComparison["one"];
}

function isSame({ record: one }: ResolvedArm, { record: other }: ResolvedArm): boolean {
  const { answers: _, ...first } = one;
  const { answers: __, ...second } = other;
  return JSON.stringify(first) === JSON.stringify(second);
}

/** Surfaces are never added up, so an arm is of one. Imported answers are meant if the kind or the import is named, or if there are no others. */
function ofOneSurface(
  { panel, window, kind: askedKind, importId, names }: ArmInput,
  all: readonly Answer[],
  failures: readonly FailedTask[],
): ResolvedArm {
  const asked = all.filter(({ instrument: { kind } }) =>
    askedKind === null ? kind !== "imported" : kind === askedKind,
  );
  const some = askedKind === null && (importId !== null || asked.length === 0) ? all : asked;
  const [first] = some;
  if (first === undefined) throw notComputable(`?${names.platformCode}`, "There are no answers in the window.");
  for (const member of ["platformCode", "locale", "persona"] as const) {
    const values = new Set(some.map((answer) => answer[member]));
    if (values.size > 1)
      throw notComputable(`?${names[member]}`, `There are answers of several: choose one of ${listOf(values)}.`);
  }
  const { platformCode, locale, persona } = first;
  const { kind } = first.instrument;
  const kinds = new Set(some.map(({ instrument }) => instrument.kind));
  if (kinds.size > 1)
    throw notComputable(`?${names.kind}`, `There are answers of several: choose one of ${listOf(kinds)}.`);
  return {
    arm: {
      panel,
      answers: some,
      failures: kind === "imported" ? [] : failures.filter((failure) => failure.kind === kind),
    },
    record: {
      panelId: panel.panelId,
      revision: panel.revision,
      platformCode,
      kind,
      locale,
      persona,
      importId,
      window,
      answers: some.length,
    },
  };
}

const listOf = (values: ReadonlySet<string>) =>
  [...values]
    .map((value) => (value === "" ? "none" : value))
    .toSorted()
    .join(", ");

const stated = ({ tooFew, ...difference }: ArmDifference, measure: MeasureId): Difference => ({
  ...difference,
  reason: tooFew === null ? null : reasonOf(tooFew, measure),
});

function reasonOf({ what, arm, there, needed }: ArmTooFew, measure: MeasureId): NonNullable<Difference["reason"]> {
  const numbers = { arm, there, needed };
  const ofArm = arm === "one" ? "the first arm" : "the other arm";
  switch (what) {
    case "answers":
    case "prompts":
      return { code: "no_common_prompts", detail: "No prompt has a value in both arms.", ...numbers };
    case "runs": {
      const unit = measureOf(measure).sample ?? "runs";
      const words = { runs: "runs", days: "days", pairs_of_days: "pairs of days", pairs_of_runs: "pairs of runs" }[
        unit
      ];
      return {
        code: `too_few_${unit}`,
        detail: `There are ${there} ${words} of ${ofArm}, and ${needed} are needed.`,
        ...numbers,
      };
    }
    case "topics":
      return {
        code: "too_few_topics",
        detail: `The prompts of both arms are of ${there} topics; a statement about prompts like these needs ${needed}.`,
        ...numbers,
      };
    case "dependent_runs":
      return {
        code: "dependent_runs",
        detail: `What moves all prompts of ${ofArm} at once may last for several runs, and ${there} runs do not show for how long: ${needed} are needed.`,
        ...numbers,
      };
    case "no_interval":
      return { code: "no_interval", detail: "This measure has no interval.", ...numbers };
  }
}
