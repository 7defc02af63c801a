import {
  csvLines,
  entityCells,
  entityColumns,
  InvalidRequestError,
  readEntityTable,
  type EntityRecord,
  type EntityRequest,
  type InProject,
  type Querent,
} from "@querent/client";
import { Option, type Command } from "commander";
import { projectOption } from "../arguments.ts";
import type { Open } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { Mistakes } from "../input/mistakes.ts";
import { readTextFile } from "../input/text-file.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { addProposals } from "./entity-proposals.ts";

const relations = ["own", "competitor", "other"] as const;
type Relation = (typeof relations)[number];

interface ProjectFlag {
  project?: string;
}

/** `PUT /v1/entities` accepts so many at once. */
const mergedMax = 500;

export function addEntities(program: Command, open: Open): void {
  const entity = program.command("entity").description("manage the brands, products and people to find in answers");
  entity
    .command("list")
    .description("list the entities, newest first")
    .addOption(new Option("--relation <relation>", "only these").choices(relations))
    .addOption(projectOption)
    .action(async (filters: ProjectFlag & { relation?: Relation }, command: Command) => {
      const { output, querent, signal } = open(command);
      const entities: EntityRecord[] = [];
      for await (const each of querent.entities.list(filters, { signal })) {
        if (output.format === "json") await output.json(each);
        else entities.push(each);
      }
      if (output.format === "json") return;
      if (entities.length === 0) output.note("There are no entities. Create one with `entity add`.");
      else await output.text(...table(columns, entities.map(cellsOf), output.width));
    });
  addAdd(entity, open);
  entity
    .command("delete")
    .description("delete an entity with its revisions")
    .argument("<entityId>")
    .action(async (entityId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const deleted = await querent.entities.delete(entityId, { signal });
      await output.show(deleted, () => [`deleted ${printableLine(deleted.name)}`]);
    });
  addTry(entity, open);
  addProposals(entity, open);
  addImport(entity, open);
  entity
    .command("recount")
    .description("after a change, find mentions again in the answers that have not expired")
    .action(async (_flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const report = await querent.entities.recount({ signal });
      await output.show(report, () => [
        `recounted ${report.recounted}, changed ${report.changed}, expired ${report.expired}`,
        ...(report.notSearched === 0
          ? []
          : [
              `${report.notSearched} not searched: it takes more work than an answer may. They keep their mentions. Delete names that contain each other or differ only in their spaces, and recount again.`,
            ]),
      ]);
    });
  entity
    .command("export")
    .description("print all entities as CSV, which `entity import` reads")
    .addOption(projectOption)
    .action(async (filters: ProjectFlag, command: Command) => {
      const { output, querent, signal } = open(command);
      await output.write(csvLines([entityColumns]));
      for await (const each of querent.entities.list(filters, { signal }))
        await output.write(csvLines([entityCells(each)]));
    });
}

function addAdd(entity: Command, open: Open): void {
  interface Flags extends ProjectFlag {
    relation: Relation;
    alias: string[];
    not: string[];
    domain: string[];
    caseSensitive?: boolean;
  }
  const several = (value: string, before: string[]): string[] => [...before, value];
  entity
    .command("add")
    .description("create an entity, or replace the one of the same name")
    .argument("<name>")
    .addOption(new Option("--relation <relation>", "whose it is").choices(relations).default("other"))
    .option("--alias <text>", "another name; may be repeated", several, [])
    .option("--not <phrase>", "a phrase that shows that something else is meant; may be repeated", several, [])
    .option("--domain <host>", "a site of its own; may be repeated", several, [])
    .addOption(projectOption)
    .option("--case-sensitive", "find the name and the aliases only in their own case")
    .action(async (name: string, flags: Flags, command: Command) => {
      const { output, querent, signal } = open(command);
      const caseSensitive = flags.caseSensitive === true;
      const changes = await querent.entities.merge(
        [
          {
            ...{ name, relation: flags.relation, caseSensitive, negativeContexts: flags.not, domains: flags.domain },
            aliases: flags.alias.map((text) => ({ text, caseSensitive })),
          },
        ],
        { signal, project: flags.project },
      );
      await output.show(changes, () => [summary(changes)]);
    });
}

function addTry(entity: Command, open: Open): void {
  entity
    .command("try")
    .description("find the mentions in a text")
    .argument("<file>", "a file with the text, or - for standard input")
    .addOption(projectOption)
    .action(async (file: string, { project }: ProjectFlag, command: Command) => {
      const { output, querent, signal } = open(command);
      const text = await readTextFile(file);
      const found = await querent.entities.try(text, { signal, project });
      await output.show(found, () =>
        found.mentions.map(({ name, start, end }) => {
          const [before, after] = [text.slice(Math.max(0, start - 30), start), text.slice(end, end + 30)];
          const hit = output.color.bold(printableLine(text.slice(start, end)));
          return `${String(start).padStart(7)}  ${printableLine(name)}  ${printableLine(before)}${hit}${printableLine(after)}`;
        }),
      );
      if (found.mentions.length === 0) output.note("There are no mentions.");
    });
}

function addImport(entity: Command, open: Open): void {
  entity
    .command("import")
    .description(`create or change entities from a CSV file with the columns ${entityColumns.join(", ")}`)
    .argument("<file>", "a CSV file, or - for standard input; lists are separated by |")
    .addOption(projectOption)
    .action(async (file: string, { project }: ProjectFlag, command: Command) => {
      const { output, querent, signal } = open(command);
      const entities: { readonly line: number; readonly entity: EntityRequest }[] = [];
      const mistakes = new Mistakes(printableLine(file), "Nothing was changed.");
      for (const row of readEntityTable(await readTextFile(file))) {
        if (row.fault === undefined) entities.push(row);
        else mistakes.add(row.line, printableLine(row.fault));
      }
      mistakes.throwIfAny();
      const changes = { created: 0, updated: 0, unchanged: 0 };
      for (let first = 0; first < entities.length; first += mergedMax) {
        const part = entities.slice(first, first + mergedMax);
        const changed = await merge(querent, part, { file, isFirst: first === 0, options: { project, signal } });
        changes.created += changed.created;
        changes.updated += changed.updated;
        changes.unchanged += changed.unchanged;
      }
      await output.show(changes, () => [summary(changes)]);
    });
}

/** What the service refuses is told with the lines of the file. */
async function merge(
  querent: Querent,
  part: readonly { readonly line: number; readonly entity: EntityRequest }[],
  {
    file,
    isFirst,
    options,
  }: { readonly file: string; readonly isFirst: boolean; readonly options: InProject & { signal: AbortSignal } },
) {
  const entities = part.map(({ entity }) => entity);
  try {
    return await querent.entities.merge(entities, options);
  } catch (error) {
    if (!(error instanceof InvalidRequestError) || error.errors.length === 0) throw error;
    const outcome = isFirst
      ? "Nothing was changed."
      : `The rows before line ${part[0]?.line} are imported. After the correction, import the whole file again.`;
    const mistakes = new Mistakes(printableLine(file), outcome);
    for (const { pointer, detail } of error.errors) {
      const [, index = "0", member] = /^\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
      mistakes.add(
        part[Number(index)]?.line ?? 1,
        printableLine(member === undefined ? detail : `${member}: ${detail}`),
      );
    }
    throw new CliError("refused", mistakes.describe().join("\n"));
  }
}

const summary = ({ created, updated, unchanged }: { created: number; updated: number; unchanged: number }): string =>
  `created ${created}, changed ${updated}, unchanged ${unchanged}`;

const columns: readonly Column[] = [
  { head: "ID" },
  { head: "NAME", least: 8 },
  { head: "RELATION" },
  { head: "ALIASES", least: 8, optional: 1 },
];

const cellsOf = ({ entityId, name, relation, aliases }: EntityRecord): string[] => [
  entityId,
  printableLine(name),
  relation,
  printableLine(aliases.map(({ text }) => text).join(", ")),
];
