/** Addresses at which figures are read without a token. */
import { api, type FigureLink } from "@querent/contract";
import type { PanelDefinition } from "@querent/figures";
import { LRUCache } from "lru-cache";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { readPublicToken } from "../../artifacts/index.ts";
import { insertLink, listLinks, openLink, revokeLink } from "./links.ts";
import { requireEntity } from "./requests.ts";
import { computationOf, definitionOf, figureTypes, type FiguresAsked, type FigureRoutesDeps } from "./routes.ts";
import { windowOf } from "./window.ts";

export interface FigureLinkDeps extends FigureRoutesDeps {
  /** Makes public URLs, with this key; null if the service does not know its own. */
  readonly publicAddresses: () => ((purpose: "figures", linkId: string) => string) | null;
  readonly addressKey: Buffer;
}

/** Whoever reads an address again sees the same figures for so long, so that nobody makes the service compute by asking often. */
const keptMs = 5 * 60_000;
const keptBytesMax = 32 * 1024 * 1024;
const daysDefault = 366;
const dayMs = 86_400_000;

const noSuchPanel = () => new ProblemError("not_found", "There is no such panel.");

export function figureLinkRoutes(deps: FigureLinkDeps): Route[] {
  const { database, computer } = deps;
  const urlOf = (linkId: string) => deps.publicAddresses()?.("figures", linkId) ?? null;
  const kept = new LRUCache<string, Buffer>({
    maxSize: keptBytesMax,
    sizeCalculation: (body) => body.length + 1000,
    ttl: keptMs,
  });
  return [
    route(api.createFigureLink, async ({ caller: { accountId }, params, body, signal }) => {
      const { days = daysDefault, ...figures } = body;
      const panel = await definitionOf(deps, { accountId, signal }, params.panel_id);
      if (panel === null) throw noSuchPanel();
      requireEntity(panel, measuresOf(figures));
      const link = await insertLink(database, { accountId, panelId: params.panel_id, figures, days });
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

    route(api.getLinkedFigures, async ({ params, query: { format = "csv" }, signal }) => {
      const linkId = readPublicToken(deps.addressKey, "figures", params.token);
      if (linkId === null) throw new ProblemError("not_found", "There is nothing at this address.");
      const opened = await openLink(database, linkId);
      // The URL was issued here.
      if (opened === null) throw new ProblemError("gone", "The address has expired, or was revoked.");
      const headers = {
        "content-type": figureTypes[format],
        "cache-control": `private, max-age=${keptMs / 1000}`,
        "x-robots-tag": "noindex, nofollow, noarchive",
      };
      const key = `${linkId} ${format}`;
      const known = kept.get(key);
      if (known !== undefined) return { status: 200, headers, body: known };
      const { accountId, link } = opened;
      const panel = await definitionOf(deps, { accountId, signal }, link.panelId);
      if (panel === null) throw new ProblemError("gone", "The panel was deleted.");
      const computed = await computer.compute(
        computationOf(database, accountId, { ...(await asked(deps, accountId, { link, panel })), format, signal }),
      );
      const body = Buffer.concat(computed);
      kept.set(key, body);
      return { status: 200, headers, body };
    }),
  ];
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
  const from = lastDays === undefined ? undefined : new Date(Date.now() - lastDays * dayMs).toISOString();
  const window = await windowOf(database, { accountId, panelId: link.panelId }, { from });
  return { panel, window, query: query satisfies FiguresAsked };
}
