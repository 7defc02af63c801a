/** The operators' part of the API. The command line uses the same functions. */
import { api, type AccountRecord } from "@querent/contract";
import { listAccounts, setStorageQuota, setUnfinishedMax } from "../accounts/index.ts";
import type { Database } from "../db/index.ts";
import { overrideLimits, restoreLimits } from "../dispatch/index.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import { decodeCursor, encodeCursor } from "../api/cursor.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import { idPattern } from "../kernel/ids.ts";
import { noteAudit } from "../runtime/audited.ts";
import { grantPoints } from "../points/index.ts";
import { readEngine, readNodeRecords, readQueueRecord, type Places, type KnownPlatforms } from "./read-engine.ts";

export interface OperatorRouteDeps extends KnownPlatforms {
  readonly database: Database;
  readonly places: Places;
  readonly createAccount: (input: { name: string; points: number }) => Promise<string>;
  readonly onChange: OnChange;
  /** Brings up to date what the platforms lack. */
  readonly refresh: () => Promise<unknown>;
  /** Called with the platforms whose limits have changed. */
  readonly onLimits: (platforms: readonly string[]) => void;
}

const sizeCursor = /^\d{1,16} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const noSuchPlatform = () => new ProblemError("not_found", "There is no such platform.");

export function operatorRoutes(deps: OperatorRouteDeps): Route[] {
  const { database, onChange } = deps;
  return [
    route(api.getEngine, async () => {
      await deps.refresh();
      return { status: 200, body: await readEngine(database, deps, deps.places) };
    }),

    route(api.listNodes, async () => ({ status: 200, body: { nodes: await readNodeRecords(database) } })),

    route(api.setPlatformLimits, async ({ caller, params, body: limits }) => {
      const platform = params.platform_code;
      noteAudit({ after: limits });
      if (!(await overrideLimits(database, platform, limits, caller.tokenId))) throw noSuchPlatform();
      onChange({ event: "platform.limits_changed", platform, limits, by: changedBy(caller) });
      deps.onLimits([platform]);
      return { status: 200, body: await readQueueRecord(database, deps, platform) };
    }),

    route(api.removePlatformLimits, async ({ caller, params }) => {
      const limits = deps.limits.get(params.platform_code);
      if (limits === undefined) throw noSuchPlatform();
      if (await restoreLimits(database, limits)) {
        const { code: platform, runningMax, rate } = limits;
        onChange({ event: "platform.limits_restored", platform, limits: { runningMax, rate }, by: changedBy(caller) });
        deps.onLimits([platform]);
      }
      return { status: 200, body: await readQueueRecord(database, deps, params.platform_code) };
    }),

    route(api.listAccounts, async ({ query }) => {
      const { limit = 50, text, cursor } = query;
      const isBySize = query.orderBy === "size";
      const before = cursor === undefined ? null : decodeCursor(cursor, isBySize ? sizeCursor : idPattern);
      const [bytes = "", accountId = ""] = before?.split(" ") ?? [];
      const found = await listAccounts(database, {
        ...(text === undefined ? {} : { text }),
        ...(isBySize
          ? { bySize: { before: before === null ? null : { bytes: Number(bytes), accountId } } }
          : { beforeId: before }),
        limit: limit + 1,
      });
      const accounts = found.slice(0, limit);
      const last = found.length > limit ? accounts.at(-1) : undefined;
      const nextCursor =
        last === undefined
          ? null
          : encodeCursor(isBySize ? `${last.storage.totalBytes} ${last.accountId}` : last.accountId);
      return { status: 200, body: { accounts, nextCursor } };
    }),

    route(api.createAccount, async ({ caller, body: { name, points: given } }) => {
      const points = given ?? 0;
      const accountId = await deps.createAccount({ name, points });
      onChange({ event: "account.created", accountId, points, by: changedBy(caller) });
      return { status: 201, body: await readAccount(database, accountId) };
    }),

    route(api.setAccountLimits, async ({ caller, params, body: { unfinishedMax, ...quota } }) => {
      await database.transaction(async (tx) => {
        const [before] = await listAccounts(tx, { accountId: params.account_id });
        noteAudit({
          ...(before === undefined ? {} : { before: limitsOf(before) }),
          after: { unfinishedMax, ...quota },
        });
        await setUnfinishedMax(tx, params.account_id, unfinishedMax);
        await setStorageQuota(tx, params.account_id, quota);
      });
      onChange({
        event: "account.limits_changed",
        accountId: params.account_id,
        unfinishedMax,
        ...quota,
        by: changedBy(caller),
      });
      return { status: 200, body: await readAccount(database, params.account_id) };
    }),

    route(api.grantPoints, async ({ caller, params, body: { points, note } }) => {
      const accountId = params.account_id;
      noteAudit({ after: { points, note: note ?? null } });
      await database.transaction((tx) => grantPoints(tx, { accountId, points, note: note ?? null }));
      onChange({ event: "account.granted", accountId, points, by: changedBy(caller) });
      return { status: 201, body: await readAccount(database, accountId) };
    }),
  ];
}

async function readAccount(database: Database, accountId: string): Promise<AccountRecord> {
  const [account] = await listAccounts(database, { accountId });
  if (account === undefined) throw new ProblemError("not_found", "There is no such account.");
  return account;
}

function limitsOf({ unfinishedMax, storage }: AccountRecord): object {
  const { storageRowsMax, storageBytesMax, artifactBytesMax } = storage;
  return { unfinishedMax, storageRowsMax, storageBytesMax, artifactBytesMax };
}
