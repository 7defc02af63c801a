/** The options of a question, for a single question and for a file. */
import type { SubmittedOptions } from "@querent/client";
import { Option, type Command } from "commander";
import { coordinates, list } from "../arguments.ts";

export interface QuestionOptions {
  readonly platform?: readonly string[];
  readonly deep?: boolean;
  readonly output?: NonNullable<SubmittedOptions["output"]>;
  readonly resultFormat?: NonNullable<SubmittedOptions["resultFormat"]>;
  readonly tag?: readonly string[];
  readonly country?: string;
  readonly language?: string;
  readonly city?: string;
  readonly region?: string;
  readonly coordinates?: { readonly latitude: number; readonly longitude: number };
  readonly persona?: string;
  readonly model?: string;
  readonly searchDepth?: NonNullable<SubmittedOptions["searchDepth"]>;
  readonly domain?: readonly string[];
  readonly excludeDomain?: readonly string[];
  readonly since?: string;
  readonly onUnsupported?: NonNullable<SubmittedOptions["onUnsupported"]>;
}

export function addQuestionOptions(command: Command): Command {
  return command
    .option("-p, --platform <codes>", "platforms to ask, separated by commas", list)
    .option("--deep", "request a deeper analysis")
    .addOption(new Option("--output <kind>", "what to return").choices(["answer", "screenshot", "share_link"]))
    .addOption(new Option("--result-format <form>", "for web platforms").choices(["json", "html", "all"]))
    .option("--tag <tags>", "tags of the tasks, separated by commas", list)
    .option("--country <code>", "country to ask from, such as de")
    .option("--language <tag>", "language of the answer, such as de or pt-BR")
    .option("--city <name>", "city to ask from")
    .option("--region <name>", "region or state to ask from")
    .option("--coordinates <latitude,longitude>", "where to ask from, such as 48.14,11.58", coordinates)
    .option("--persona <text>", "whom the assistant talks to or plays")
    .option("--model <name>", "one of the platform's models")
    .addOption(new Option("--search-depth <depth>", "how much to search").choices(["low", "medium", "high"]))
    .option("--domain <domains>", "search only these domains, separated by commas", list)
    .option("--exclude-domain <domains>", "do not use these domains, separated by commas", list)
    .option("--since <date>", "use only pages published since this date, such as 2026-01-31")
    .addOption(
      new Option("--on-unsupported <policy>", "what to do if the platform does not support one of these").choices([
        "refuse",
        "ignore",
      ]),
    );
}

export function submittedOptions(flags: QuestionOptions): SubmittedOptions {
  const { city, region, coordinates: place, domain, excludeDomain } = flags;
  return defined({
    deepAnalysis: flags.deep,
    output: flags.output,
    resultFormat: flags.resultFormat,
    country: flags.country,
    language: flags.language,
    location: objectOf({ city, region, ...place }),
    persona: flags.persona,
    model: flags.model,
    searchDepth: flags.searchDepth,
    domains: objectOf({ allow: domain?.slice(), deny: excludeDomain?.slice() }),
    since: flags.since,
    onUnsupported: flags.onUnsupported,
  });
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

function defined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
}

function objectOf<Members extends object>(members: Members): Defined<Members> | undefined {
  const kept = defined(members);
  return Object.keys(kept).length === 0 ? undefined : kept;
}
