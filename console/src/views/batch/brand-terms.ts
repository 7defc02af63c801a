/** Names that somebody looks for in answers. */
import type { BatchCell } from "./cell.ts";

export const brandsMax = 12;
const brandCharsMax = 60;

/** `Fellow, Hario` as names, each once. */
export function readBrands(text: string): readonly string[] {
  const names = text
    .split(/[,，;；\n]/)
    .map((name) => name.trim().slice(0, brandCharsMax).toWellFormed())
    .filter((name) => name !== "");
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].slice(0, brandsMax);
}

/** Scripts that write words apart. In others a name may stand between any two characters. */
const spaced = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{N}`;

/** Finds a name as a word of its own, whatever the case. */
export function brandPattern(name: string): RegExp {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
  const isSpaced = new RegExp(`[${spaced}]`, "u");
  const before = isSpaced.test(name.at(0) ?? "") ? `(?<![${spaced}])` : "";
  const after = isSpaced.test(name.at(-1) ?? "") ? `(?![${spaced}])` : "";
  return new RegExp(`${before}${escaped}${after}`, "giu");
}

export interface BrandCount {
  /** Answers that name it. */
  readonly answers: number;
  readonly mentions: number;
  /** Answers in which it comes before all the others. */
  readonly first: number;
}

export interface PlatformCounts {
  /** Answers that have a text. */
  readonly answers: number;
  /** The brands in the order of the names. */
  readonly brands: readonly BrandCount[];
}

/** How often each name stands in the answers, by column of the grid: places and persons are not added up. */
export function countBrands(
  cells: Iterable<BatchCell>,
  brands: readonly string[],
): ReadonlyMap<string, PlatformCounts> {
  const patterns = brands.map(brandPattern);
  const counts = new Map<string, { answers: number; brands: { answers: number; mentions: number; first: number }[] }>();
  for (const { column, text } of cells) {
    if (text === null) continue;
    const of = counts.get(column) ?? {
      answers: 0,
      brands: brands.map(() => ({ answers: 0, mentions: 0, first: 0 })),
    };
    counts.set(column, of);
    of.answers++;
    const firsts = patterns.map((pattern, index) => {
      const found = [...text.matchAll(pattern)];
      const brand = of.brands[index];
      if (brand === undefined || found.length === 0) return Infinity;
      brand.answers++;
      brand.mentions += found.length;
      return found[0]?.index ?? Infinity;
    });
    const foremost = of.brands[firsts.indexOf(Math.min(...firsts))];
    if (foremost !== undefined && Math.min(...firsts) !== Infinity) foremost.first++;
  }
  return counts;
}
