/**
 * The policy of CONTRIBUTING for migrations, checked on PostgreSQL's own parser. A migration **expands**: processes of the
 * version before run beside it and notice nothing. What it replaces is removed one version later, by a migration that
 * **contracts** and names in its head the one that it completes.
 */
import { loadModule, parseSync } from "libpg-query";
import { parseMigration, type MigrationStep } from "../../src/db/migration-file.ts";

await loadModule();

type Node = Readonly<Record<string, unknown>>;

/** What is wrong with a migration, one sentence each. `released`: the migrations of versions that were released. */
export function violationsOf(name: string, sql: string, released: readonly string[] = []): string[] {
  let migration;
  try {
    migration = parseMigration(name, sql);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const { minCompatible, version, steps } = migration;
  const head = sql.split(/^(?!--|\s*$)/m)[0] ?? "";
  const contracts = /^-- Contracts: (\d{4})/m.exec(head)?.[1];
  const violations: string[] = [];
  if (minCompatible === version) violations.push("its head must say `-- Old code beside it: from NNNN`");
  if (contracts !== undefined) {
    if (minCompatible < Number(contracts))
      violations.push(`it contracts ${contracts}, so code without that migration cannot run beside it`);
    if (!released.some((one) => one.startsWith(contracts)))
      violations.push(`it contracts ${contracts}, which no released version has: contraction comes one version later`);
  }
  if (!/^-- step: /m.test(sql)) violations.push("it has no `-- step:`");
  const created = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const found = stepViolations(step, { created, contracts: contracts !== undefined });
    violations.push(...found.map((violation) => `step ${index + 1}: ${violation}`));
  }
  return violations;
}

interface Context {
  /** The tables that this migration creates, which nobody else uses yet. */
  readonly created: Set<string>;
  readonly contracts: boolean;
}

function stepViolations(step: MigrationStep, context: Context): string[] {
  const statements = statementsOf(step.sql);
  if (typeof statements === "string") return [statements];
  if (step.kind === "concurrently") {
    // Parsed by the runner already: one `create index concurrently`.
    return statements.length === 1 ? [] : ["a concurrent index is a step of its own"];
  }
  if (step.kind === "validate") {
    const commands = statements.flatMap(([type, node]) => (type === "AlterTableStmt" ? commandsOf(node) : [null]));
    const isOne = commands.length === 1 && commands[0]?.["subtype"] === "AT_ValidateConstraint";
    return isOne ? [] : ["a step `validate` is one `alter table … validate constraint`"];
  }
  if (step.kind === "backfill") {
    const [type, node] = statements[0] ?? ["", {}];
    const changes = type === "SelectStmt" && /"(UpdateStmt|InsertStmt)"/.test(JSON.stringify(node["withClause"] ?? {}));
    return statements.length === 1 && changes && /\blimit \$2/i.test(step.sql)
      ? []
      : ["a backfill is one `with … limit $2 …, changed as (update …) select … as position`"];
  }
  const violations = statements.flatMap((statement) => statementViolations(statement, context));
  const locked = new Set(statements.flatMap((statement) => lockedTables(statement, context)));
  if (locked.size > 1)
    violations.push(
      `it locks ${[...locked].join(" and ")}: one step locks one table, or it waits for the second with the first`,
    );
  return violations;
}

function statementViolations([type, node]: Statement, context: Context): string[] {
  const { created, contracts } = context;
  switch (type) {
    case "CreateStmt":
      if (node["partbound"] !== undefined && !parentsOf(node).every((parent) => created.has(parent)))
        return ["a partition of an existing table locks it: leave it to the service"];
      created.add(relationOf(node) ?? "");
      return [];
    case "IndexStmt":
      if (node["concurrent"] === true) return ["`concurrently` needs a step of this kind"];
      return created.has(relationOf(node) ?? "") ? [] : ["an index on an existing table is built concurrently"];
    case "InsertStmt":
    case "UpdateStmt":
    case "DeleteStmt":
      return created.has(relationOf(node) ?? "") ? [] : ["rows of existing tables are changed by a step `backfill`"];
    case "CommentStmt":
    case "CreateFunctionStmt":
    case "ViewStmt":
      return [];
    case "AlterTableStmt":
      if (created.has(relationOf(node) ?? "")) return [];
      return commandsOf(node).flatMap((command) => commandViolations(command, contracts));
    case "DropStmt":
      return contracts ? [] : ["dropping is contraction: it comes one version later, with `-- Contracts: NNNN`"];
    case "RenameStmt":
      return ["renaming breaks the version before: add the new name, and drop the old one a version later"];
    default:
      return [`${type} is not known to be safe beside running processes`];
  }
}

const contracting = new Set(["AT_DropColumn", "AT_DropConstraint", "AT_DropNotNull"]);
const harmless = new Set(["AT_ColumnDefault", "AT_SetStatistics", "AT_SetRelOptions", "AT_ResetRelOptions"]);

function commandViolations(command: Node, contracts: boolean): string[] {
  const subtype = String(command["subtype"]);
  if (harmless.has(subtype)) return [];
  // Without a check, the table takes what the version before writes and more. It relies on the other constraints, as in `on conflict`.
  if (subtype === "AT_DropConstraint" && String(command["name"]).endsWith("_check")) return [];
  if (contracting.has(subtype))
    return contracts ? [] : [`${subtype} is contraction: it comes one version later, with \`-- Contracts: NNNN\``];
  switch (subtype) {
    case "AT_AddColumn":
      return columnViolations(inner(command["def"], "ColumnDef"));
    case "AT_AddConstraint": {
      const constraint = inner(command["def"], "Constraint");
      const kind = constraint["contype"];
      if (!contracts && JSON.stringify(constraint["raw_expr"] ?? {}).includes("IS_NOT_NULL"))
        return ["a check that a column is not null refuses the rows of the version before: it comes one version later"];
      if ((kind === "CONSTR_CHECK" || kind === "CONSTR_FOREIGN") && constraint["skip_validation"] === true) return [];
      if (kind === "CONSTR_UNIQUE" && constraint["indexname"] !== undefined) return [];
      return ["a constraint is added `not valid`, and validated in a later step; a unique one `using index`"];
    }
    case "AT_ValidateConstraint":
      return ["validating reads the whole table: it is a step `validate`"];
    case "AT_AlterColumnType":
      return ["changing a type rewrites the table: add a column of the new type"];
    case "AT_SetNotNull":
      return ["`set not null` reads the whole table under its lock: use a check that is added `not valid`"];
    default:
      return [`${subtype} is not known to be safe beside running processes`];
  }
}

function columnViolations(column: Node): string[] {
  const constraints = asNodes(column["constraints"]).map((one) => inner(one, "Constraint"));
  const kinds = constraints.map(({ contype }) => String(contype));
  const byDefault = constraints.find(({ contype }) => contype === "CONSTR_DEFAULT");
  const violations: string[] = [];
  if (byDefault !== undefined && !isConstant(byDefault["raw_expr"]))
    violations.push("the default of a new column is a constant, or every row is rewritten");
  if (kinds.includes("CONSTR_NOTNULL") && byDefault === undefined)
    violations.push("a new column may be null or has a constant default: the version before does not fill it");
  const others = kinds.filter((kind) => !["CONSTR_DEFAULT", "CONSTR_NOTNULL", "CONSTR_NULL"].includes(kind));
  if (others.length > 0)
    violations.push(
      `a new column with ${others.join(", ")} reads or rewrites the table: add that in a step of its own`,
    );
  return violations;
}

/** A literal, cast or not, or `now()`, which is evaluated once. */
function isConstant(expression: unknown): boolean {
  const [type, node] = Object.entries((expression ?? {}) as Node)[0] ?? [];
  if (type === "A_Const") return true;
  if (type === "TypeCast") return isConstant((node as Node)["arg"]);
  if (type === "FuncCall") return JSON.stringify((node as Node)["funcname"]).includes('"now"');
  return false;
}

function lockedTables([type, node]: Statement, { created }: Context): string[] {
  if (type !== "AlterTableStmt" && type !== "DropStmt") return [];
  const names = type === "AlterTableStmt" ? [relationOf(node) ?? ""] : droppedNames(node);
  return names.filter((table) => !created.has(table));
}

const droppedNames = (node: Node): string[] => asNodes(node["objects"]).map((object) => JSON.stringify(object));

type Statement = readonly [type: string, node: Node];

/** The statements of a text, or why PostgreSQL cannot parse it. */
function statementsOf(sql: string): Statement[] | string {
  try {
    const { stmts = [] } = parseSync(sql) as { stmts?: readonly { stmt?: Node }[] };
    return stmts.flatMap(({ stmt }) => Object.entries(stmt ?? {}).map(([type, node]) => [type, node as Node] as const));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const relationOf = (node: Node): string | undefined => (node["relation"] as { relname?: string } | undefined)?.relname;
const parentsOf = (node: Node): string[] =>
  asNodes(node["inhRelations"]).map((parent) => String(inner(parent, "RangeVar")["relname"]));
const asNodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as Node[]) : []);
const inner = (value: unknown, type: string): Node => ((value as Node | undefined)?.[type] ?? {}) as Node;
const commandsOf = (node: Node): Node[] => asNodes(node["cmds"]).map((command) => inner(command, "AlterTableCmd"));
