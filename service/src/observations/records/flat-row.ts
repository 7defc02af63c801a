/** An observation as one flat row: the columns of CSV, Parquet and the export to a bucket. Lists are JSON. */
import type { ObservationRecord } from "@querent/contract";
import type { ParquetColumn } from "./parquet.ts";

type FlatColumn = ParquetColumn<ObservationRecord>;

const text = (name: string, of: (record: ObservationRecord) => string | null): FlatColumn => ({
  name,
  type: "STRING",
  of,
});
const integer = (name: string, of: (record: ObservationRecord) => number | null): FlatColumn => ({
  name,
  type: "INT32",
  of,
});
const number = (name: string, of: (record: ObservationRecord) => number | null): FlatColumn => ({
  name,
  type: "DOUBLE",
  of,
});
const time = (name: string, of: (record: ObservationRecord) => string): FlatColumn => ({
  name,
  type: "INSTANT",
  of: (record) => new Date(of(record)),
});
const list = (name: string, of: (record: ObservationRecord) => readonly unknown[]): FlatColumn =>
  text(name, (record) => JSON.stringify(of(record)));

/** In the order of every export. A new column is added at the end. */
export const flatColumns: readonly FlatColumn[] = [
  text("observationId", (record) => record.observationId),
  time("observedAt", (record) => record.observedAt),
  time("recordedAt", (record) => record.recordedAt),
  text("taskId", (record) => record.taskId),
  text("importId", (record) => record.importId),
  text("batchId", (record) => record.batchId),
  text("clientReference", (record) => record.clientReference),
  integer("revision", (record) => record.revision),
  text("resultDigest", (record) => record.resultDigest),
  text("panelId", ({ cell }) => cell.panelId),
  integer("panelRevision", ({ cell }) => cell.panelRevision),
  text("runId", ({ cell }) => cell.runId),
  text("promptId", ({ cell }) => cell.promptId),
  text("promptDigest", ({ cell }) => cell.promptDigest),
  text("platformCode", ({ cell }) => cell.platformCode),
  text("locale", ({ cell }) => cell.locale),
  text("persona", ({ cell }) => cell.persona),
  integer("repeat", ({ cell }) => cell.repeat),
  text("kind", ({ instrument }) => instrument.kind),
  text("modelVersion", ({ instrument }) => instrument.modelVersion),
  text("recipe", ({ instrument }) => instrument.recipe),
  integer("reader", ({ instrument }) => instrument.reader),
  text("matcher", ({ instrument }) => instrument.matcher),
  text("sourceRules", ({ instrument }) => instrument.sourceRules),
  integer("contentLength", (record) => record.contentLength),
  integer("searchCount", (record) => record.searchCount),
  integer("durationMs", (record) => record.durationMs),
  integer("chargedPoints", (record) => record.chargedPoints),
  list("tags", (record) => record.tags),
  list("flags", (record) => record.flags),
  list("sources", (record) => record.sources),
  list("mentions", (record) => record.mentions),
  list("cards", (record) => record.cards),
  number("probability", ({ cell }) => cell.probability),
  text("adAvailability", (record) => record.adAvailability),
  list("ads", (record) => record.ads),
  text("searches", ({ searches }) => (searches === null ? null : JSON.stringify(searches))),
];
