/** The parts of a panel's answers that lists are made of: their searches, and the offers of their products. */
import { figureAnswersMax, type ObservedCard, type ObservedMention, type ObservedSearch } from "@querent/contract";
import { entitiesWithin, type SearchingAnswer, type ShownOffer } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { InputTooLarge } from "../../computing/job.ts";
import { linePages } from "../../computing/line-pages.ts";
import type { AnswerSelection } from "../../observations/answers/answer-pages.ts";

export type PartSelection = Omit<AnswerSelection, "runId" | "importId"> & { readonly promptId?: string };

const parts = {
  searches: { columns: "o.search_count, o.searches", fits: "true" },
  offers: { columns: "o.cards, o.mentions", fits: `o.cards @> '[{"kind": "product"}]'` },
} as const;

/** One line for each answer of the window, oldest first. Throws `InputTooLarge` if there are more than `figureAnswersMax`. */
export async function* partPages(
  db: Queryable,
  accountId: string,
  { panelId, from, to, platformCode, locale, persona, promptId }: PartSelection,
  part: keyof typeof parts,
): AsyncGenerator<string, void, void> {
  const { columns, fits } = parts[part];
  let answers = 0;
  // Index: observations_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
  const pages = linePages(db, ({ after, limit }) => ({
    text: `select o.id, json_build_array(o.observed_at, o.prompt_id, encode(o.prompt_digest, 'hex'), o.panel_revision, o.platform,
             o.platform_kind, o.locale, o.persona, ${columns})::text as line
        from observations o
       where o.account_id = $1 and o.panel_id = $2 and o.id < $3::uuid and o.id ${after === null ? ">=" : ">"} $4::uuid
         and o.prompt_id is not null and ${fits}
         and ($5::text is null or o.platform = $5) and ($6::text is null or o.locale = $6)
         and ($7::text is null or o.persona = $7) and ($8::text is null or o.prompt_id = $8)
       order by o.id limit $9::int`,
    values: [
      ...[accountId, panelId, firstIdAt(millisecondAt(to)), after ?? firstIdAt(millisecondAt(from))],
      ...[platformCode ?? null, locale ?? null, persona ?? null, promptId ?? null, limit],
    ],
  }));
  for await (const { text, count } of pages) {
    answers += count;
    if (answers > figureAnswersMax) throw new InputTooLarge("answers");
    yield text;
  }
}

/** As `partPages` writes them. */
type Line<One, Other> = readonly [
  observedAt: string,
  promptId: string,
  promptDigest: string,
  panelRevision: number | null,
  platformCode: string,
  kind: SearchingAnswer["kind"],
  locale: string,
  persona: string,
  one: One,
  other: Other,
];

export const searchingAnswers = (page: string): SearchingAnswer[] =>
  page.split("\n").map((line) => {
    const [
      observedAt,
      promptId,
      promptDigest,
      panelRevision,
      platformCode,
      kind,
      locale,
      persona,
      searchCount,
      searches,
    ] = JSON.parse(line) as Line<number | null, ObservedSearch[] | null>;
    return {
      observedAt: new Date(observedAt).toISOString(),
      panelRevision: panelRevision ?? 0,
      ...{ promptId, promptDigest, platformCode, kind, locale, persona, searchCount, searches },
    };
  });

/** `firstAnswer`: the number of the first answer of the page. */
export function shownOffers(
  page: string,
  firstAnswer: number,
): { readonly offers: ShownOffer[]; readonly count: number } {
  const lines = page.split("\n");
  const offers = lines.flatMap((line, index) => {
    const [observedAt, , , , platformCode, kind, locale, persona, cards, mentions] = JSON.parse(line) as Line<
      ObservedCard[],
      ObservedMention[]
    >;
    const day = new Date(observedAt).toISOString();
    return cards
      .filter((card) => card.kind === "product")
      .map(({ title, start, end, price = "", priceUnit = "", shop = "", domain = "" }): ShownOffer => ({
        ...{
          answer: firstAnswer + index,
          observedAt: day,
          platformCode,
          kind,
          locale,
          persona,
          title,
          price,
          priceUnit,
        },
        shop: domain === "" ? shop : domain,
        entityIds: start === undefined || end === undefined ? [] : entitiesWithin({ start, end }, mentions),
      }));
  });
  return { offers, count: lines.length };
}
