import { createHash } from "node:crypto";
import type { Source } from "@querent/contract";
import type { BrandDirectives, DirectedBrand } from "./brand-directives.ts";

/** One answer's brands, in their order, and its sources. */
export interface DrawnBrands {
  readonly brands: readonly string[];
  readonly sources: readonly Source[];
  /** The model that the directives name; null if they name none. */
  readonly modelVersion: string | null;
}

export interface Draw {
  readonly taskId: string;
  /** The whole question: other questions are drawn independently. */
  readonly text: string;
  readonly at: Date;
}

/**
 * Draws what an answer names and cites. The result depends only on the seed, the task, the question and the day, so a task that is
 * asked again has the same answer, and a test that chooses the ids of its tasks has the same figures in every run.
 */
export function drawBrands(directives: BrandDirectives, { taskId, text, at }: Draw): DrawnBrands {
  const day = at.toISOString().slice(0, 10);
  const random = (...keys: readonly string[]) => uniform([directives.seed, text, ...keys]);
  const rateOf = (name: string, first: number): number =>
    directives.changes
      .filter((change) => change.name === name && change.day <= day)
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .at(-1)?.rate ?? first;
  // Each answer follows the draw that all answers of the day share with probability √ρ: two of them then correlate with ρ.
  const isDrawn = (name: string, first: number): boolean => {
    const follows = random("follows", taskId, name) < Math.sqrt(directives.correlation);
    const drawn = follows ? random("shared", day, name) : random("own", taskId, name);
    return drawn < rateOf(name, first);
  };
  const named = directives.brands.filter(({ name, rate }) => isDrawn(name, rate));
  const order = new Map(named.map((brand) => [brand, random("order", taskId, brand.name)]));
  const brands = named.toSorted((a, b) => positionOf(a) - positionOf(b) || (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const cited = directives.cites.filter(({ address, rate }) => isDrawn(address, rate));
  return {
    brands: brands.map(({ name }) => name),
    sources: cited.map(({ address }) => sourceOf(address)),
    modelVersion: modelOn(directives, day),
  };
}

const positionOf = ({ position }: DirectedBrand): number => position ?? Number.MAX_SAFE_INTEGER;

function modelOn({ models }: BrandDirectives, day: string): string | null {
  return (
    models
      .filter((model) => model.day === null || model.day <= day)
      .toSorted((a, b) => ((a.day ?? "") < (b.day ?? "") ? -1 : 1))
      .at(-1)?.version ?? null
  );
}

function sourceOf(address: string): Source {
  const { hostname, href } = new URL(`https://${address}`);
  return { title: `Simulated source: ${address}`, url: href, summary: null, site: hostname, publishedAt: null };
}

/** A number from 0 to below 1: the first 48 bits of a digest. */
function uniform(keys: readonly string[]): number {
  const digest = createHash("sha256").update(JSON.stringify(keys)).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** The text of an answer with brands. It does not repeat the question, which has the names of all of them. */
export function brandText(brands: readonly string[]): string {
  const opening = "This answer is simulated: no answer platform was asked.\n\n";
  if (brands.length === 0) return `${opening}There is nothing to recommend.`;
  const lines = brands.map((name, index) => `${index + 1}. **${name}**: recommended by the simulator.`);
  return `${opening}${lines.join("\n")}`;
}
