/** Panels whose prompts are edited while nothing changes in what their brand is: whether a change of it is announced. */
import { judgeChanges, startSeries, type Answer, type PanelDefinition } from "../src/index.ts";
import { answer, brand, panelOf } from "./answers.ts";
import { dayName } from "./simulated-changes.ts";
import { randomFrom } from "./simulated-panels.ts";

export interface EditedPanels {
  readonly panels: number;
  readonly days: number;
  /** The prompts, and how many of them are reworded on the day. */
  readonly prompts: number;
  readonly reworded: number;
  readonly on: number;
  /** By how much the new wordings name the brand more often, on the logit scale. */
  readonly easier: number;
  /** Whether prompts are known by their ids alone, as by earlier versions. */
  readonly byIdAlone?: boolean;
}

const textOf = (prompt: number, wording: number) => `${prompt}/${wording}`;

/** The panel before the edit, or after it. */
export function editedPanel(
  { prompts, reworded, byIdAlone = false }: Pick<EditedPanels, "prompts" | "reworded" | "byIdAlone">,
  isEdited: boolean,
): PanelDefinition {
  const panel = panelOf({
    prompts: Array.from({ length: prompts }, (_, prompt) => `p${prompt}`),
    entities: [{ ...brand("own", "own"), searchedSince: ["2020-01-01T00:00:00.000Z"] }],
  });
  if (byIdAlone) return panel;
  const before = { revision: 1, prompts: "one", conditions: { "": "c" } };
  return {
    ...panel,
    revision: isEdited ? 2 : 1,
    prompts: panel.prompts.map((prompt, index) => ({
      ...prompt,
      digest: textOf(index, isEdited && index < reworded ? 1 : 0),
    })),
    formerPrompts: isEdited
      ? panel.prompts
          .slice(0, reworded)
          .map((prompt, index) => ({ ...prompt, digest: textOf(index, 0), lastRevision: 1 }))
      : [],
    asked: isEdited ? [before, { revision: 2, prompts: "two", conditions: { "": "c" } }] : [before],
  };
}

export interface EditedStudy {
  /** The share of the panels in which a change was ever announced. */
  readonly alarms: number;
  /** Of the last looks: prompts that were compared, and those that stood on one side only. */
  readonly compared: number;
  readonly leftOut: number;
}

/** Looks at each panel after every run, one a day. */
export function studyEdited(given: EditedPanels, seed = 20_261_129): EditedStudy {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [first, second] = [editedPanel(given, false), editedPanel(given, true)];
  let [alarms, compared, leftOut] = [0, 0, 0];
  for (let panel = 0; panel < given.panels; panel++) {
    const logits = Array.from({ length: given.prompts }, normal);
    const edited = logits.map((logit, prompt) => (prompt < given.reworded ? given.easier + normal() : logit));
    const answers: Answer[] = [];
    let series = startSeries(first);
    let isAlarmed = false;
    for (let day = 0; day < given.days; day++) {
      const isEdited = day >= given.on;
      if (day === given.on) {
        series = startSeries(second);
        for (const one of answers) series.add(one);
      }
      for (const [prompt, logit] of (isEdited ? edited : logits).entries()) {
        const one = answer({
          promptId: `p${prompt}`,
          promptDigest: textOf(prompt, isEdited && prompt < given.reworded ? 1 : 0),
          panelRevision: isEdited ? 2 : 1,
          runId: `r${day}`,
          observedAt: `${dayName(day)}T06:00:00.000Z`,
          mentions: random() < 1 / (1 + Math.exp(-logit)) ? ["own"] : [],
        });
        answers.push(one);
        series.add(one);
      }
      const verdict = judgeChanges(series.finish()).find(({ series: { isMain } }) => isMain);
      if (verdict?.verdict === "changed") isAlarmed = true;
      if (day === given.days - 1) {
        compared += (verdict?.prompts.size ?? 0) / given.panels;
        leftOut += (verdict?.promptsLeftOut ?? 0) / given.panels;
      }
      if (isAlarmed && given.byIdAlone === true) break;
    }
    alarms += Number(isAlarmed) / given.panels;
  }
  return { alarms, compared, leftOut };
}
