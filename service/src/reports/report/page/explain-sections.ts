/** What a reader needs who asks an assistant the same question and sees something else, and how the figures were made. */
import type { Element } from "hast";
import { h } from "../../../kernel/element.ts";
import { isSameSurface, surfaceName, type PageContext } from "./figure-sections.ts";

/** Of this report: what its own answers say about repetition, places and languages, and access. */
export function whyOthersDiffer({ report, words }: PageContext): Element {
  const { why: say } = words;
  const { surfaces, summary, counts, window } = report;
  const varied = surfaces.flatMap((surface) => {
    const found = summary.find(
      ({ measure, group }) => measure === "first_place_changes_between_runs" && isSameSurface(group, surface),
    );
    const value = found?.thesePrompts.value ?? null;
    return value === null ? [] : [say.varied(surfaceName(surface), (value * 100).toFixed(1))];
  });
  const locales = [...new Set(surfaces.map(({ locale }) => locale).filter((locale) => locale !== ""))];
  const personas = [...new Set(surfaces.map(({ persona }) => persona).filter((persona) => persona !== ""))];
  const kinds = new Set(surfaces.map(({ kind }) => kind));
  const days = [window.from.slice(0, 10), new Date(Date.parse(window.to) - 1).toISOString().slice(0, 10)] as const;
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

export function method({ report, words }: PageContext): Element {
  const { method: say } = words;
  const { counts, surfaces } = report;
  return h(
    "section",
    { className: ["explained"] },
    h("h2", {}, say.title),
    h("p", {}, say.asked(counts.prompts, surfaces.length, counts.runs, counts.days)),
    h("p", {}, say.read(counts.answers)),
    h("p", {}, say.computed),
    h("p", {}, say.changes),
    h("p", {}, say.limits),
  );
}
