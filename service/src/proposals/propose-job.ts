import type { PromptDraw, PromptProposals, PromptSourceFacts, ProposalLanguage } from "@querent/contract";
import { jsonPieces, type Job } from "../computing/job.ts";
import type { EntityContent } from "../observations/entities/entity-content.ts";
import type { MadeSearch } from "../observations/answers/made-searches.ts";
import { proposePrompts, type FoundText, type NamedEntity } from "./engine/propose.ts";
import { textCharsMax, tidy } from "./engine/read-text.ts";
import { pageTexts } from "./sources/page-texts.ts";
import { pastedTexts } from "./sources/pasted.ts";
import type { ReadSite } from "./sources/read-site.ts";
import { searchConsoleTexts } from "./sources/search-console.ts";
import { Tally } from "./sources/tally.ts";
import { templateTexts } from "./sources/templates.ts";

export interface ProposeJobInput {
  readonly searches: readonly MadeSearch[] | null;
  readonly csv: string | null;
  readonly site: ReadSite | null;
  readonly templates: { readonly topics: readonly string[]; readonly languages: readonly ProposalLanguage[] } | null;
  readonly pasted: string | null;
  readonly asked: readonly string[];
  readonly language: ProposalLanguage | null;
  readonly proposedAt: string;
  readonly settings: PromptDraw["settings"];
}

/** Proposals of prompts, from what the sources have. */
export const job: Job<ProposeJobInput> = {
  module: import.meta.url,
  async *run(input, read) {
    const entities: NamedEntity[] = [];
    for await (const page of read("entities")) entities.push(...entitiesIn(page));
    yield;
    const tallies: Tally[] = [];
    const found: FoundText[] = [];
    const settings = { ...input.settings };
    const tallyOf = (origin: Tally["origin"]) => {
      const tally = new Tally(origin);
      tallies.push(tally);
      return tally;
    };
    if (input.searches !== null) {
      found.push(...searchTexts(input.searches, tallyOf("search")));
      yield;
    }
    if (input.csv !== null) {
      const rows = searchConsoleTexts(input.csv, tallyOf("search_console"));
      for (let step = rows.next(); ; step = rows.next()) {
        if (step.done === true) {
          settings.rows = step.value;
          break;
        }
        if (step.value === undefined) yield;
        else found.push(step.value);
      }
    }
    if (input.site !== null) found.push(...pageTexts(input.site.texts, input.language, tallyOf("page")));
    yield;
    if (input.templates !== null) found.push(...templateTexts({ ...input.templates, entities }, tallyOf("template")));
    if (input.pasted !== null) {
      const tally = tallyOf("pasted");
      for (const text of pastedTexts(input.pasted, input.language, tally)) {
        if (text === undefined) yield;
        else found.push(text);
      }
      settings.questions = tally.found;
    }
    const topics = input.templates?.topics ?? [];
    const { asked, language } = input;
    const { proposals, more, byOrigin } = yield* proposePrompts({ found, entities, asked, topics, language });
    yield* jsonPieces({
      proposals,
      more,
      sources: tallies.map((tally): PromptSourceFacts =>
        tally.origin === "page" && input.site !== null ? { ...tally.facts, pages: [...input.site.pages] } : tally.facts,
      ),
      draw: { proposedAt: input.proposedAt, proposals: proposals.length + more, byOrigin, settings },
    } satisfies PromptProposals);
  },
};

const entitiesIn = (page: string): NamedEntity[] =>
  page.split("\n").map((line) => {
    // Stored after it was checked.
    const [entityId, content] = JSON.parse(line) as [string, EntityContent];
    return { entityId, content };
  });

function* searchTexts(searches: readonly MadeSearch[], tally: Tally): Generator<FoundText, void, void> {
  for (const { query, kind, ...evidence } of searches) {
    const text = tidy(query);
    if (tally.takes(text, textCharsMax)) yield { text, evidence: { origin: "search", kind, ...evidence } };
  }
}
