import { isDeepStrictEqual } from "node:util";
import type {
  CompleteSchedule,
  PanelContent,
  PanelPage,
  PanelRevisions,
  PanelSummary,
  StoredPanel,
} from "@querent/contract";
import { countStored } from "../../accounts/index.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { holdProject, isOfProjects, storedProject } from "../../projects/index.ts";
import { dueAt, nextSlot } from "./slots.ts";
import { fixBrands, type PanelBrands, type PanelPlace } from "./panel-brands.ts";
import { digestOf, digestText } from "./cells.ts";
import type { ReadPanel } from "./read-panel.ts";
import { frameOf, frameToStore, type StoredFrame } from "./sampling-frame.ts";

type Prompt = PanelContent["prompts"][number];

interface HeadRow {
  id: string;
  project: string;
  name: string;
  revision: number;
  digest: Buffer;
  prompt_count: number;
  cell_count: number;
  repeats: number;
  schedule: CompleteSchedule | null;
  due_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

// Counted by the database, so that lists do not read the prompts.
const sizes = `jsonb_array_length(r.content->'prompts') as prompt_count,
  (select coalesce(sum(ceil(jsonb_array_length(r.content->'prompts') * greatest(1, jsonb_array_length(r.content->'locales'))
                   * greatest(1, jsonb_array_length(r.content->'personas'))
                   * round(100 * coalesce((r.content->'platformShare'->>code)::numeric, 1)) / 100)), 0)::int
     from jsonb_array_elements_text(r.content->'platforms') as code) as cell_count,
  (r.content->>'repeats')::int as repeats`;
const head = `p.id, coalesce(p.project_id, p.account_id) as project, p.name, r.revision, r.digest, p.schedule, p.due_at, p.created_at, p.updated_at, ${sizes}`;

export async function createPanel(database: Database, place: PanelPlace, panel: ReadPanel): Promise<StoredPanel> {
  const { accountId } = place;
  const id = newId();
  await database.transaction(async (tx) => insertPanel(tx, { ...place, id, panel, now: await timeOf(tx) }));
  return found(await getPanel(database, accountId, id), id);
}

export async function insertPanel(
  tx: Transaction,
  given: PanelPlace & { readonly id: string; readonly panel: ReadPanel; readonly now: Date },
): Promise<void> {
  const { accountId, projectId, id, panel, now } = given;
  noteAudit({
    target: { type: "panel", id },
    after: { ...settingsOf(panel), ...(projectId === accountId ? {} : { projectId }) },
  });
  await holdProject(tx, { accountId, projectId });
  const { slot, due } = firstSlot(id, panel.schedule, now);
  // Locks: only the new rows.
  await tx.query(
    `insert into panels (account_id, id, revision, name, schedule, created_at, updated_at, next_slot, due_at, failures_since, project_id)
     values ($1, $2, 1, $3, $4, $5, $5, $6, $7, $5, $8)`,
    [accountId, id, panel.name, jsonOrNull(panel.schedule), now, slot, due, storedProject(accountId, projectId)],
  );
  const frame = frameToStore(panel.content.prompts, panel.frame, null);
  await insertRevision(tx, { accountId, panelId: id, revision: 1, content: panel.content, frame, now });
  await fixBrands(tx, { accountId, panelId: id });
}

/**
 * Replaces a panel. Another content makes a new revision; another schedule begins now, and the same one goes on. Null: the account
 * has no such panel.
 */
export async function replacePanel(
  database: Database,
  accountId: string,
  panelId: string,
  panel: ReadPanel,
): Promise<StoredPanel | null> {
  const exists = await database.transaction(async (tx) => {
    // Locks: the panel's row, so that revisions are numbered one after the other. Index: the primary key.
    const { rows } = await tx.query<{
      revision: number;
      digest: Buffer;
      name: string;
      schedule: CompleteSchedule | null;
      asked: PanelContent;
      brands: PanelBrands | null;
      named: PanelBrands | null;
      frame: StoredFrame | null;
    }>(
      `select p.revision, r.digest, p.name, p.schedule, r.content as asked, r.frame, p.brands, r.content->'brands' as named from panels p
         join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
        where p.account_id = $1 and p.id = $2 for update of p`,
      [accountId, panelId],
    );
    const [before] = rows;
    if (before === undefined) return false;
    noteAudit({ before: settingsOf({ ...before, content: before.asked }), after: settingsOf(panel) });
    const now = await timeOf(tx);
    const content = withKnownBrands(panel.content, before, await deletedOf(tx, accountId, before.named));
    const isSame = before.digest.equals(digestOf(content));
    const revision = isSame ? before.revision : before.revision + 1;
    const frame = frameToStore(content.prompts, panel.frame, before.frame);
    if (!isSame) await insertRevision(tx, { accountId, panelId, revision, content, frame, now });
    // What it was chosen from can be told later.
    else if (!isDeepStrictEqual(frame, before.frame))
      await tx.query(
        "update panel_revisions set frame = $4 where account_id = $1 and panel_id = $2 and revision = $3",
        [...[accountId, panelId, revision, jsonOrNull(frame)]],
      );
    await fixBrands(tx, { accountId, panelId });
    await tx.query("update panels set revision = $3, name = $4, updated_at = $5 where account_id = $1 and id = $2", [
      accountId,
      panelId,
      revision,
      panel.name,
      now,
    ]);
    if (isSameSchedule(before.schedule, panel.schedule)) return true;
    const { slot, due } = firstSlot(panelId, panel.schedule, now);
    await tx.query("update panels set schedule = $3, next_slot = $4, due_at = $5 where account_id = $1 and id = $2", [
      accountId,
      panelId,
      jsonOrNull(panel.schedule),
      slot,
      due,
    ]);
    return true;
  });
  return exists ? getPanel(database, accountId, panelId) : null;
}

/** The brands of a set that the account does not have any more. */
async function deletedOf(tx: Transaction, accountId: string, brands: PanelBrands | null): Promise<ReadonlySet<string>> {
  const ids = brands === null ? [] : [...brands.own, ...brands.competitors];
  if (ids.length === 0) return new Set();
  // Index: the primary key.
  const { rows } = await tx.query<{ id: string }>(
    "select id from entities where account_id = $1 and id = any($2::uuid[])",
    [accountId, ids],
  );
  return new Set(ids).difference(new Set(rows.map(({ id }) => id)));
}

/**
 * Brands that are left out, or those of before again, change nothing: also if the panel never named its brands. Whoever sends what
 * they were shown leaves out those that were deleted.
 */
function withKnownBrands(
  { brands, ...content }: PanelContent,
  before: { readonly brands: PanelBrands | null; readonly named: PanelBrands | null },
  deleted: ReadonlySet<string>,
): PanelContent {
  const whole = before.named ?? before.brands;
  const isThere = (id: string) => !deleted.has(id);
  const known = whole && { own: whole.own.filter(isThere), competitors: whole.competitors.filter(isThere) };
  const isNew =
    brands !== undefined && brands !== null && (known === null || !isDeepStrictEqual(inOrder(brands), inOrder(known)));
  if (isNew) return { ...content, brands };
  return before.named === null ? content : { ...content, brands: before.named };
}

const inOrder = ({ own, competitors }: PanelBrands) => [own.toSorted(), competitors.toSorted()];

/** Makes a panel of imported answers: without platforms and a schedule, it is never asked. */
export async function insertImportedPanel(
  tx: Transaction,
  given: {
    readonly accountId: string;
    readonly id: string;
    readonly name: string;
    readonly prompts: readonly Prompt[];
  },
): Promise<void> {
  const { accountId, id, name, prompts } = given;
  const content = {
    prompts: [...prompts],
    platforms: [],
    locales: [],
    personas: [],
    repeats: 1,
    tags: [],
    options: {},
  };
  const panel = { name, content, schedule: null };
  await insertPanel(tx, { accountId, projectId: accountId, id, panel, now: await timeOf(tx) });
}

/** Adds prompts to the current revision of a panel, whose row the caller has locked. Returns the new revision. */
export async function addPrompts(
  tx: Transaction,
  { accountId, panelId, prompts }: { accountId: string; panelId: string; prompts: readonly Prompt[] },
): Promise<number> {
  // Index: the primary keys.
  const { rows } = await tx.query<{ revision: number; content: PanelContent; frame: StoredFrame | null }>(
    `select p.revision, r.content, r.frame from panels p
       join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
      where p.account_id = $1 and p.id = $2`,
    [accountId, panelId],
  );
  const [before] = rows;
  if (before === undefined) throw new Error(`panel ${panelId} is gone`);
  const now = await timeOf(tx);
  const revision = before.revision + 1;
  const content = { ...before.content, prompts: [...before.content.prompts, ...prompts] };
  await insertRevision(tx, { accountId, panelId, revision, content, frame: before.frame, now });
  await tx.query("update panels set revision = $3, updated_at = $4 where account_id = $1 and id = $2", [
    accountId,
    panelId,
    revision,
    now,
  ]);
  return revision;
}

/** False: the account has no such panel. */
export async function deletePanel(database: Database, accountId: string, panelId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Locks: the panel's row first, as its runs do; then the rows that it deletes. Index: panel_tasks_run, the primary keys.
    const { rows } = await tx.query<{ name: string }>(
      "delete from panels where account_id = $1 and id = $2 returning name",
      [accountId, panelId],
    );
    if (rows.length === 0) return false;
    noteAudit({ before: { name: rows[0]?.name } });
    for (const table of [
      "panel_tasks",
      "panel_runs",
      "panel_revisions",
      "panel_changes",
      "panel_evaluations",
      "alert_findings",
      "panel_seals",
      "report_schedules",
      "report_shares",
      "figure_links",
      "sent_reports",
      "imports",
    ])
      await tx.query(`delete from ${table} where account_id = $1 and panel_id = $2`, [accountId, panelId]);
    return true;
  });
}

/** Whether the account has the panel; with `for update`, it is not deleted before the transaction ends. */
export async function hasPanel(
  db: Queryable,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
  lock: "" | "for update" = "",
): Promise<boolean> {
  // Index: the primary key.
  const { rowCount } = await db.query(`select 1 from panels where account_id = $1 and id = $2 ${lock}`, [
    accountId,
    panelId,
  ]);
  return rowCount === 1;
}

/** A panel at its current revision, or an earlier one. */
export async function getPanel(
  db: Queryable,
  accountId: string,
  panelId: string,
  revision?: number,
): Promise<StoredPanel | null> {
  const { rows } = await db.query<
    HeadRow & { content: PanelContent; brands: PanelBrands | null; frame: StoredFrame | null }
  >(
    `select ${head}, r.content, r.frame, p.brands from panels p
       join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = coalesce($3, p.revision)
      where p.account_id = $1 and p.id = $2`,
    [accountId, panelId, revision ?? null],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { content, frame } = row;
  return {
    ...summary(row),
    ...content,
    brands: content.brands ?? row.brands,
    ...(frame === null ? {} : { frame: frameOf(frame, content.prompts) }),
  };
}

/** The project of a panel; null if the account does not have it. */
export async function projectOfPanel(db: Queryable, accountId: string, panelId: string): Promise<string | null> {
  // Index: the primary key.
  const { rows } = await db.query<{ project: string }>(
    "select coalesce(project_id, account_id) as project from panels where account_id = $1 and id = $2",
    [accountId, panelId],
  );
  return rows[0]?.project ?? null;
}

/** A page of panels, newest first: those older than `beforeId`, of some projects or of all. */
export async function listPanels(
  db: Queryable,
  accountId: string,
  page: { readonly projects: readonly string[] | null; readonly beforeId: string | null; readonly limit: number },
): Promise<{ panels: PanelPage["panels"]; nextId: string | null }> {
  // Index: the primary key.
  const { rows } = await db.query<HeadRow>(
    `select ${head} from panels p
       join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
      where p.account_id = $1 and ($2::uuid is null or p.id < $2) and ${isOfProjects("p", 4)} order by p.id desc limit $3`,
    [accountId, page.beforeId, page.limit + 1, page.projects],
  );
  const shown = rows.slice(0, page.limit);
  return { panels: shown.map(summary), nextId: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null };
}

/** The newest 200. */
export async function listRevisions(db: Queryable, accountId: string, panelId: string): Promise<PanelRevisions> {
  const { rows } = await db.query<HeadRow>(
    `select r.revision, r.digest, r.created_at, ${sizes} from panel_revisions r
      where r.account_id = $1 and r.panel_id = $2 order by r.revision desc limit 200`,
    [accountId, panelId],
  );
  return {
    revisions: rows.map((row) => ({
      revision: row.revision,
      digest: digestText(row.digest),
      ...sizesOf(row),
      createdAt: row.created_at.toISOString(),
    })),
  };
}

async function insertRevision(
  tx: Transaction,
  given: {
    accountId: string;
    panelId: string;
    revision: number;
    content: PanelContent;
    frame: StoredFrame | null;
    now: Date;
  },
): Promise<void> {
  const { accountId, panelId, revision, content, frame, now } = given;
  await tx.query(
    `insert into panel_revisions (account_id, panel_id, revision, digest, content, created_at, frame) values ($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, panelId, revision, digestOf(content), JSON.stringify(content), now, jsonOrNull(frame)],
  );
  await countStored(tx, { accountId, kind: "panels" }, panelId, revision);
}

async function timeOf(tx: Transaction): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>("select date_trunc('milliseconds', now()) as now");
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not tell the time");
  return row.now;
}

function firstSlot(panelId: string, schedule: CompleteSchedule | null, now: Date) {
  const slot = schedule === null || schedule.paused ? null : nextSlot(schedule, now);
  return { slot, due: slot === null || schedule === null ? null : dueAt(panelId, slot, schedule) };
}

function isSameSchedule(one: CompleteSchedule | null, other: CompleteSchedule | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.cron === other.cron &&
    one.timeZone === other.timeZone &&
    one.jitterSeconds === other.jitterSeconds &&
    one.catchUp === other.catchUp &&
    one.paused === other.paused
  );
}

function summary(row: HeadRow): PanelSummary {
  return {
    panelId: row.id,
    projectId: row.project,
    name: row.name,
    revision: row.revision,
    digest: digestText(row.digest),
    ...sizesOf(row),
    schedule: row.schedule,
    nextRunAt: row.due_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function sizesOf(row: Pick<HeadRow, "prompt_count" | "cell_count" | "repeats">) {
  return { promptCount: row.prompt_count, cellCount: row.cell_count, taskCount: row.cell_count * row.repeats };
}

/** A panel in the audit log: its prompts, locales and personas are counted, because their texts are questions. */
function settingsOf({ name, content, schedule }: Pick<ReadPanel, "name" | "content" | "schedule">): object {
  const { prompts, locales, personas, platforms, repeats, tags, brands } = content;
  const counts = { prompts: prompts.length, locales: locales.length, personas: personas.length };
  return { name, ...counts, platforms, repeats, tags, schedule, brands };
}

const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

function found<Value>(value: Value | null, id: string): Value {
  if (value === null) throw new Error(`panel ${id} is gone`);
  return value;
}

/** The codes of the platforms that scheduled panels of any account ask. */
export async function readActivePlatforms(db: Queryable): Promise<string[]> {
  // Index: panels_due, and the primary key of panel_revisions. For an operator's command: it reads the definition of each such panel.
  const { rows } = await db.query<{ code: string }>(
    `select distinct code
       from panels p
       join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
            cross join lateral jsonb_array_elements_text(r.content->'platforms') as code
      where p.due_at is not null order by code`,
  );
  return rows.map(({ code }) => code);
}
