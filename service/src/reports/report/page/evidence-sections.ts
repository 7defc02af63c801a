import type { ReportLanguage } from "@querent/contract";
import { failuresToWarn, gradeLevels, measureOf, type GradeRule, type Report } from "@querent/figures";
import type { Element } from "hast";
import { h, type Child } from "../../../kernel/element.ts";
import { definitionWords } from "../../figures/definition-words.ts";
import {
  instrumentName,
  defined,
  definitionId,
  figureCell,
  isSameSurface,
  shownMeasures,
  stabilityMeasures,
  surfaceName,
  surfaceTitle,
  table,
  type PageContext,
} from "./figure-sections.ts";
import { languages } from "../../languages/languages.ts";
import type { RuleWords } from "../../languages/translation.ts";
import type { Words } from "./words.ts";

export function gradeBox({ grade: { grade } }: Report, words: Words): Element {
  return h(
    "section",
    { className: ["grade"] },
    h("strong", {}, `${words.grade}${words.colon}${words.grades[grade]}`),
    h("p", {}, words.gradeMeaning[grade]),
  );
}

/** Each rule of the grade, and what would meet it. */
export function gradeTable({ report: { grade }, words, language }: PageContext): Element {
  const best = gradeLevels.at(-1);
  return h(
    "section",
    {},
    h("h2", {}, words.grade),
    table(
      [words.rule, words.there, words.directional, words.decision, words.remedy],
      grade.rules.map((rule) => {
        const isMet = rule.allows === best;
        const { title, remedy } = ruleWords(language, rule);
        return h(
          "tr",
          isMet ? {} : { className: ["unmet"] },
          h("td", {}, title),
          h("td", {}, amount(rule.value, rule.unit, words)),
          ...[rule.directional, rule.decision].map((value) =>
            h("td", {}, value !== null && rule.exclusive === true ? "> " : null, amount(value, rule.unit, words)),
          ),
          h("td", {}, isMet ? words.met : remedy),
        );
      }),
      `${words.grade}${words.colon}${words.grades[grade.grade]}`,
    ),
  );
}

function amount(value: number | null, unit: GradeRule["unit"], words: Words): string {
  if (value === null) return words.none;
  if (unit === "yes_or_no") return value === 0 ? words.no : words.yes;
  return unit === "share" ? words.numbers.percent(Math.floor(value * 100) / 100, 0) : words.numbers.count(value);
}

const domainsShown = 15;

export function sources({ report, words }: PageContext): Element {
  return h(
    "section",
    {},
    h("h2", {}, words.sources),
    ...report.sources
      .filter(({ citations }) => citations > 0)
      .map((surface) => [
        table(
          [words.domain, words.type, words.whose, words.citedBy, words.shareOfCitations],
          surface.domains
            .slice(0, domainsShown)
            .map(({ domain, type, relation, answers, share }) =>
              row(
                [
                  domain === "" ? words.none : domain,
                  surface.core?.includes(domain) === true &&
                    h("span", { className: ["tag"], title: words.core }, words.core),
                ],
                type ?? words.none,
                words[relation],
                number(words.numbers.count(answers)),
                number(words.numbers.percent(share, 1)),
              ),
            ),
          titleOf(report, surface, words),
        ),
        h("p", { className: ["note"] }, words.sourcesNote(surface.answers, surface.leftOut)),
      ]),
  );
}

function titleOf({ surfaces }: Report, sources: Report["sources"][number], words: Words): string {
  const surface = surfaces.find((one) => isSameSurface(one, sources));
  return surface === undefined ? surfaceName(sources) : surfaceTitle(surface, words);
}

const row = (...cells: readonly Child[]) =>
  h("tr", {}, ...cells.map((cell) => (isCell(cell) ? cell : h("td", { dir: "auto" }, cell))));
const number = (text: string) => h("td", { className: ["number"] }, text);
const isCell = (child: Child): child is Element =>
  typeof child === "object" && child !== null && "tagName" in child && child.tagName === "td";

export function stability(context: PageContext): Element {
  const { report, words } = context;
  return h(
    "section",
    {},
    h("h2", {}, words.stability),
    h("p", { className: ["note"] }, words.stabilityNote),
    table(
      [words.measure, ...report.surfaces.map((surface) => surfaceTitle(surface, words))],
      stabilityMeasures.map((measure) =>
        row(
          defined(measure, context),
          ...report.surfaces.map((surface) =>
            figureCell(
              report.summary.find((one) => one.measure === measure && isSameSurface(one.group, surface)),
              context,
              "share",
            ),
          ),
        ),
      ),
      words.stability,
    ),
  );
}

/** Where so many tasks failed that the figures of the answers may be biased. Null: nowhere. */
export function failureWarning({ report: { summary }, words }: PageContext): Element | null {
  const many = summary.filter(
    ({ measure, thesePrompts: { value } }) => measure === "failure_rate" && (value ?? 0) >= failuresToWarn,
  );
  if (many.length === 0) return null;
  const lines = many.map(({ group, thesePrompts: { value, answers } }) => {
    const points = words.numbers.fixed(100 * (value ?? 0), 1);
    return h("p", { dir: "auto" }, words.manyFailures(surfaceName(group), points, words.numbers.count(answers)));
  });
  return h("section", { className: ["warning"] }, ...lines);
}

export function instruments({ report, words }: PageContext): Element {
  return h(
    "section",
    {},
    h("h2", {}, words.instruments),
    table(
      [words.surface, words.model, words.answers, words.first, words.last],
      report.surfaces.flatMap((surface) =>
        surface.instruments.map(({ instrument, answers, firstAt, lastAt }) =>
          row(
            surfaceName(surface),
            instrumentName(
              instrument,
              surface.instruments.map((one) => one.instrument),
              words,
            ),
            number(words.numbers.count(answers)),
            words.numbers.day(firstAt),
            words.numbers.day(lastAt),
          ),
        ),
      ),
      words.instruments,
    ),
  );
}

/** The definition of each measure that the page shows: the name of a measure beside its figures links to it. */
export function definitions({ report, words, language }: PageContext): Element {
  const used = new Set(report.definitions);
  return h(
    "section",
    { className: ["definitions"] },
    h("h2", {}, words.definitions),
    h("p", { className: ["note"] }, words.scopesNote),
    ...shownMeasures
      .map((measure) => ({ measure, ...measureOf(measure), ...definitionWords(measureOf(measure), language) }))
      .filter(({ definition }) => used.has(definition))
      .map(({ measure, definition, counts, leavesOut, formula }) => [
        h("h3", { id: definitionId(measure) }, words[measure]),
        h(
          "p",
          {},
          counts,
          h("span", { className: ["range"] }, `${words.formula}${words.colon}${formula}`),
          h("span", { className: ["range"] }, `${words.leavesOut}${words.colon}${leavesOut}`),
          h("span", { className: ["range", "mono"], translate: "no" }, definition),
        ),
      ]),
  );
}

/** A rule's title and remedy: as in the table of the rules, or translated. */
function ruleWords(language: ReportLanguage, { id, title, remedy }: GradeRule): RuleWords {
  const { rules } = languages[language];
  return (rules !== null && isRule(id, rules) ? rules[id] : null) ?? { title, remedy };
}

const isRule = <Rules extends object>(id: string, rules: Rules): id is string & keyof Rules => Object.hasOwn(rules, id);
