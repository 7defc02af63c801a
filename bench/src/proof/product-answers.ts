/**
 * Published figures about real answers, computed again from observations. Imports the answers of a public data set (the folder
 * `experiments/consumer-products/data` of amplifying-ai/ai-product-bench, MIT: 132 questions, each asked three times) into a panel of a
 * service, reads the panel's figures and observations, and prints them for each assistant, beside those of its authors where they
 * published them:
 *
 *   QUERENT_URL=http://127.0.0.1:8080 QUERENT_TOKEN=qrt_... node bench/src/proof/product-answers.ts FOLDER
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Querent, type ObservationRecord } from "@querent/client";
import { firstProducts, type FirstProducts, type Share } from "./product-figures.ts";

/** What the service says of one assistant. */
interface ProductProof {
  readonly withProducts: Stated;
  readonly withSources: Stated;
  readonly first: FirstProducts;
}

/** A figure of these prompts. */
interface Stated {
  readonly value: number;
  readonly answers: number;
  readonly interval: readonly [low: number, high: number] | null;
}

const panel = "ai-product-bench";
/** The data set is of May 2025. */
const window = { from: "2025-05-01T00:00:00Z", to: "2025-07-01T00:00:00Z" };

interface DataLine {
  readonly query_id: string;
  /** The name of the assistant, such as `Google AI Mode`. */
  readonly model: string;
  readonly run_label: string;
  readonly run: number;
  readonly response: string;
  readonly products_mentioned: readonly { readonly name: string; readonly rank: number }[] | null;
  readonly sources: readonly { readonly url: string; readonly title?: string }[] | null;
  readonly metadata: { readonly timestamp: string };
}

/** The answers of the data set, as lines in the form of an import: those of `chatgpt_run_1.jsonl`, or of `chatgpt/run_1.jsonl`, … */
export function* importLines(folder: string): Generator<string> {
  const files = globSync("**/*run_*.jsonl", { cwd: folder });
  if (files.length === 0) throw new Error(`${folder} has no files such as chatgpt_run_1.jsonl or chatgpt/run_1.jsonl`);
  for (const file of files.toSorted()) {
    for (const text of readFileSync(join(folder, file), "utf8").trim().split("\n")) {
      // Whether it has this form is checked by the import.
      const line = JSON.parse(text) as DataLine;
      yield JSON.stringify({
        id: `${line.query_id}/${line.run_label}`,
        // The wording is not in the file of answers.
        question: line.query_id,
        promptId: line.query_id,
        run: line.run_label,
        repeat: line.run,
        platformCode: line.model.toLowerCase().replaceAll(" ", "-"),
        observedAt: line.metadata.timestamp,
        content: line.response,
        sources: (line.sources ?? []).filter(({ url }) => url !== "").map(({ url }) => ({ url })),
        products: (line.products_mentioned ?? [])
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ name }) => ({ title: name })),
      });
    }
  }
}

/** Imports the data set into a panel of its questions, and reads what the service says of each assistant. */
export async function productProof(querent: Querent, folder: string): Promise<ReadonlyMap<string, ProductProof>> {
  let panelId: string | null = null;
  for await (const state of querent.imports.send(importLines(folder), { name: panel, panel })) ({ panelId } = state);
  if (panelId === null) throw new Error("the import has made no panel");
  const observations: ObservationRecord[] = [];
  for await (const observation of querent.observations.list({ panelId, limit: 200 })) observations.push(observation);
  const { rows } = await querent.panels.figures(panelId, { measures: ["carded_answers", "cited_answers"], ...window });
  const statedOf = (platformCode: string, wanted: string): Stated => {
    const row = rows.find(({ measure, group }) => measure === wanted && group.platformCode === platformCode);
    const { value = null, answers = 0, interval = null } = row?.thesePrompts ?? {};
    return { value: value ?? Number.NaN, answers, interval: interval === null ? null : [interval.low, interval.high] };
  };
  const byPlatform = Map.groupBy(observations, ({ cell }) => cell.platformCode);
  return new Map(
    byPlatform.entries().map(([platformCode, answers]) => [
      platformCode,
      {
        withProducts: statedOf(platformCode, "carded_answers"),
        withSources: statedOf(platformCode, "cited_answers"),
        first: firstProducts(answers),
      },
    ]),
  );
}

/** What the authors published, by platform. */
const published: Readonly<Record<string, readonly string[]>> = {
  chatgpt: ["; published 97.5 %", "; published 35.9 %", "; 95.9 %", "; published 94.7 % by their own rules"],
};

export function describeProof(platformCode: string, { withProducts, withSources, first }: ProductProof): string {
  const [products = "", sources = "", byName = "", byRules = ""] = published[platformCode] ?? [];
  const percent = ([count, of]: Share) => `${of === 0 ? "–" : ((100 * count) / of).toFixed(1)} % (${count}/${of})`;
  const stated = ({ value, answers, interval }: Stated) =>
    `${(100 * value).toFixed(1)} % of ${answers}${interval === null ? "" : ` [${interval.map((end) => (100 * end).toFixed(1)).join(", ")}]`}`;
  return [
    `answers of ${platformCode}`,
    `answers with products                  ${stated(withProducts)}${products}`,
    `answers with sources                   ${stated(withSources)}${sources}`,
    `"#1 changed", by exact names           ${percent(first.changedByName)}${byName}`,
    `"#1 changed", by the matcher of brands ${percent(first.changedByMatcher)}${byRules}`,
    "",
    "Names of one product by the matcher, and different by exact names:",
    ...first.joined.map((names) => `  ${names.join(" = ")}`),
    "",
  ].join("\n");
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Usage: product-answers.ts FOLDER");
  const url = process.env["QUERENT_URL"] ?? "http://127.0.0.1:8080";
  const querent = new Querent({ url, token: process.env["QUERENT_TOKEN"] ?? "" });
  for (const [platformCode, figures] of await productProof(querent, folder))
    process.stdout.write(`${describeProof(platformCode, figures)}\n`);
}
