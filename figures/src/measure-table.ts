import type { Measure } from "@querent/contract";

const searched =
  "Prompts whose text names the entity; answers without text; answers that were not searched for entities, or before the entity was created.";
const cited =
  "Answers without text; answers of platforms that never return sources (`not_exposed:sources`), and those whose sources could not be read (`parse_failed:sources`).";
const hidden = `${cited} Answers with a redirect whose site is not known (\`opaque_sources\`); one that hides only its page counts for the site that the platform names.`;
const compared = "Answers that have nothing to compare, and days or runs without a second answer to the same prompt.";
const unasked =
  "Canceled tasks. Imported answers. Answers from before failed tasks were recorded (`failures_not_recorded`).";

const share = { kind: "rate", unit: "share", sample: "runs" } as const;
const ofAnswers = { ...share, per: "answer" } as const;
const ofDomain = { ...share, per: "domain", leavesOut: hidden } as const;
const ofType = { ...share, per: "source_type", leavesOut: hidden } as const;
const perRun = { kind: "mean", sample: "runs", per: "answer" } as const;

/** What is measured, in words: the table from which the reference is made. */
export const measureTable: readonly Omit<Measure, "floor">[] = [
  {
    ...share,
    id: "presence",
    definition: "presence/1",
    per: "entity",
    title: "Presence",
    counts: "Answers that name the entity at least once.",
    leavesOut: searched,
    formula: "answers that name it / answers",
  },
  {
    ...share,
    id: "mention_share",
    definition: "mention_share/1",
    per: "entity",
    title: "Mention share (share of voice)",
    counts: "Mentions of the entity among the mentions of all own entities and competitors.",
    leavesOut:
      "Prompts whose text names any of these entities; answers without text; answers that were not searched for the entity. Of the others, the answer has those that it was searched for. Entities that are not in the panel's set of brands.",
    formula:
      "mentions of it / mentions of own entities and competitors. The cells' mean numbers are added up above and below the line; an answer that names none adds nothing to either",
  },
  {
    ...share,
    id: "first_place",
    definition: "first_place/1",
    per: "entity",
    title: "First place, given that it is named",
    counts: "Answers that name the entity before every other own entity and competitor.",
    leavesOut: `Answers that do not name it: not named is missing, not last. ${searched}`,
    formula: "answers that name it first / answers that name it",
  },
  {
    ...share,
    id: "first_place_of_all",
    definition: "first_place_of_all/1",
    per: "entity",
    title: "First place, of all answers",
    counts: "Answers that name the entity before every other own entity and competitor, among all answers.",
    leavesOut: searched,
    formula: "answers that name it first / answers",
  },
  {
    ...share,
    kind: "mean",
    unit: "position",
    id: "position",
    definition: "position/1",
    per: "entity",
    title: "Position, given that it is listed",
    counts: "The place of the first item of a list that begins with the entity; 1 is the top.",
    leavesOut: `Answers that do not list it: not listed is missing, not last. Answers that were not searched for lists. ${searched}`,
    formula: "the mean of the positions in answers that list it",
  },
  {
    ...share,
    id: "listed",
    definition: "listed/1",
    per: "entity",
    title: "Listed",
    counts:
      "Answers in which an item of a list begins with the entity. Lists under a heading or line that warns of what they list, and lists of sources, do not count. It says nothing about what the answer thinks of the entity.",
    leavesOut: `Answers that were searched by a version of the matcher before 3. ${searched}`,
    formula: "answers that list it / answers",
  },
  {
    ...share,
    id: "own_citation_rate",
    definition: "own_citation_rate/1",
    per: "entity",
    title: "Citation rate of an entity's own sites",
    counts: "Answers that cite a page of the entity's domains or their subdomains.",
    leavesOut: `Prompts whose text names the entity. ${hidden}`,
    formula: "answers that cite one of its pages / answers",
  },
  {
    ...share,
    id: "own_citation_share",
    definition: "own_citation_share/1",
    per: "entity",
    title: "Citation share of an entity's own sites",
    counts: "Citations of the entity's domains among all citations. A page counts once for each answer.",
    leavesOut: `Prompts whose text names the entity. ${hidden}`,
    formula: "citations of its pages / citations",
  },
  {
    ...ofDomain,
    id: "citation_rate",
    definition: "citation_rate/1",
    title: "Citation rate of a domain",
    counts: "Answers that cite at least one page of the domain.",
    formula: "answers that cite it / answers",
  },
  {
    ...ofDomain,
    id: "citation_share",
    definition: "citation_share/1",
    title: "Citation share of a domain",
    counts: "Citations of the domain among all citations. A page counts once for each answer.",
    formula: "citations of its pages / citations",
  },
  {
    ...ofType,
    id: "type_citation_rate",
    definition: "type_citation_rate/1",
    title: "Citation rate of a type of sites",
    counts: "Answers that cite at least one site of the type, such as `news`.",
    formula: "answers that cite one / answers",
  },
  {
    ...ofType,
    id: "type_citation_share",
    definition: "type_citation_share/1",
    title: "Citation share of a type of sites",
    counts: "Citations of sites of the type among all citations. A page counts once for each answer.",
    formula: "citations of such sites / citations",
  },
  {
    ...ofAnswers,
    id: "cited_answers",
    definition: "cited_answers/1",
    title: "Answers with sources",
    counts: "Answers that cite at least one source.",
    leavesOut: cited,
    formula: "answers with sources / answers",
  },
  {
    ...ofAnswers,
    id: "carded_answers",
    definition: "carded_answers/1",
    title: "Answers with cards",
    counts: "Answers that show at least one card: a product, a video or other media.",
    leavesOut:
      "Answers without text, and answers whose products are not known, because the platform never returns them.",
    formula: "answers with cards / answers",
  },
  {
    ...ofAnswers,
    sample: null,
    id: "core_citation_share",
    definition: "core_citation_share/2",
    title: "Share of the core sources",
    counts:
      "Citations of the core: the domains that at least 80 % of the runs cite, in whichever of their answers. The others are the tail. It has no interval: which domains are the core depends on all answers at once.",
    leavesOut: `All answers, if they are of fewer than five runs (\`too_few_runs\`). ${hidden}`,
    formula: "citations of the core / citations",
  },
  {
    ...ofAnswers,
    sample: "days",
    id: "source_agreement_within_days",
    definition: "source_agreement_within_days/1",
    title: "Agreement of sources within a day",
    counts:
      "How much two answers to the same prompt on the same day (UTC) have in common: the Jaccard index of their domains. Of a day, the first 20 answers.",
    leavesOut: `${compared} ${hidden}`,
    formula: "domains in both answers / domains in either, the mean over the pairs of a day, then over days and cells",
  },
  {
    ...ofAnswers,
    sample: "pairs_of_days",
    id: "source_agreement_between_days",
    definition: "source_agreement_between_days/1",
    title: "Agreement of sources between days",
    counts:
      "The same for answers of neighbouring days: the first, second ... of one day with the first, second ... of the next day that has answers. Days are taken in pairs, each once, so that the pairs do not depend on each other. Of a day, the first 20 answers.",
    leavesOut: `${compared} ${hidden}`,
    formula: "domains in both answers / domains in either, the mean over the pairs",
  },
  {
    ...ofAnswers,
    sample: "days",
    id: "order_agreement_within_days",
    definition: "order_agreement_within_days/1",
    title: "Agreement of the order of brands within a day",
    counts:
      "Rank-biased overlap (extrapolated, persistence 0.9) of the own entities and competitors in the order in which two answers of a day name them first.",
    leavesOut: `Pairs of which one names none. ${compared} Answers without text, or not searched for any of these entities; prompts that name any of them.`,
    formula: "rank-biased overlap, the mean over the pairs of a day, then over days and cells",
  },
  {
    ...ofAnswers,
    sample: "pairs_of_days",
    id: "order_agreement_between_days",
    definition: "order_agreement_between_days/1",
    title: "Agreement of the order of brands between days",
    counts: "The same for answers of neighbouring days, in pairs as above.",
    leavesOut: `Pairs of which one names none. ${compared} Answers without text, or not searched for any of these entities; prompts that name any of them.`,
    formula: "rank-biased overlap, the mean over the pairs",
  },
  {
    ...ofAnswers,
    sample: "pairs_of_days",
    id: "first_place_changes",
    definition: "first_place_changes/1",
    title: "Changes of the first place",
    counts:
      "Pairs of answers of neighbouring days whose first named own entity or competitor is not the same, in pairs as above.",
    leavesOut: `Pairs of which one names none. ${compared} Answers without text, or not searched for any of these entities; prompts that name any of them.`,
    formula: "pairs with another first entity / pairs",
  },
  {
    ...ofAnswers,
    sample: "pairs_of_runs",
    id: "first_place_changes_between_runs",
    definition: "first_place_changes_between_runs/1",
    title: "Changes of the first place between runs",
    counts:
      "The same for answers of neighbouring runs, whenever they were: the first run with the second, the third with the fourth, and so on. Of a run, the first 20 answers.",
    leavesOut: `Pairs of which one names none. ${compared} Answers without text, or not searched for any of these entities; prompts that name any of them.`,
    formula: "pairs with another first entity / pairs",
  },
  {
    ...ofAnswers,
    id: "platform_source_agreement",
    definition: "platform_source_agreement/1",
    title: "Agreement of sources between platforms",
    counts:
      "How much the answers of two platforms to the same prompt in the same run have in common: the Jaccard index of their domains, the first answer of one with the first of the other, and so on. One row for each pair of platforms.",
    leavesOut: `${compared} ${hidden}`,
    formula: "domains in both answers / domains in either, the mean over the pairs",
  },
  {
    ...perRun,
    unit: "searches",
    id: "search_count",
    definition: "search_count/1",
    title: "Searches (fan-out)",
    counts: "The searches that the platform reported for an answer.",
    leavesOut: "Answers of platforms that do not report them.",
    formula: "the mean of the answers' searches",
  },
  {
    ...perRun,
    unit: "characters",
    id: "answer_length",
    definition: "answer_length/1",
    title: "Length of answers",
    counts: "UTF-16 code units of the answer's text.",
    leavesOut: "Answers without text.",
    formula: "the mean of the answers' lengths",
  },
  {
    ...ofAnswers,
    id: "empty_rate",
    definition: "empty_rate/1",
    title: "Empty answers",
    counts: "Completed answers without text. Tasks that failed have no answer, and are counted by `failure_rate`.",
    leavesOut: "Nothing.",
    formula: "answers without text / answers",
  },
  {
    ...perRun,
    unit: "milliseconds",
    id: "time_to_answer",
    definition: "time_to_answer/1",
    title: "Time to answer",
    counts: "The duration of the attempt that answered.",
    leavesOut: "Answers whose duration is not known, such as imported ones.",
    formula: "the mean of the answers' durations",
  },
  {
    ...perRun,
    unit: "points",
    id: "price_per_answer",
    definition: "price_per_answer/1",
    title: "Price of a usable answer",
    counts: "Points that were charged, for each answer with text.",
    leavesOut: "Imported answers, which are free.",
    formula: "points of all answers / answers with text",
  },
  {
    ...ofAnswers,
    id: "failure_rate",
    definition: "failure_rate/1",
    title: "Failed tasks",
    counts:
      "Tasks of the panel's runs that failed, for whatever reason, refusals among them. All other measures are of answers: if many tasks fail, and those to certain prompts more than others, these measures are of the prompts that are answered.",
    leavesOut: unasked,
    formula: "tasks that failed / tasks that failed or were answered",
  },
  {
    ...ofAnswers,
    id: "refusal_rate",
    definition: "refusal_rate/1",
    title: "Refused questions",
    counts:
      "Tasks that failed because the platform declined to answer the question (`platform_refused`). An answer that declines in its words is an answer.",
    leavesOut: unasked,
    formula: "tasks that the platform refused / tasks that failed or were answered",
  },
];
