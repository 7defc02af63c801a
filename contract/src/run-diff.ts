import { Type, type Static } from "typebox";
import { FigureInstrument } from "./figure.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** How often a difference of the same size is seen between reruns, in which nothing was changed. */
export const RerunNoise = Type.Object(
  {
    differ: count("Pairs of reruns that differ at least as much."),
    pairs: count("Pairs of reruns that could be compared. 0: chance cannot be told from change."),
  },
  {
    description:
      "How often reruns differ at least as much anyway: `differ` of `pairs`. A pair is a run and the one after it, of the same cell and with the same instrument, and neither of them is one of the two that are compared.",
  },
);
export type RerunNoise = Static<typeof RerunNoise>;

/** Something that more, or fewer, answers of a cell contain. */
export const RunItemChange = Type.Object({
  item: Type.String({
    description:
      "The id of the entity; the canonical URL of the source; the kind of the card, and its URL or else its title.",
  }),
  label: Type.String({ description: "Name of the entity, domain of the source, or title of the card." }),
  before: count("Answers of the cell that contain it, in the run that is compared with."),
  after: count("The same, in this run."),
  reruns: RerunNoise,
});
export type RunItemChange = Static<typeof RunItemChange>;

export const RunPriceChange = Type.Object({
  item: Type.String(),
  label: Type.String(),
  before: Type.Array(Type.String()),
  after: Type.Array(Type.String()),
  reruns: RerunNoise,
});

export const wordChanges = ["same", "removed", "added"] as const;

export const RunTextChange = Type.Object({
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      "The words that both answers have, in any order, as a share of all of their words. The mean over repeats.",
  }),
  reruns: RerunNoise,
  words: Nullable(Type.Array(Type.Object({ change: Type.Enum([...wordChanges]), text: Type.String() })), {
    description: "The first repeat that differs, word by word. Null: there is too little in common to show.",
  }),
});

export const RunCellChange = Type.Object({
  promptId: Type.String(),
  platformCode: Type.String(),
  locale: Type.String(),
  persona: Type.String(),
  answers: Type.Object(
    { before: count("In the run that is compared with."), after: count("In this run.") },
    { description: "Answers of the cell. 0: only the other run has any, and nothing is compared." },
  ),
  instruments: Type.Object({ before: Type.Array(FigureInstrument), after: Type.Array(FigureInstrument) }),
  text: Nullable(RunTextChange, {
    description: "Null if the texts are the same, have expired, or were not requested.",
  }),
  brands: Type.Array(RunItemChange),
  first: Type.Array(RunItemChange, { description: "The entity that the answer names before every other." }),
  sources: Type.Array(RunItemChange),
  cards: Type.Array(RunItemChange),
  prices: Type.Array(RunPriceChange, { description: "The changes of cards that have a price in both runs." }),
});
export type RunCellChange = Static<typeof RunCellChange>;

const DiffedRun = Type.Object({ runId: Uuid, revision: Type.Integer({ minimum: 1 }), createdAt: Timestamp });

export const PanelRunDiff = Type.Object({
  panelId: Uuid,
  before: DiffedRun,
  after: DiffedRun,
  otherRuns: count("Other runs of the panel from which the noise of reruns is computed."),
  cells: Type.Object({
    both: count("Cells that both runs have answers of."),
    onlyBefore: count("Cells that only the run that is compared with has answers of."),
    onlyAfter: count("Cells that only this run has answers of."),
  }),
  aspects: Type.Array(
    Type.Object({
      aspect: Type.Enum(["text", "brands", "first", "sources", "cards", "prices"]),
      changed: count("Cells that differ."),
      cells: count("Cells that could be compared."),
      reruns: RerunNoise,
    }),
    { description: "In how many cells each aspect differs, and in how many pairs of reruns it differs anyway." },
  ),
  changes: Type.Array(RunCellChange, { description: "The cells that differ. Empty: both runs brought the same." }),
  nextCursor: Nullable(Type.String()),
});
export type PanelRunDiff = Static<typeof PanelRunDiff>;
