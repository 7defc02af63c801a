import { measures, type Measure } from "@querent/figures";
import { generated, table } from "./schema-text.ts";

/** docs/reference/measures.md: what each figure counts. */
export function measuresPage(): string {
  return [
    generated,
    "# Measures",
    "`GET /v1/panels/{panel_id}/figures` computes these from [observations](../explain/numbers.md). Every figure carries the id of its definition, which changes with its meaning. In a formula, the answers of each cell (a prompt on one platform, of one kind, in one locale, for one persona) are averaged first, above and below the line, and then the cells are added up by the weights of their prompts: a platform that answered more often does not weigh more. Answers of a run in waves (`askUntil`) are averaged by the reciprocal of the probability with which they were asked. Platforms, kinds of platforms, locales and personas are never added up.",
    "A measure about an entity leaves out the prompts whose text names the entity: an answer to them names it because it was asked to. Every row says how many answers it leaves out, and why.",
    table(
      ["Measure", "About", "Unit", ""],
      measures.map(({ id, per, unit, title }) => [`[\`${id}\`](#${id})`, about[per], unit, title]),
    ),
    ...measures.flatMap((measure) => sectionOf(measure)),
    "",
  ].join("\n\n");
}

const about: Readonly<Record<Measure["per"], string>> = {
  entity: "an entity",
  domain: "a domain",
  source_type: "a type of sites",
  answer: "the answers",
};

function sectionOf({ id, title, definition, kind, unit, counts, leavesOut, formula, floor }: Measure): string[] {
  return [
    `## \`${id}\``,
    `**${title}.** ${counts}`,
    [
      `- Formula: ${formula}.`,
      `- Left out: ${leavesOut}`,
      `- Floor of an interval: ${floor}.`,
      `- Unit: ${unit}${kind === "rate" ? ", from 0 to 1" : ""}. Definition: \`${definition}\`.`,
    ].join("\n"),
  ];
}
