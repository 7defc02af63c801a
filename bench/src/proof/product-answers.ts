/**
 * Published figures about real answers, computed again from observations. Imports the answers of a public data set (the folder
 * `experiments/consumer-products/data` of amplifying-ai/ai-product-bench, MIT: 132 questions, each asked three times) into a service,
 * reads their observations, and prints the figures beside those of its authors:
 *
 *   QUERENT_URL=http://127.0.0.1:8080 QUERENT_TOKEN=qrt_... node bench/src/proof/product-answers.ts FOLDER
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Querent, type ObservationRecord } from "@querent/client";
import { productFigures, type ProductFigures } from "./product-figures.ts";

interface DataLine {
  readonly query_id: string;
  readonly run_label: string;
  readonly run: number;
  readonly response: string;
  readonly products_mentioned: readonly { readonly name: string; readonly rank: number }[];
  readonly sources: readonly { readonly url: string; readonly title?: string }[];
  readonly metadata: { readonly timestamp: string };
}

/** The answers of the data set, as lines in the form of an import. */
export function* importLines(folder: string): Generator<string> {
  const files = readdirSync(folder).filter((name) => /^chatgpt_run_\d\.jsonl$/.test(name));
  if (files.length === 0) throw new Error(`${folder} has no files chatgpt_run_1.jsonl, chatgpt_run_2.jsonl, …`);
  for (const file of files.toSorted()) {
    for (const text of readFileSync(join(folder, file), "utf8").trim().split("\n")) {
      // Whether it has this form is checked by the import.
      const line = JSON.parse(text) as DataLine;
      yield JSON.stringify({
        id: `${line.query_id}/${line.run_label}`,
        // The wording is not in the file of answers.
        question: line.query_id,
        promptId: line.query_id,
        repeat: line.run,
        platformCode: "chatgpt",
        observedAt: line.metadata.timestamp,
        content: line.response,
        sources: line.sources.filter(({ url }) => url !== "").map(({ url }) => ({ url })),
        products: line.products_mentioned.toSorted((a, b) => a.rank - b.rank).map(({ name }) => ({ title: name })),
      });
    }
  }
}

/** Imports the data set, and computes its figures from what the service observed. */
export async function productProof(querent: Querent, folder: string): Promise<ProductFigures> {
  let importId = "";
  for await (const state of querent.imports.send(importLines(folder), { name: "ai-product-bench" }))
    ({ importId } = state);
  const observations: ObservationRecord[] = [];
  for await (const observation of querent.observations.list({ importId, limit: 200 })) observations.push(observation);
  return productFigures(observations);
}

export function describeProof(figures: ProductFigures): string {
  const percent = ([count, of]: readonly [number, number]) => `${((100 * count) / of).toFixed(1)} % (${count}/${of})`;
  return [
    `answers                                ${figures.answers}`,
    `answers with products                  ${percent(figures.withProducts)}; published 97.5 %`,
    `answers with sources                   ${percent(figures.withSources)}; published 35.9 %`,
    `"#1 changed", by exact names           ${percent(figures.changedByName)}; 95.9 %`,
    `"#1 changed", by the matcher of brands ${percent(figures.changedByMatcher)}; published 94.7 % by their own rules`,
    "",
    "Names of one product by the matcher, and different by exact names:",
    ...figures.joined.map((names) => `  ${names.join(" = ")}`),
  ].join("\n");
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Usage: product-answers.ts FOLDER");
  const url = process.env["QUERENT_URL"] ?? "http://127.0.0.1:8080";
  const querent = new Querent({ url, token: process.env["QUERENT_TOKEN"] ?? "" });
  process.stdout.write(`${describeProof(await productProof(querent, folder))}\n`);
}
