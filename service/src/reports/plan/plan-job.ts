import {
  panelPromptsMax,
  waveMeasures,
  type PanelPlan,
  type PlanDesign as Design,
  type PlanRequest,
} from "@querent/contract";
import {
  countWatched,
  expectedOf,
  expectWaves,
  measuredCells,
  measureOf,
  plan,
  runsBefore,
  runsMin,
  sitesWatched,
  smallestFound,
  thresholdAmong,
  topicsMin,
  varianceComponents,
  wavesMin,
  type Answer,
  type Cell,
  type FailedTask,
  type PanelDefinition,
  type Plan,
  type PlannedDesign,
  type VarianceComponents,
} from "@querent/figures";
import { jsonPieces, NotComputable, type Job } from "../../computing/job.ts";
import { readAnswers, readFailedTasks } from "../figures/read-input.ts";

export interface PlanInput {
  readonly panel: PanelDefinition;
  readonly request: PlanRequest;
  readonly window: { readonly from: string; readonly to: string };
  readonly surface: { readonly platformCode: string; readonly locale?: string; readonly persona?: string };
  readonly prices: Prices;
}

const runsDefault = 60;
const repeatsDefault = 10;
const wavesOfPlanMax = 100;

/** How many prompts, runs and repeats a wanted interval needs. */
export const job: Job<PlanInput> = {
  module: import.meta.url,
  async *run(input, read) {
    const { panel, request, prices } = input;
    let known: Known;
    if (request.assume === undefined) {
      const failures = yield* readFailedTasks(read);
      const answers = yield* readAnswers(read);
      known = knownOf(input, answers, failures);
      yield;
    } else known = { components: assumed(request, request.assume), pilot: null, cells: [], sites: [] };
    const { components, pilot, cells, sites } = known;
    const { definition, kind } = measureOf(request.measure);
    const head = {
      panelId: panel.panelId,
      revision: panel.revision,
      measure: request.measure,
      definition,
      scope: request.scope,
      wantedWidth: request.width,
      pilot,
      deviations: components === null ? null : deviationsOf(components),
      inWaves: inWaves(request, cells, prices),
      changes: components === null ? null : changesOf(panel, request, components, sites),
    };
    yield;
    if (components === null) {
      const unplanned: PanelPlan = { ...head, samePrompts: null, moreTopics: null, least: null, reason: pilotTooSmall };
      return yield* jsonPieces(unplanned);
    }
    const here = unbranded(panel, request.entityId);
    const limits = { runsMax: request.runsMax ?? runsDefault, repeatsMax: request.repeatsMax ?? repeatsDefault };
    const wanted = {
      scope: request.scope,
      kind,
      width: request.width,
      ...here,
      ...limits,
      promptsMax: panelPromptsMax,
    };
    const planned = plan(components, wanted);
    const stated = (design: PlannedDesign | null) =>
      design === null ? null : statedDesign(design, prices, request.runsPerDay ?? 1);
    yield* jsonPieces({
      ...head,
      samePrompts: stated(planned.samePrompts),
      moreTopics: stated(planned.moreTopics),
      least: stated(planned.least),
      reason: reasonOf(planned, wanted),
    } satisfies PanelPlan);
  },
};

interface Known {
  readonly components: VarianceComponents | null;
  readonly pilot: PanelPlan["pilot"];
  readonly cells: readonly Cell[];
  /** The sites that are watched for changes. */
  readonly sites: readonly string[];
}

function knownOf(
  { panel, request, window, surface }: PlanInput,
  answers: readonly Answer[],
  failures: readonly FailedTask[],
): Known {
  const { measure, entityId, domain, sourceType } = request;
  const subject = {
    ...(entityId === undefined ? {} : { entityId }),
    ...(domain === undefined ? {} : { domain }),
    ...(sourceType === undefined ? {} : { sourceType }),
  };
  // The kind of platform with the most cells, since the panel may also have imported answers.
  const measured = measuredCells(panel, answers, { measure, ...subject, ...surface, ...window }, failures);
  const [most] = measured.toSorted((one, other) => other.cells.length - one.cells.length);
  const components = most === undefined ? null : varianceComponents(most.cells);
  if (most === undefined || components?.pilot === null || components === null)
    return { components: null, pilot: null, cells: [], sites: [] };
  const { topics, cells, runs } = components.pilot;
  const { kind, locale, persona } = most.surface;
  return {
    components,
    pilot: { kind, locale, persona, topics, prompts: cells, runs, window },
    cells: most.cells,
    sites: sitesWatched(panel, answers),
  };
}

function inWaves({ measure, scope, width, repeatsMax }: PlanRequest, cells: readonly Cell[], prices: Prices) {
  if (cells.length === 0 || scope !== "these_prompts" || !waveMeasures.some((one) => one === measure)) return null;
  // Shrunk towards a half while a cell has few answers.
  const rates = cells.map(({ answers }) => expectedOf({ answers: answers.length, sum: sumOf(answers) }));
  const { waves, answers, reached } = expectWaves(rates, width, Math.max(wavesMin, repeatsMax ?? wavesOfPlanMax));
  return { waves, answers: Math.ceil(answers), points: Math.ceil(answers * prices.answer), reached };
}

/** In runs since a change. */
const runsOfChanges = [7, 14, 28];

function changesOf(
  panel: PanelDefinition,
  { measure, entityId, domain }: PlanRequest,
  { ofRuns, ofGroups, ofAnswers }: VarianceComponents,
  sites: readonly string[],
): PanelPlan["changes"] {
  const watched = countWatched(panel, { measure, entityId, domain }, sites);
  if (watched === null) return null;
  const threshold = thresholdAmong(watched, watched.isMain);
  const { prompts } = unbranded(panel, entityId);
  const variance = (ofGroups + ofAnswers / panel.repeats) / Math.max(1, prompts);
  const noise = { variance: Math.max(variance, 1 / Math.max(1, prompts * panel.repeats) ** 2), df: prompts, memory: 0 };
  const smallest = runsOfChanges.map((runs) => ({
    runs,
    difference: smallestFound(noise, ofRuns, { runs, threshold }),
  }));
  return { threshold, runsBefore, smallest };
}

const sumOf = (answers: Cell["answers"]) => answers.reduce((sum, { value }) => sum + value, 0);

function assumed(request: PlanRequest, assume: NonNullable<PlanRequest["assume"]>): VarianceComponents {
  const { value, betweenTopics, betweenPrompts, betweenRuns, betweenAnswers } = assume;
  const others = betweenTopics ** 2 + betweenPrompts ** 2 + betweenRuns ** 2;
  const isRate = measureOf(request.measure).kind === "rate";
  if (isRate && value > 1)
    throw new NotComputable({ pointer: "/assume/value", code: "not_allowed", detail: "A rate is from 0 to 1." });
  if (!isRate && betweenAnswers === undefined)
    throw new NotComputable({
      pointer: "/assume/betweenAnswers",
      code: "not_allowed",
      detail: "It is needed for a measure that is not a rate.",
    });
  if (isRate && betweenAnswers === undefined && others > value * (1 - value))
    throw new NotComputable({
      pointer: "/assume",
      code: "not_allowed",
      detail: "A rate of this value cannot vary as much between topics, prompts and runs.",
    });
  return {
    value,
    ofTopics: betweenTopics ** 2,
    ofPrompts: betweenPrompts ** 2,
    ofRuns: betweenRuns ** 2,
    ofGroups: 0,
    ofAnswers: betweenAnswers === undefined ? value * (1 - value) - others : betweenAnswers ** 2,
    areRepeatsKnown: true,
    pilot: null,
  };
}

function deviationsOf(components: VarianceComponents): PanelPlan["deviations"] {
  return {
    value: components.value,
    betweenTopics: Math.sqrt(components.ofTopics),
    betweenPrompts: Math.sqrt(components.ofPrompts),
    betweenRuns: Math.sqrt(components.ofRuns),
    ofRunAndPrompt: Math.sqrt(components.ofGroups),
    betweenAnswers: Math.sqrt(components.ofAnswers),
    areRepeatsKnown: components.areRepeatsKnown,
  };
}

/** The prompts of the panel that do not name the entity, and their topics. */
function unbranded({ prompts }: PanelDefinition, entityId: string | undefined): { topics: number; prompts: number } {
  const asked = prompts.filter(({ branded }) => entityId === undefined || !branded.includes(entityId));
  return { topics: new Set(asked.map(({ topic }) => topic ?? "")).size, prompts: asked.length };
}

export interface Prices {
  /** The price of one answer of the platform. */
  readonly answer: number;
  /** The price of asking one prompt once wherever the panel asks it. */
  readonly everywhere: number;
}

function statedDesign({ parts, ...design }: PlannedDesign, { answer, everywhere }: Prices, runsPerDay: number): Design {
  return {
    ...design,
    likely: { ...design.likely },
    days: Math.ceil(design.runs / runsPerDay),
    points: Math.ceil(design.answers * answer),
    panelPoints: Math.ceil(design.answers * everywhere),
    variance: { ...parts },
  };
}

type Reason = NonNullable<PanelPlan["reason"]>;
const pilotTooSmall: Reason = {
  code: "pilot_too_small",
  detail:
    "There are not answers to 5 prompts in 3 runs in the window. Run the panel some more times, or send assumptions in `assume`.",
};

function reasonOf(
  { samePrompts, least }: Plan,
  { scope, topics, runsMax }: { scope: PlanRequest["scope"]; topics: number; runsMax: number },
): Reason | null {
  if (samePrompts !== null) return null;
  if (scope === "prompts_like_these" && topics < topicsMin)
    return {
      code: "too_few_topics",
      detail: `The panel has ${topics} topics; a statement about prompts like these needs ${topicsMin}.`,
    };
  if (runsMax < runsMin || least === null)
    return { code: "too_few_runs", detail: `An interval needs ${runsMin} runs, and \`runsMax\` is ${runsMax}.` };
  const reached = `With ${least.runs} runs of ${least.repeats} repeats, the width to expect is ${least.width.toPrecision(2)}.`;
  const isTopics = least.parts.topics > 0.5;
  return {
    code: "width_not_reached",
    detail: `${reached} ${isTopics ? "The rest is the difference between topics and prompts: no number of runs or repeats reduces it, only more topics do." : "More runs would make it narrower."}`,
  };
}
