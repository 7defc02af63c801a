import DataLoader from "dataloader";
import type pg from "pg";
import { rewriteBodies, type ExpireDeps } from "../outbox/expire.ts";
import { indexOnly, type ClaimedDelivery } from "./claim-deliveries.ts";
import { rowsAs } from "../../db/index.ts";

/** The body of a delivery, and its URL. */
export interface DeliveryContent {
  readonly taskId: string;
  readonly url: string;
  readonly body: Buffer;
}

type Contents = ReadonlyMap<string, DeliveryContent>;

/**
 * The maximum of bytes of bodies that a batch has in memory; a longer body is loaded alone. Each slot of the process may use
 * this much.
 */
const batchBytesMax = 512 * 1024;
/** The maximum of batches whose bodies one statement reads. */
const batchesAtOnce = 64;

/**
 * Reads the contents of a batch of claimed deliveries, by id: of the first of them, as many as fit into memory. Missing ones are
 * no longer pending. Batches that are requested in the same turn of the event loop share a statement.
 */
export class ContentLoader extends DataLoader<readonly ClaimedDelivery[], Contents> {
  constructor(deps: ExpireDeps) {
    super((batches) => readContents(deps, batches), { cache: false, maxBatchSize: batchesAtOnce });
  }
}

async function readContents(deps: ExpireDeps, batches: readonly (readonly ClaimedDelivery[])[]): Promise<Contents[]> {
  const wanted = batches.flatMap((deliveries, batch) =>
    deliveries.map(({ accountId, id }) => ({ accountId, id, batch })),
  );
  // The plan is cached, and may be made while the table has one page. Without this setting the planner then scanned the table
  // for each delivery as long as the plan was cached: a read of 500 beside 60,000 took 4 s.
  const [{ rows }] = (await deps.database.transactionOf(
    [
      {
        name: "read_contents",
        text: contentStatement,
        values: wantedRows.values(wanted),
      },
    ],
    { settings: indexOnly },
  )) as [pg.QueryResult<ContentRow>];
  const rewritten = await rewriteBodies(
    deps,
    rows.filter(({ expired }) => expired),
  );
  const contents = batches.map(() => new Map<string, DeliveryContent>());
  for (const { id, batch, taskId, url, body } of rows)
    contents[batch]?.set(id, { taskId, url, body: rewritten.get(id) ?? body });
  return contents;
}

const wantedRows = rowsAs<{ readonly accountId: string; readonly id: string; readonly batch: number }>("k", {
  account_id: ["uuid", (wanted) => wanted.accountId],
  id: ["uuid", (wanted) => wanted.id],
  batch: ["int", (wanted) => wanted.batch],
  nth: ["int", (_, nth) => nth],
});

interface ContentRow {
  id: string;
  batch: number;
  accountId: string;
  taskId: string;
  deliveryRevision: number;
  url: string;
  body: Buffer;
  expired: boolean;
}

// Index: the primary key. The inner limit guides the planner: with a free choice of joins it read all deliveries of an account
// for one, and took 8 s for a claim. A body's length is known without reading the body.
const contentStatement = `
select id, batch, account_id as "accountId", task_id as "taskId", delivery_revision as "deliveryRevision", url, body,
       expires_at is not null and expires_at <= now() as expired
  from (
    select d.*, k.batch, row_number() over batch_order as nth, sum(octet_length(d.body)) over batch_order as bytes
      from ${wantedRows.after(0)}
     cross join lateral (select * from deliveries d where d.account_id = k.account_id and d.id = k.id limit 1) d
     where d.body is not null
    window batch_order as (partition by k.batch order by k.nth)) d
 where nth = 1 or bytes <= ${batchBytesMax}`;
