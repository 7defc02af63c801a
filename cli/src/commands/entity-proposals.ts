import type { EntityRecord, NameDecisions, NameProposal, NameProposals } from "@querent/client";
import type { Command } from "commander";
import { projectOption } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { printableLine } from "../output/printable.ts";
import { entityNamed, entityNames } from "./entity-names.ts";

interface ProposalFlags {
  panel?: string;
  project?: string;
  neighbours?: boolean;
}

export function addProposals(entity: Command, open: Open): void {
  entity
    .command("propose")
    .description("propose aliases and negative contexts for an entity, by the newest answers")
    .argument("<entity>", "its name or ID")
    .option("--panel <panelId>", "only answers of this panel")
    .addOption(projectOption)
    .option("--neighbours", "also words that stand mostly beside the name")
    .action(async (given: string, flags: ProposalFlags, command: Command) => {
      const context = open(command);
      const { output } = context;
      const found = await propose(context, given, flags);
      await output.show(found.proposals, () => found.proposals.flatMap((proposal) => linesOf(context, proposal)));
      if (output.format === "json") return;
      output.note(summaryOf(found));
    });
  for (const decision of ["approve", "decline"] as const)
    entity
      .command(decision)
      .description(
        decision === "approve"
          ? "add proposals to an entity: an alias, a negative context, or a name in its own case"
          : "do not propose these again for an entity",
      )
      .argument("<entity>", "its name or ID")
      .argument("<text...>", "the texts of proposals, as `propose` prints them")
      .option("--panel <panelId>", "only proposals from answers of this panel")
      .addOption(projectOption)
      .action(async (given: string, texts: string[], flags: ProposalFlags, command: Command) => {
        const context = open(command);
        const changed = await decide(context, decision, { given, texts, flags });
        await context.output.show(changed, () => [
          `${decision === "approve" ? "approved" : "declined"} ${texts.length}, ${printableLine(changed.name)} has revision ${changed.revision}`,
        ]);
      });
}

async function propose(
  context: Context,
  given: string,
  { panel, project, neighbours }: ProposalFlags,
): Promise<NameProposals & { entityId: string }> {
  const { querent, signal } = context;
  const entityId = entityNamed(given, await entityNames(context, project));
  const options = {
    ...(panel === undefined ? {} : { panelId: panel }),
    ...(neighbours === undefined ? {} : { neighbours }),
  };
  return { ...(await querent.entities.propose(entityId, { ...options, signal })), entityId };
}

async function decide(
  context: Context,
  decision: keyof NameDecisions,
  { given, texts, flags }: { readonly given: string; readonly texts: readonly string[]; readonly flags: ProposalFlags },
): Promise<EntityRecord> {
  const { entityId, proposals } = await propose(context, given, { ...flags, neighbours: true });
  const chosen = texts.map((text) => {
    const proposal = proposals.find((each) => each.text === text);
    if (proposal === undefined)
      throw new UsageError(`“${printableLine(text)}” is not proposed. \`querent entity propose\` prints what is.`);
    const { kind, caseSensitive, alsoAliases } = proposal;
    return { kind, text, caseSensitive, alsoAliases };
  });
  return context.querent.entities.decide(entityId, { [decision]: chosen }, { signal: context.signal });
}

const kinds: Readonly<Record<NameProposal["kind"], (text: string) => string>> = {
  alias: (text) => `alias ${text}`,
  negative_context: (text) => `not ${text}`,
  own_case: (text) => `only as ${text}`,
};

const reasons: Readonly<Record<NameProposal["reason"], string>> = {
  script: "the other Chinese script",
  inflected: "an inflected form",
  own_case: "a word in lower case",
  sense: "another sense",
  quantity: "a number",
  lower_case: "a word in lower case",
  neighbour: "perhaps another sense",
};

function linesOf(
  { output }: Context,
  { kind, text, reason, mentions, answers, alsoAliases, evidence }: NameProposal,
): string[] {
  const count = `${kind === "alias" ? "+" : "-"}${counted(mentions, "mention")} in ${counted(answers, "answer")}`;
  const also = alsoAliases.length === 0 ? "" : `, and ${alsoAliases.map(printableLine).join(", ")}`;
  return [
    `${output.color.bold(kinds[kind](printableLine(text)))}${also}: ${reasons[reason]}, ${count}`,
    ...evidence.map(({ snippet, start, end }) => {
      const hit = output.color.bold(printableLine(snippet.slice(start, end)));
      return `    ${printableLine(snippet.slice(0, start))}${hit}${printableLine(snippet.slice(end))}`;
    }),
  ];
}

function summaryOf({ proposals, answers, mentions, notSearched }: NameProposals): string {
  const what = proposals.length === 0 ? "Nothing is proposed" : `${proposals.length} proposed`;
  const left = notSearched === 0 ? "" : `, ${notSearched} not searched`;
  return `${what}, by ${counted(answers, "answer")} with ${counted(mentions, "mention")}${left}.`;
}

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
