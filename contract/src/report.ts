import { Type, type Static } from "typebox";
import { FoundChange, FoundInstrumentChange } from "./change.ts";
import { entityKinds, entityRelations } from "./entity.ts";
import { FigureInstrument, FigureInterval, FigureRow, figureWindow } from "./figure.ts";
import { linkPassword } from "./link-password.ts";
import { observationKinds } from "./observation.ts";
import { ReportFrame } from "./prompt-proposal.ts";
import { Closed, Nullable, OptionalOrNull, Timestamp, Uuid } from "./scalars.ts";

export const reportGrades = ["exploratory", "directional", "decision-grade"] as const;
export const reportFormats = ["json", "html", "zip", "pdf"] as const;
export const reportLanguages = ["en", "zh-CN", "de", "fr", "es", "ja"] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });
const share = Type.Number({ minimum: 0, maximum: 1 });
const revision = Type.Integer({ minimum: 1 });
const digest = Type.String({ description: "`sha256:` and the SHA-256 of what the revision asks, in canonical form." });
const runsBefore = count("Runs of the revision that had started when it was sealed. 0: no answer existed.");

/** A seal of a panel, with everything that is needed to verify it offline. */
export const PanelSeal = Type.Object({
  panelId: Uuid,
  revision,
  digest,
  sealedAt: Timestamp,
  runsBefore,
  seal: Type.String({ description: "The exact text that is signed: JSON with the members above and the public key." }),
  signature: Type.String({ description: "Ed25519, of the UTF-8 bytes of `seal`; base64url." }),
});
export type PanelSeal = Static<typeof PanelSeal>;

const sealInReport = Type.Object({ sealedAt: Timestamp, kid: Type.String(), runsBefore });

const GradeRule = Type.Object({
  id: Type.String(),
  title: Type.String(),
  unit: Type.Enum(["count", "share", "yes_or_no"]),
  directional: Nullable(Type.Number(), { description: "What `directional` needs at least. Null: nothing." }),
  decision: Nullable(Type.Number(), { description: "What `decision-grade` needs at least. Null: nothing." }),
  exclusive: Type.Optional(
    Type.Literal(true, { description: "There must be more than these numbers, instead of at least as many." }),
  ),
  counts: Type.String({ description: "What the value counts." }),
  remedy: Type.String({ description: "What would raise it." }),
  value: Nullable(Type.Number(), { description: "Null if it could not be computed, which is as good as 0." }),
  allows: Type.Enum([...reportGrades], { description: "The best grade that this rule allows." }),
});

export const ReportGrade = Type.Object({
  grade: Type.Enum([...reportGrades], { description: "The least that one of the rules allows." }),
  rules: Type.Array(GradeRule),
});

const surface = {
  platformCode: Type.String(),
  kind: Type.Enum([...observationKinds]),
  locale: Type.String(),
  persona: Type.String(),
};
const span = { answers: count("Answers."), firstAt: Timestamp, lastAt: Timestamp };

const ReportSurface = Type.Object({
  ...surface,
  ...span,
  runs: count("Runs with answers."),
  instruments: Type.Array(Type.Object({ instrument: FigureInstrument, ...span })),
  headline: Nullable(
    Type.Object({
      instrument: FigureInstrument,
      answers: count("Answers that were taken with it."),
      runs: count("Runs with such answers."),
    }),
    {
      description:
        "What the figures of the surface are of: the latest instrument with enough runs for an interval, or else the latest one.",
    },
  ),
  runsOfPrompts: Type.Array(Type.Integer({ minimum: 0 }), {
    description: "How many runs have answers to each prompt of the panel, in its order.",
  }),
});

const SeriesPoint = Type.Object({
  runId: Nullable(Uuid),
  day: Type.String(),
  value: Nullable(Type.Number()),
  answers: count("Answers of the run."),
  seam: Type.Boolean({ description: "Not taken with the same instruments as the point before." }),
  trailing: Nullable(
    Type.Object({ value: Type.Number(), interval: FigureInterval, runs: Type.Integer({ minimum: 1 }) }),
    {
      description:
        "The figure of this run and up to six before it, back to the last seam. Null for fewer than five runs.",
    },
  ),
  observations: Type.String(),
});

const SurfaceSources = Type.Object({
  ...surface,
  answers: count("Answers whose sources are known."),
  leftOut: count("Answers whose sources are not known, or hidden."),
  citations: count("Citations, counting each canonical URL once per answer."),
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      type: Nullable(Type.String()),
      relation: Type.Enum([...entityRelations], { description: "Whose site it is, by the entities' domains." }),
      answers: count("Answers that cite it."),
      citations: count("Citations of it."),
      share,
    }),
    { description: "Most answers first; at most 50." },
  ),
  domainsNotListed: count("How many more domains there are."),
  types: Type.Array(Type.Object({ type: Type.String(), citations: count("Citations."), share })),
  relations: Type.Array(
    Type.Object({ relation: Type.Enum([...entityRelations]), citations: count("Citations."), share }),
  ),
  core: Nullable(Type.Array(Type.String()), {
    description: "Domains that at least 80 % of the runs cite. Null for a single run.",
  }),
  tail: Nullable(count("How many other domains there are.")),
});

const { panelId: _panel, sinceRunId: _run, ...foundChange } = FoundChange.properties;
const { panelId: __panel, sinceRunId: __run, ...foundInstrumentChange } = FoundInstrumentChange.properties;
const recomputed = Type.Enum(["same", "other", "not_in_window", "not_recorded"], {
  description:
    "Whether the report's answers give the same. `other`: the answers, the panel or its entities have changed since. `not_in_window`: it was made from answers that the report does not have. `not_recorded`: it is not known from which ones.",
});

const ReportChange = Type.Object({
  ...foundChange,
  verdict: Type.Literal("changed"),
  recomputed: Type.Object({ before: recomputed, after: recomputed, evidence: recomputed }),
});

const ReportInstrumentChange = Type.Object({
  ...foundInstrumentChange,
  verdict: Type.Literal("instrument_changed"),
  recomputed: Type.Object({ figures: recomputed }),
});

/** The report of a panel. Its JSON in the zip has the same members, to the last digit. */
export const PanelReport = Type.Object({
  format: Type.String({ description: "Changes if the same answers would make another report." }),
  panel: Type.Object({ panelId: Uuid, name: Type.String(), revision, digest }),
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  service: Type.Object({ name: Type.String(), version: Type.String() }),
  revisions: Type.Array(
    Type.Object({
      revision,
      digest,
      seal: Nullable(sealInReport),
      answers: count("Answers of this revision in the report."),
      sealed: Type.Enum(["before_first_run", "after_first_run", "never"]),
    }),
  ),
  entities: Type.Array(
    Type.Object({
      entityId: Uuid,
      name: Type.String(),
      kind: Type.Enum([...entityKinds]),
      relation: Type.Enum([...entityRelations]),
      domains: Type.Array(Type.String()),
      aliases: Type.Optional(Type.Array(Type.String())),
      createdAt: Timestamp,
      searchedSince: Type.Optional(
        Type.Array(Timestamp, {
          description:
            "When answers began to be searched for it by other names. Reports of earlier versions do not have it.",
        }),
      ),
    }),
    { description: "The panel's brands." },
  ),
  counts: Type.Object({
    answers: count("Answers."),
    runs: count("Runs with answers."),
    days: count("Days (UTC) with answers."),
    prompts: count("Prompts with answers."),
  }),
  grade: ReportGrade,
  surfaces: Type.Array(ReportSurface),
  definitions: Type.Array(Type.String(), { description: "The definitions of all measures." }),
  summary: Type.Array(FigureRow, { description: "Every measure, of everything that it can be about." }),
  series: Type.Array(
    Type.Object({ entityId: Uuid, definition: Type.String(), ...surface, points: Type.Array(SeriesPoint) }),
    { description: "Presence by run." },
  ),
  prompts: Type.Array(FigureRow, { description: "Presence of own entities by prompt." }),
  sources: Type.Array(SurfaceSources),
  frame: Type.Optional(ReportFrame),
  changes: Type.Optional(
    Type.Array(ReportChange, {
      description:
        "The changes that were found in the window, newest first, at most 50: as they were announced, with what the report's answers say about them.",
    }),
  ),
  instrumentChanges: Type.Optional(
    Type.Array(ReportInstrumentChange, {
      description: "Those of what the answers were taken with, newest first, at most 50.",
    }),
  ),
});
export type PanelReport = Static<typeof PanelReport>;

/** A page of a report that anyone with its link can open. */
export const ReportShare = Type.Object({
  shareId: Uuid,
  panelId: Uuid,
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  url: Nullable(Type.String(), { description: "Null if the service does not know its own public URL." }),
  hasPassword: Type.Boolean({ description: "Whether it opens with a password alone." }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type ReportShare = Static<typeof ReportShare>;
export const ReportShares = Type.Object({ shares: Type.Array(ReportShare, { description: "Newest first." }) });
export type ReportShares = Static<typeof ReportShares>;

export const ReportShareRequest = Closed({
  ...figureWindow,
  language: Type.Optional(Type.Enum([...reportLanguages], { description: "Default: `en`." })),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 366, description: "How many days the link works. Default: 30." }),
  ),
  password: OptionalOrNull(linkPassword),
});
