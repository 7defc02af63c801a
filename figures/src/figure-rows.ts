/** The rows of figures: what each is made from, and what stands beside it. */
import type { AnswerIndex } from "./answer-index.ts";
import type { ReadCells } from "./cell-columns.ts";
import type { Group, InstrumentPart, Selection } from "./group-answers.ts";
import type { ReadAnswers, CellReader } from "./read-cells.ts";
import { countLeftOut, type LeftOut, type Subject } from "./readings.ts";
import type { CellSums } from "./sample.ts";
import { stateFigures, type StatedFigure } from "./state-figures.ts";
import type { Instrument } from "./answer.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import type { PromptWordings } from "./panel-history.ts";
import type { FigureGroup, Measure } from "@querent/contract";
import type { AskedAnswers } from "./asked-answers.ts";

export interface ComputedRow {
  readonly group: FigureGroup;
  /** Prompts whose text names the entity. */
  readonly brandedPromptsLeftOut: number;
  /** How many answers of the group are not in the figure, and why. */
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
  /** In a series of runs or days: true if it was not taken with the same instruments as the row before. */
  readonly seam: boolean;
  readonly thesePrompts: StatedFigure;
  readonly promptsLikeThese: StatedFigure;
  /**
   * The same of the answers that were taken with other instruments, the latest first: these are never added to the figures above, which
   * are of the latest instrument of the surface with enough runs for an interval, or else of the latest one.
   */
  readonly otherInstruments: InstrumentFigures[];
}

export interface InstrumentFigures {
  readonly instrument: Instrument;
  readonly thesePrompts: StatedFigure;
  readonly promptsLikeThese: StatedFigure;
}

/** What is the same for all rows of a request. */
export interface RowContext {
  readonly panel: PanelDefinition;
  readonly prompts: PromptWordings;
  readonly index: AnswerIndex;
  readonly measure: Measure;
  readonly subject: Subject;
  readonly selection: Selection;
  readonly split: (group: Pick<Group, "byPrompt">) => AskedAnswers;
  readonly read: CellReader;
}

/** The most other instruments of a row, the latest ones: a service that changes its readers every day has many. */
const otherInstrumentsMax = 10;

/** The row of a group of answers. */
export function readRow(context: RowContext, group: Group): ComputedRow {
  const { asked, brandedPrompts, leftOut } = context.split(group);
  const read = context.read(asked);
  for (const [code, count] of read.leftOut) countLeftOut(leftOut, code, count);
  const ofOthers = group.others.reduce((count, part) => count + answersIn(context, part), 0);
  if (ofOthers > 0) countLeftOut(leftOut, "other_instrument", ofOthers);
  return rowOf(context, { group, other: null, brandedPrompts }, { ...read, leftOut });
}

function answersIn({ index: { answered } }: RowContext, { byPrompt }: InstrumentPart): number {
  let count = 0;
  for (const { places } of byPrompt.values()) for (const place of places) count += Number(place < answered);
  return count;
}

export function rowOf(
  context: RowContext,
  { group, other, brandedPrompts }: { group: Group; other: Group | null; brandedPrompts: number },
  read: ReadAnswers,
): ComputedRow {
  const { measure, subject, index } = context;
  const isBlend =
    read.instruments.length > 1 && (isOfSeveral(index, group) || (other !== null && isOfSeveral(index, other)));
  const isChosen = group.others.length > 0;
  return {
    group: {
      ...group.surface,
      otherPlatformCode: other?.surface.platformCode ?? null,
      otherKind: other?.surface.kind ?? null,
      entityId: measure.per === "entity" ? (subject.entity?.entityId ?? null) : null,
      domain: measure.per === "domain" ? subject.domain : null,
      sourceType: measure.per === "source_type" ? subject.sourceType : null,
      ...group.split,
    },
    brandedPromptsLeftOut: brandedPrompts,
    leftOut: Object.fromEntries(read.leftOut),
    seam: false,
    ...figuresOf(context, { group, part: group, other, isBlend, isChosen }, read),
    otherInstruments: group.others.slice(0, otherInstrumentsMax).flatMap((part): InstrumentFigures[] => {
      const instrument = index.instruments.values[part.instrument ?? -1];
      if (instrument === undefined) return [];
      const { asked } = context.split(part);
      const stated = figuresOf(
        context,
        { group, part, other: null, isBlend: false, isChosen: true },
        context.read(asked),
      );
      return [{ instrument, ...stated }];
    }),
  };
}

interface FigurePart {
  readonly group: Group;
  readonly part: InstrumentPart;
  readonly other: Group | null;
  readonly isBlend: boolean;
  /** Whether there are answers of other instruments: then its window is that of its own answers. */
  readonly isChosen: boolean;
}

const figuresOf = (
  context: RowContext,
  { group, part, other, isBlend, isChosen }: FigurePart,
  read: ReadAnswers,
): Pick<ComputedRow, "thesePrompts" | "promptsLikeThese"> =>
  stateFigures({
    panelId: context.panel.panelId,
    measure: context.measure,
    sums: cellSumsOf(context, read),
    missing:
      read.missing === null
        ? null
        : {
            missing: read.missing.missing,
            asked: read.missing.asked,
            none: cellSumsOf(context, read.missing.none),
            all: cellSumsOf(context, read.missing.all),
          },
    answers: read.answers,
    // A row about a pair of platforms means the answers of both.
    surface: { ...group.surface, ...(other === null ? {} : { platformCode: "" }), ...group.split },
    instruments: [...read.instruments],
    blend: isBlend,
    window: windowOf(context, part, isChosen),
  });

/** The one that was asked for; of one instrument of several, that of its answers on the surface. */
function windowOf({ selection }: RowContext, { first, last }: InstrumentPart, isChosen: boolean) {
  // The end is the first moment after it.
  if (isChosen) return { from: first, to: new Date(Date.parse(last) + 1).toISOString() };
  return { from: selection.from ?? first, to: selection.to ?? last };
}

/** Whether its answers were taken with more than one instrument. */
function isOfSeveral({ instruments, answered }: AnswerIndex, { instrument, byPrompt }: InstrumentPart): boolean {
  if (instrument !== null) return false;
  const used = new Set<number>();
  for (const { places } of byPrompt.values())
    for (const place of places) if (place < answered) used.add(instruments.of[place] ?? 0);
  return used.size > 1;
}

/** What was read, as an estimate needs it. */
function cellSumsOf({ prompts }: RowContext, { cells, columns, units }: ReadCells): CellSums {
  return {
    cells: cells.map(({ promptId, from, to, answers, value, of }) => {
      const { topic = null, weight = 1 } = prompts.get(promptId) ?? {};
      return { topic: topic ?? "", weight, from, to, answers, value, of };
    }),
    columns,
    runs: units.length,
  };
}
