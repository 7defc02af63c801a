/**
 * client/src/wire.ts: the contract's types as plain TypeScript, so that the client needs no schema package, and editors
 * show names and comments instead of inferred types. A test compares them with the contract's types.
 */
import {
  Availability,
  Effective,
  EventType,
  alertKindNames,
  alertNeedsAdmin,
  channelKindNames,
  demonstrationAccount,
  eventTypes,
  isOfPanel,
  logoBytesMax,
  Failure,
  namedSchemas,
  NotifiedTask,
  OmittedTask,
  PlatformOptions,
  PlatformOptionValues,
  problemCodes,
  ProblemItem,
  proposalLanguages,
  Progress,
  Provenance,
  ReasoningStep,
  reportLanguages,
  scopes,
  SearchStep,
  Submission,
  SubmittedOptions,
  SubmittedTask,
  TaskAttempt,
  TaskAttempts,
  TaskWait,
} from "@querent/contract";
import { plain, type Schema } from "./schema-text.ts";

/** The types in the order of the file: those of the OpenAPI document, and named parts of them. */
const types: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries({
    ...namedSchemas,
    SubmittedOptions,
    Submission,
    SubmittedTask,
    Progress,
    TaskAttempt,
    TaskWait,
    TaskAttempts,
    Failure,
    Availability,
    Provenance,
    Effective,
    PlatformOptions,
    PlatformOptionValues,
    ReasoningStep,
    SearchStep,
    NotifiedTask,
    OmittedTask,
    EventType,
    ProblemItem,
  }).map(([name, schema]) => [name, plain(schema)]),
);
const names = new Map<Schema, string>(Object.entries(types).map(([name, schema]) => [schema, name]));

const head = `/**
 * The types of the API, generated from its schemas by \`npm run docs\`. Do not edit.
 */
`;

export function clientTypes(): string {
  const parts = Object.entries(types).map(([name, schema]) => {
    const comment = commentOf(schema.description, "");
    return schema.properties === undefined
      ? `${comment}export type ${name} = ${typeOf(schema, "", schema)};\n`
      : `${comment}export interface ${name} ${typeOf(schema, "", schema)}\n`;
  });
  const union = (values: readonly string[]) => values.map((value) => JSON.stringify(value)).join(" | ");
  return [
    head,
    ...parts,
    `/** The code of a problem. */\nexport type ProblemCode = ${union(problemCodes)};\n`,
    `/** All types of events. */\nexport const eventTypes = ${JSON.stringify(eventTypes)} as const;\n`,
    `/** The kinds of alerts: which are found in panels, and which only operators choose. */\nexport const alertKinds = ${JSON.stringify(alertTable())} as const;\n`,
    `/** All kinds of channels. */\nexport const channelKinds = ${JSON.stringify(channelKindNames)} as const;\n`,
    `/** The languages of reports. */\nexport const reportLanguages = ${JSON.stringify(reportLanguages)} as const;\n`,
    `/** The languages with rules for proposals of prompts. */\nexport const proposalLanguages = ${JSON.stringify(proposalLanguages)} as const;\n`,
    `/** The most bytes of a logo. */\nexport const logoBytesMax = ${logoBytesMax};\n`,
    `/** The name of the account that \`createDemonstration\` makes. */\nexport const demonstrationAccount = ${JSON.stringify(demonstrationAccount)};\n`,
    `/** A scope of a token. */\nexport type Scope = ${union(scopes)};\n`,
    `/** \`pending\` until the task ends. The other states are final. */\nexport type TaskState = TaskRecord["state"];\n`,
  ].join("\n");
}

export function typeOf(schema: Schema, indent: string, itself?: Schema): string {
  const name = schema === itself ? undefined : names.get(schema);
  if (name !== undefined) return name;
  if (schema.anyOf !== undefined) return schema.anyOf.map((branch) => typeOf(branch, indent)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (schema.type) {
    case "array": {
      const items = schema.items === undefined ? "unknown" : typeOf(schema.items, indent);
      return /[|]/.test(items) && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
    }
    case "object":
      return objectType(schema, indent);
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return schema.type;
  }
}

function objectType(schema: Schema, indent: string): string {
  if (schema.properties === undefined) {
    const [values] = Object.values(schema.patternProperties ?? {});
    return `Record<string, ${values === undefined ? "unknown" : typeOf(values, indent)}>`;
  }
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties).map(
    ([name, member]) =>
      `${commentOf(describe(member), inner)}${inner}${name}${required.has(name) ? "" : "?"}: ${typeOf(member, inner)};`,
  );
  return `{\n${members.join("\n")}\n${indent}}`;
}

/** The description of a member, or of its non-null type. */
function describe(schema: Schema): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const branches = schema.anyOf?.filter((branch) => branch.type !== "null" && !names.has(branch)) ?? [];
  return branches.length === 1 ? branches[0]?.description : undefined;
}

const commentOf = (text: string | undefined, indent: string) =>
  text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;

const alertTable = () =>
  Object.fromEntries(
    alertKindNames.map((kind) => [kind, { isOfPanel: isOfPanel(kind), needsAdmin: alertNeedsAdmin(kind) }]),
  );
