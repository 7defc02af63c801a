/** Prompts by template: of the caller's topics, and of the brands of the project. */
import type { ProposalLanguage } from "@querent/contract";
import { languageRules } from "../engine/languages.ts";
import type { FoundText, NamedEntity } from "../engine/propose.ts";
import { textCharsMax, tidy } from "../engine/read-text.ts";
import type { Tally } from "./tally.ts";

/** Of one language. Each own brand is compared with each competitor, as far as this goes. */
const pairsMax = 200;
const competitorsMax = 200;

export function* templateTexts(
  {
    topics,
    languages,
    entities,
  }: {
    readonly topics: readonly string[];
    readonly languages: readonly ProposalLanguage[];
    readonly entities: readonly NamedEntity[];
  },
  tally: Tally,
): Generator<FoundText, void, void> {
  const of = (relation: string) => entities.filter(({ content }) => content.relation === relation);
  const [own, competitors] = [of("own"), of("competitor").slice(0, competitorsMax)];
  for (const language of languages) {
    const { templates } = languageRules[language];
    function* made(
      kind: keyof typeof templates,
      values: Readonly<Record<string, string>>,
      entityIds: readonly string[],
    ) {
      const text = tidy(templates[kind].replaceAll(/\{(\w+)\}/gu, (_, name: string) => values[name] ?? ""));
      const named = entityIds.length === 0 ? {} : { entityIds: [...entityIds] };
      if (tally.takes(text, textCharsMax)) yield { text, evidence: { origin: "template" as const, kind, ...named } };
    }
    for (const topic of topics) for (const kind of ["best", "recommended"] as const) yield* made(kind, { topic }, []);
    for (const { entityId, content } of competitors) yield* made("alternatives", { brand: content.name }, [entityId]);
    let pairs = 0;
    for (const one of own)
      for (const other of competitors) {
        if (pairs++ >= pairsMax) break;
        const names = { brand: one.content.name, other: other.content.name };
        yield* made("versus", names, [one.entityId, other.entityId]);
      }
  }
}
