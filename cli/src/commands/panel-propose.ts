/** `querent panel propose`: prompts that a panel could ask, from searches, exports, sites, brands and what people ask. */
import {
  csvLines,
  promptColumns,
  proposalLanguages,
  type PromptProposal,
  type PromptProposalRequest,
  type PromptProposals,
} from "@querent/client";
import { Option, type Command } from "commander";
import { list } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { readTextFile } from "../input/text-file.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { projectNamed } from "./projects.ts";

interface ProposeFlags {
  readonly searches?: boolean;
  readonly searchConsole?: string;
  readonly site?: string;
  readonly topic?: readonly string[];
  readonly brands?: boolean;
  readonly questions?: string;
  readonly language?: (typeof proposalLanguages)[number];
  readonly panel?: string;
  readonly project?: string;
  readonly csv?: boolean;
  readonly branded?: boolean;
}

export function addPanelPropose(panels: Command, open: Open): void {
  panels
    .command("propose")
    .description("propose prompts from what is searched for, read and asked; nothing is stored")
    .option("--searches", "searches that platforms made for the answers of the project's panels")
    .option("--search-console <file>", "Queries.csv of a Google Search Console export, or `-`")
    .option("--site <address>", "titles, headings and questions of a site's pages")
    .option("--topic <topics>", "what is sold, for templates: several with commas, or repeat it", list)
    .option("--brands", "templates with the names of the project's brands")
    .option("--questions <file>", "questions in a text, or `-`")
    .addOption(
      new Option("--language <language>", "of texts whose language is not recognised").choices(proposalLanguages),
    )
    .addOption(new Option("--panel <id>", "mark what this panel asks already").conflicts("project"))
    .option("--project <name>", "the project whose brands and panels are read, by name or id")
    .option("--csv", "print what names no brand and is not asked yet as a table of prompts, for a spreadsheet")
    .option("--branded", "with --csv: also what names a brand")
    .action(async (flags: ProposeFlags, command: Command) => propose(open(command), flags));
}

async function propose(context: Context, flags: ProposeFlags): Promise<void> {
  const { output, querent, signal } = context;
  const { searches, searchConsole, site, topic, brands, questions, language, panel } = flags;
  if (searchConsole === "-" && questions === "-") throw new UsageError("Only one of the files can be standard input.");
  const request: PromptProposalRequest = {
    ...(searches === true ? { searches: {} } : {}),
    ...(searchConsole === undefined ? {} : { searchConsole: { csv: await readTextFile(searchConsole) } }),
    ...(site === undefined ? {} : { site: { address: site } }),
    ...(topic !== undefined || brands === true ? { templates: topic === undefined ? {} : { topics: [...topic] } } : {}),
    ...(questions === undefined ? {} : { questions: { text: await readTextFile(questions) } }),
  };
  if (Object.keys(request).length === 0)
    throw new UsageError(
      "Nothing to propose from. Give at least one of --searches, --search-console, --site, --topic, --brands and --questions.",
    );
  const project =
    flags.project === undefined ? {} : { project: (await projectNamed(context, flags.project)).projectId };
  const proposed = await querent.panels.propose(
    { ...request, ...(language === undefined ? {} : { language }), ...(panel === undefined ? {} : { panelId: panel }) },
    { ...project, signal },
  );
  if (flags.csv === true) {
    const chosen = proposed.proposals.filter(
      ({ branded, inPanel }) => !inPanel && (flags.branded === true || !branded),
    );
    const rows = chosen.map(({ text, question, topic: of, intent }) => [question ?? text, of, intent, null]);
    return await output.write(csvLines([[...promptColumns], ...rows]));
  }
  await output.show(proposed, () => linesOf(proposed, output.width));
}

const columns: readonly Column[] = [
  { head: "TOPIC", least: 8 },
  { head: "PROMPT", least: 20 },
  { head: "INTENT", optional: 1 },
  { head: "FROM", optional: 2 },
  { head: "" },
];

function linesOf({ proposals, more, sources }: PromptProposals, width: number): string[] {
  const pages = sources.flatMap((source) => source.pages ?? []);
  const unread = pages.filter(({ outcome }) => outcome !== "read" && outcome !== "cut");
  const marks = ({ branded, inPanel }: PromptProposal) =>
    [...(branded ? ["names a brand"] : []), ...(inPanel ? ["asked already"] : [])].join(", ");
  return [
    ...(proposals.length === 0
      ? ["There is nothing in it to propose."]
      : table(
          columns,
          proposals.map((one) => [
            printableLine(one.topic ?? "-"),
            printableLine(one.text),
            one.intent,
            one.origins.join(", "),
            marks(one),
          ]),
          width,
        )),
    ...(more === 0 ? [] : [`${more} more are not listed: name fewer sources, or less of each.`]),
    ...unread.map(({ address, outcome }) => printableLine(`Not read: ${address} (${outcome.replaceAll("_", " ")})`)),
  ];
}
