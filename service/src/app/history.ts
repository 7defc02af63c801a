/** The tables that only grow, in partitions by time: what comes is prepared for, and what is old can be exported and dropped. */
import {
  dropLeftovers,
  dropPartition,
  extendPartitions,
  listPartitions,
  type Database,
  type Partition,
  type PartitionedTable,
  type PartitionPeriod,
} from "../db/index.ts";
import { failuresTable, observationsTable } from "../observations/index.ts";
import { ledgerTable } from "../points/index.ts";
import { forgetTasks, hasRecentTasks, tasksTable } from "../tasks/index.ts";
import { deliveriesTable, endFeedHistory, hasPendingDeliveries } from "../webhooks/index.ts";

/**
 * The least number of days that tasks are kept: longer than their results, deliveries and events, which refer to them. The last of
 * these may be the event of a revision, which is made until the result expires.
 */
export const historyDaysMin = (retentionDays: number): number => Math.ceil(2 * retentionDays) + 14;

/** Observations outlive them: see `forgetObservations`. */
export const historyTables: readonly PartitionedTable[] = [tasksTable, ledgerTable, deliveriesTable];

/** Creates the partitions of the coming time. */
export async function extendHistory(database: Database, period: PartitionPeriod): Promise<{ created: string[] }> {
  const created: string[] = [];
  for (const table of [...historyTables, observationsTable, failuresTable])
    created.push(...(await extendPartitions(database, table, period)).created);
  return { created };
}

export interface DroppedHistory {
  readonly dropped: string[];
  /** Partitions that are old enough, and have a task or a delivery that is not. */
  readonly kept: string[];
}

/**
 * Drops the partitions that end before a time, except those with a task or delivery that has not ended, or with a task that ended
 * since that time. A partition of ledger entries goes after the tasks of the same time. `onDrop` is called before each.
 */
export async function dropHistory(
  database: Database,
  before: Date,
  onDrop: (partition: Partition) => Promise<void> = async () => {},
): Promise<DroppedHistory> {
  const history: DroppedHistory = { dropped: [], kept: [] };
  const drop = async (table: PartitionedTable, partition: Partition) => {
    await onDrop(partition);
    await dropPartition(database, table, partition);
    history.dropped.push(partition.name);
  };
  for (const table of historyTables) await dropLeftovers(database, table);
  for (const partition of await oldPartitions(database, tasksTable, before)) {
    if (await hasRecentTasks(database, partition, before)) history.kept.push(partition.name);
    else await drop(tasksTable, partition);
  }
  const [oldest] = await listPartitions(database, tasksTable);
  const tasksFrom = oldest?.from ?? new Date(0);
  if (history.dropped.length > 0) await forgetTasks(database, tasksFrom);
  for (const partition of await oldPartitions(database, ledgerTable, before)) {
    if (partition.to === null || partition.to > tasksFrom) history.kept.push(partition.name);
    else await drop(ledgerTable, partition);
  }
  for (const partition of await oldPartitions(database, deliveriesTable, before)) {
    if (await hasPendingDeliveries(database, partition)) {
      history.kept.push(partition.name);
      continue;
    }
    await endFeedHistory(database, partition);
    await drop(deliveriesTable, partition);
  }
  return history;
}

async function oldPartitions(database: Database, table: PartitionedTable, before: Date): Promise<Partition[]> {
  return (await listPartitions(database, table)).filter(({ to }) => to !== null && to <= before);
}
