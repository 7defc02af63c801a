import { promptOrigins, type ReportFrame } from "@querent/contract";
import type { Recomputed, Report, ReportChange } from "@querent/figures";
import type { Element } from "hast";
import { h } from "../../../kernel/element.ts";
import { linked, surfaceName, table, type PageContext, isSameSurface } from "./figure-sections.ts";
import type { Words } from "./words.ts";

type Stated = ReportChange["before"];

/** The changes that were found in the window, of figures and of instruments. Null: none. */
export function changes(context: PageContext): Element | null {
  const { report, words } = context;
  const { changes: ofFigures = [], instrumentChanges: ofInstruments = [] } = report;
  if (ofFigures.length + ofInstruments.length === 0) return null;
  return h(
    "section",
    {},
    h("h2", {}, words.changes),
    h("p", { className: ["note"] }, words.changesNote),
    ofFigures.length === 0
      ? null
      : table(
          [
            words.since,
            words.entity,
            words.measure,
            words.surface,
            words.before,
            words.after,
            words.evidence,
            words.computedAgain,
          ],
          ofFigures.map((one) => changeRow(one, context)),
          words.changes,
        ),
    ofInstruments.length === 0
      ? null
      : table(
          [words.since, words.surface, words.before, words.after, words.computedAgain],
          ofInstruments.map(({ since, before, after, recomputed, platformCode, kind }) =>
            h(
              "tr",
              {},
              h("td", { className: ["date"] }, words.numbers.day(since)),
              cell(surfaceName({ platformCode, kind, locale: "", persona: "" })),
              cell(modelsOf(before, context)),
              cell(modelsOf(after, context)),
              cell(words.recomputed[recomputed.figures]),
            ),
          ),
          words.instrumentChanges,
        ),
  );
}

function changeRow(change: ReportChange, { report, words, base }: PageContext): Element {
  const { numbers } = words;
  const percent = (value: number | null) => (value === null ? words.none : numbers.percent(value, 1));
  const shown = (value: number) => (value >= 1e6 ? value.toExponential(1) : numbers.rough(value));
  const { since, earliest = since, latest = since, prompts = 0, promptsLeftOut = 0 } = change;
  const { entityId, domain, measure, before, after, evidence, threshold, recomputed } = change;
  const side = (figure: Stated) =>
    h(
      "td",
      { className: ["number"] },
      linked(percent(figure.value), base, figure.observations),
      figure.interval === null
        ? null
        : h("span", { className: ["range"] }, `${percent(figure.interval.low)} – ${percent(figure.interval.high)}`),
      figure.blend === true ? h("span", { className: ["range"] }, words.blend) : null,
    );
  return h(
    "tr",
    {},
    h(
      "td",
      { className: ["date"] },
      numbers.day(since),
      earliest === latest
        ? null
        : h("span", { className: ["range"] }, `${numbers.day(earliest)} – ${numbers.day(latest)}`),
      change.shape === "gradual" ? h("span", { className: ["range"] }, words.gradual) : null,
    ),
    h("td", { dir: "auto" }, domain ?? nameOf(report, entityId ?? "")),
    cell(measureName(measure, words)),
    cell(surfaceName(change)),
    side(before),
    side(after),
    h(
      "td",
      { className: ["number"] },
      shown(evidence),
      h("span", { className: ["range"] }, `${words.needed} ${shown(threshold)}`),
      promptsLeftOut === 0 ? null : h("span", { className: ["range"] }, words.leftOutPrompts(prompts, promptsLeftOut)),
    ),
    cell(words.recomputed[worstOf(Object.values(recomputed))]),
  );
}

const measureName = (measure: ReportChange["measure"], words: PageContext["words"]): string =>
  measure === "citation_rate" ||
  measure === "presence" ||
  measure === "mention_share" ||
  measure === "listed" ||
  measure === "own_citation_rate"
    ? words[measure]
    : measure;

const order = ["other", "not_recorded", "not_in_window", "same"] as const satisfies readonly Recomputed[];
const worstOf = (all: readonly Recomputed[]): Recomputed => order.find((one) => all.includes(one)) ?? "same";

const nameOf = ({ entities }: Report, id: string) => entities.find(({ entityId }) => entityId === id)?.name ?? id;
const cell = (text: string) => h("td", {}, text);

const modelsOf = (instruments: readonly { readonly modelVersion: string | null }[], { words }: PageContext): string =>
  [...new Set(instruments.map(({ modelVersion }) => modelVersion ?? words.notReported))].join(", ");

/** Of this report: what its own answers say about repetition, places and languages, and access. */
export function whyOthersDiffer({ report, words }: PageContext): Element {
  const { why: say } = words;
  const { surfaces, summary, counts, window } = report;
  const varied = surfaces.flatMap((surface) => {
    const found = summary.find(
      ({ measure, group }) => measure === "first_place_changes_between_runs" && isSameSurface(group, surface),
    );
    const value = found?.thesePrompts.value ?? null;
    return value === null ? [] : [say.varied(surfaceName(surface), words.numbers.fixed(value * 100, 1))];
  });
  const locales = [...new Set(surfaces.map(({ locale }) => locale).filter((locale) => locale !== ""))];
  const personas = [...new Set(surfaces.map(({ persona }) => persona).filter((persona) => persona !== ""))];
  const kinds = new Set(surfaces.map(({ kind }) => kind));
  const days = [
    words.numbers.day(window.from),
    words.numbers.day(new Date(Date.parse(window.to) - 1).toISOString()),
  ] as const;
  return h(
    "section",
    { className: ["explained"] },
    h("h2", {}, say.title),
    h("p", {}, say.intro),
    h(
      "ul",
      {},
      ...[
        `${say.chance(counts.answers, counts.runs)} ${varied.join(" ")}`.trim(),
        say.you(personas),
        say.place(locales),
        ...(["api", "web", "sample", "imported"] as const).flatMap((kind) =>
          kinds.has(kind) ? [say.kinds[kind]] : [],
        ),
        say.time(...days),
        say.wordsMatter(counts.prompts),
      ].map((line) => h("li", { dir: "auto" }, line)),
    ),
    h("p", {}, say.check),
  );
}

/** From how many proposals the prompts were chosen. */
export function frameSentence(frame: ReportFrame | undefined, { method: { frame: say }, numbers }: Words): string {
  if (frame === undefined) return say.unknown;
  const { chosen, written, proposals, byOrigin } = frame;
  const { count, list } = numbers;
  const origins = promptOrigins
    .filter((origin) => byOrigin[origin] > 0)
    .map((origin) => say.origin[origin](count(byOrigin[origin])));
  return say.known(count(chosen + written), count(chosen), count(proposals), list(origins), count(written));
}

export function method({ report, words }: PageContext): Element {
  const { method: say } = words;
  const { counts, surfaces } = report;
  return h(
    "section",
    { className: ["explained"] },
    h("h2", {}, say.title),
    h("p", {}, say.asked(counts.prompts, surfaces.length, counts.runs, counts.days)),
    h("p", {}, frameSentence(report.frame, words)),
    h("p", {}, say.read(counts.answers)),
    h("p", {}, say.computed),
    h("p", {}, say.changes),
    h("p", {}, say.limits),
  );
}
