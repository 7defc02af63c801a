/** Addresses at which figures are read without a token. */
import { api, type FigureLink, figureLinksMax } from "@querent/contract";
import type { PanelDefinition } from "@querent/figures";
import { LRUCache } from "lru-cache";
import { hashPassword, requireGoodPassword } from "../../api/password.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { readPublicToken } from "../../artifacts/index.ts";
import { requireEntity, windowOf } from "./requests.ts";
import {
  computationOf,
  definitionOf,
  figureTypes,
  type FigureFormat,
  type FiguresAsked,
  type FigureRoutesDeps,
} from "./routes.ts";
import type { Database, Queryable } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { LinkLocks, passwordRequired, type LockedLink } from "../report/link-lock.ts";

interface FigureLinkDeps extends FigureRoutesDeps {
  /** Makes public URLs, with this key; null if the service does not know its own. */
  readonly publicAddresses: () => ((purpose: "figures", linkId: string) => string) | null;
  readonly addressKey: Buffer;
}

/** Whoever reads an address again sees the same figures for so long, so that nobody makes the service compute by asking often. */
const keptMs = 5 * 60_000;
/** Beyond the time limit of a computation itself. */
const computedMsMax = 10 * 60_000;
const keptBytesMax = 32 * 1024 * 1024;
const daysDefault = 366;

const noSuchPanel = () => new ProblemError("not_found", "There is no such panel.");

export function figureLinkRoutes(deps: FigureLinkDeps): Route[] {
  const { database } = deps;
  const urlOf = (linkId: string) => deps.publicAddresses()?.("figures", linkId) ?? null;
  const locks = new LinkLocks(deps.addressKey);
  /** What is being computed: who asks meanwhile waits for it. */
  const underWay = new Map<string, Promise<Buffer>>();
  const kept = new LRUCache<string, Buffer>({
    maxSize: keptBytesMax,
    sizeCalculation: (body) => body.length + 1000,
    ttl: keptMs,
  });
  return [
    route(api.createFigureLink, async ({ caller: { accountId }, params, body, signal }) => {
      const { days = daysDefault, password = null, ...figures } = body;
      const panel = await definitionOf(deps, { accountId, signal }, params.panel_id);
      if (panel === null) throw noSuchPanel();
      requireEntity(panel, measuresOf(figures), "/entityId");
      if (password !== null) await requireGoodPassword("/password", password, []);
      const passwordHash = password === null ? null : await hashPassword(password);
      const link = await insertLink(database, { accountId, panelId: params.panel_id, figures, days, passwordHash });
      return { status: 201, body: { ...link, url: urlOf(link.linkId) } };
    }),

    route(api.listFigureLinks, async ({ caller: { accountId }, params }) => {
      const listed = await listLinks(database, accountId, params.panel_id);
      if (listed === null) throw noSuchPanel();
      return { status: 200, body: { links: listed.map((link) => ({ ...link, url: urlOf(link.linkId) })) } };
    }),

    route(api.revokeFigureLink, async ({ caller: { accountId }, params }) => {
      const isRevoked = await revokeLink(database, accountId, { panelId: params.panel_id, linkId: params.link_id });
      if (!isRevoked) throw new ProblemError("not_found", "There is no such address.");
      return { status: 204 };
    }),

    route(api.getLinkedFigures, async ({ params, query: { format = "csv" }, headers: sent, address }) => {
      const linkId = readPublicToken(deps.addressKey, "figures", params.token);
      if (linkId === null) throw new ProblemError("not_found", "There is nothing at this address.");
      const opened = await openLink(database, linkId);
      // The URL was issued here.
      if (opened === null)
        throw new ProblemError("gone", "The address has expired, or was revoked, or its panel was deleted.");
      if (opened.lock !== null && (await locks.opensTo(opened.lock, sent["authorization"], address)) !== true)
        throw passwordRequired(
          "The address has a password, which was not sent or is wrong. Send it with `Authorization: Basic`, with any user name.",
        );
      const headers = {
        "content-type": figureTypes[format],
        "cache-control": `private, max-age=${keptMs / 1000}`,
        "x-robots-tag": "noindex, nofollow, noarchive",
      };
      const key = `${linkId} ${format}`;
      const known = kept.get(key);
      if (known !== undefined) return { status: 200, headers, body: known };
      let computing = underWay.get(key);
      if (computing === undefined) {
        computing = compute(deps, opened, format)
          .then((body) => {
            kept.set(key, body);
            return body;
          })
          .finally(() => underWay.delete(key));
        underWay.set(key, computing);
      }
      return { status: 200, headers, body: await computing };
    }),
  ];
}

type Opened = NonNullable<Awaited<ReturnType<typeof openLink>>>;

async function compute(deps: FigureLinkDeps, { accountId, link }: Opened, format: FigureFormat): Promise<Buffer> {
  const signal = AbortSignal.timeout(computedMsMax);
  const gone = new ProblemError(
    "gone",
    "What this address reads was deleted: the panel, or the brand. Make an address of another one.",
  );
  const panel = await definitionOf(deps, { accountId, signal }, link.panelId);
  if (panel === null) throw gone;
  const { entityId } = link.figures;
  if (entityId !== undefined && !panel.entities.some((entity) => entity.entityId === entityId)) throw gone;
  const input = { ...(await asked(deps, accountId, { link, panel })), format, signal };
  return Buffer.concat(await deps.computer.compute(computationOf(deps.database, accountId, input)));
}

const measuresOf = ({ measure, entityId, domain, sourceType }: FigureLink["figures"]) => ({
  measure,
  entityId,
  domain,
  sourceType,
});

async function asked(
  { database }: FigureLinkDeps,
  accountId: string,
  { link, panel }: { readonly link: Pick<FigureLink, "panelId" | "figures">; readonly panel: PanelDefinition },
) {
  const { lastDays, ...query } = link.figures;
  const window = await windowOf(database, { accountId, panelId: link.panelId }, { lastDays });
  return { panel, window, query: query satisfies FiguresAsked };
}

type StoredLink = Omit<FigureLink, "url">;

interface LinkRow extends Record<string, unknown> {
  id: string;
  account_id: string;
  panel_id: string;
  figures: FigureLink["figures"];
  created_at: Date;
  expires_at: Date;
  password_hash: string | null;
}

const columns = "id, account_id, panel_id, figures, created_at, expires_at, password_hash";

/** Stores what an address computes. Deletes the account's addresses that have expired. */
async function insertLink(
  database: Database,
  link: {
    accountId: string;
    panelId: string;
    figures: FigureLink["figures"];
    days: number;
    passwordHash: string | null;
  },
): Promise<StoredLink> {
  const { accountId, panelId, figures, days, passwordHash } = link;
  return database.transaction(async (tx) => {
    // Locks: the panel, so that it is not deleted meanwhile; then the expired rows. Index: the primary key.
    if (!(await hasPanel(tx, { accountId, panelId }, "for update")))
      throw new ProblemError("not_found", "There is no such panel.");
    await tx.query("delete from figure_links where account_id = $1 and expires_at <= now()", [accountId]);
    const { rows } = await tx.query<LinkRow>(
      `insert into figure_links (account_id, id, panel_id, figures, created_at, expires_at, password_hash)
       select $1, $2, $3, $4, date_trunc('milliseconds', now()),
              date_trunc('milliseconds', now()) + $5::int * interval '1 day', $7
        where (select count(*) from figure_links where account_id = $1) < $6
       returning ${columns}`,
      [accountId, newId(), panelId, JSON.stringify(figures), days, figureLinksMax, passwordHash],
    );
    const [row] = rows;
    if (row === undefined)
      throw new ProblemError(
        "state_conflict",
        `The account has ${figureLinksMax} addresses of figures, which is the most. None was made. Revoke one.`,
      );
    noteAudit({
      target: { type: "figure_link", id: row.id },
      after: { panelId, ...figures, days, password: passwordHash !== null },
    });
    return linkOf(row);
  });
}

/** The addresses of a panel that work, newest first. Null: the account has no such panel. */
async function listLinks(db: Queryable, accountId: string, panelId: string): Promise<StoredLink[] | null> {
  if (!(await hasPanel(db, { accountId, panelId }))) return null;
  // Index: figure_links_panel.
  const { rows } = await db.query<LinkRow>(
    `select ${columns} from figure_links
      where account_id = $1 and panel_id = $2 and expires_at > now() order by id desc`,
    [accountId, panelId],
  );
  return rows.map(linkOf);
}

/** False: there is no such address. */
async function revokeLink(
  database: Database,
  accountId: string,
  { panelId, linkId }: { readonly panelId: string; readonly linkId: string },
): Promise<boolean> {
  // Locks: the deleted row. Index: the primary key.
  const { rowCount } = await database.query(
    "delete from figure_links where account_id = $1 and id = $2 and panel_id = $3",
    [accountId, linkId, panelId],
  );
  return rowCount === 1;
}

/** What an address computes, and for whom; null: it has expired, or was revoked. */
async function openLink(
  db: Queryable,
  linkId: string,
): Promise<{ accountId: string; link: StoredLink; lock: LockedLink | null } | null> {
  // Index: figure_links_id.
  const { rows } = await db.query<LinkRow>(`select ${columns} from figure_links where id = $1 and expires_at > now()`, [
    linkId,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const { account_id: accountId, password_hash: passwordHash, expires_at: expiresAt } = row;
  return {
    ...{ accountId, link: linkOf(row) },
    lock: passwordHash === null ? null : { id: linkId, passwordHash, expiresAt },
  };
}

const linkOf = (row: LinkRow): StoredLink => ({
  linkId: row.id,
  panelId: row.panel_id,
  figures: row.figures,
  hasPassword: row.password_hash !== null,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
