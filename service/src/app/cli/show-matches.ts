import pc from "picocolors";
import type { LoadedRecipe, Trial } from "../../platforms/index.ts";

/** What of the recipe matched, and how often; and which of its lists did not, which may be right. */
export function showMatches({ recipe }: LoadedRecipe, matched: Trial["matched"], isComplete: boolean): void {
  console.log(pc.dim("\nMatched:"));
  for (const [what, { selector, count }] of Object.entries(matched))
    console.log(`  ${what.padEnd(28)}  ${String(count ?? "?").padStart(4)} x ${selector}`);
  // What is read only from a complete answer was not looked for.
  const lookedFor = listsOf(recipe).filter((what) => isComplete || !/^(turn\.(text|copy)|expand|extract)\b/.test(what));
  const silent = lookedFor.filter((what) => !Object.keys(matched).some((name) => name.startsWith(what)));
  if (silent.length > 0) console.log(`${pc.dim("Not matched:")} ${silent.join(", ")}`);
}

/** The lists of a recipe for which something can match, by their places in it. */
function listsOf({ composer, turn, complete, expand, extract, blockers }: LoadedRecipe["recipe"]): string[] {
  const parts: Record<string, object> = { composer: composer ?? {}, turn, complete };
  return [
    ...Object.entries(parts).flatMap(([part, members]) =>
      ["input", "submit", "each", "text", "copy", "busy", "done"].flatMap((name) =>
        Object.hasOwn(members, name) ? [`${part}.${name}`] : [],
      ),
    ),
    ...(expand ?? []).map(({ name }) => `expand.${name}`),
    ...Object.keys(extract ?? {}).map((name) => `extract.${name}`),
    ...(blockers ?? []).map(({ name }) => `blockers.${name}`),
  ];
}
