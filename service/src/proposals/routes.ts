import { api, type PromptDraw, type PromptProposalRequest } from "@querent/contract";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Caller, type Route } from "../api/route.ts";
import type { Computer } from "../computing/computer.ts";
import { isStatementTimeout, readsUntil, type Database } from "../db/index.ts";
import type { EgressGuard } from "../egress/index.ts";
import { completeAddress } from "../kernel/web-address.ts";
import { readMadeSearches, type MadeSearch } from "../observations/answers/made-searches.ts";
import { entityPages, listEntities } from "../observations/entities/entity-rows.ts";
import { getPanel, listPanels, projectOfPanel } from "../panels/definitions/panels.ts";
import { projectForNew } from "../projects/index.ts";
import { job } from "./propose-job.ts";
import { readSite, type ReadSite } from "./sources/read-site.ts";

export interface ProposalRoutesDeps {
  readonly database: Database;
  readonly computer: Computer;
  /** Of sites that users name: public addresses alone, whatever the operator allows for notifications. */
  readonly guard: EgressGuard;
  /** Sites that are read at once. */
  readonly sites: AccountSemaphore;
  readonly version: string;
  readonly now: () => Date;
}

const searchesMax = 20_000;
const panelsMax = 50;
const windowMs = 90 * 24 * 3600 * 1000;
const narrow = {
  pointer: "",
  detail: "Send less of it: fewer rows, less text, or one source at a time.",
};

export function proposalRoutes(deps: ProposalRoutesDeps): Route[] {
  const { database, computer } = deps;
  return [
    route(api.proposePrompts, async ({ caller, query, body, signal }) => {
      requireSource(body);
      const { accountId } = caller;
      const db = readsUntil(database, signal);
      const place = await placeOf(db, caller, body.panelId ?? null, query.project);
      const settings: PromptDraw["settings"] = {};
      const read = await computer.prepare({ accountId, signal }, async () => ({
        searches: await searchesOf(deps, db, place, body.searches ?? null, settings),
        entities: await listEntities(db, accountId, {
          projects: [place.projectId],
          relation: null,
          beforeId: null,
          limit: null,
        }),
      }));
      const site = await siteOf(deps, accountId, body.site ?? null, signal);
      if (site !== null) {
        settings.site = site.host.slice(0, 300);
        settings.pages = site.pages.filter(({ outcome }) => outcome === "read" || outcome === "cut").length;
      }
      const language = body.language ?? null;
      const templates =
        body.templates === undefined || body.templates === null
          ? null
          : {
              topics: [
                ...new Set((body.templates.topics ?? []).map((topic) => topic.trim()).filter((topic) => topic !== "")),
              ],
              languages: [...new Set(body.templates.languages ?? [language ?? "en"])],
            };
      if (templates !== null) Object.assign(settings, templates);
      const csv = body.searchConsole?.csv ?? null;
      const pasted = body.questions?.text ?? null;
      const entityChars = JSON.stringify(read.entities.map(({ content }) => content)).length;
      const chars = (csv?.length ?? 0) + (pasted?.length ?? 0) + 100 * (read.searches?.length ?? 0);
      const reply = await computer.reply({
        accountId,
        job,
        input: {
          ...{ searches: read.searches, csv, site, templates, pasted, asked: place.asked, language },
          ...{ proposedAt: deps.now().toISOString(), settings },
        },
        inputs: {
          entities: (from) =>
            entityPages(
              from,
              accountId,
              read.entities.map(({ id }) => id),
            ),
        },
        signal,
        narrow,
        memoryMiB: () => 100 + chars / 12_000 + entityChars / 20_000,
        isLarge: chars > charsHere || entityChars > entityCharsHere,
      });
      return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: reply };
    }),
  ];
}

/** What is computed on the main thread, in slices. */
const charsHere = 200_000;
const entityCharsHere = 100_000;

function requireSource({ searches, searchConsole, site, templates, questions }: PromptProposalRequest): void {
  if ([searches, searchConsole, site, templates, questions].some((source) => source !== undefined && source !== null))
    return;
  throw new ProblemError("validation_failed", "The request names no source, so there is nothing to propose from.", {
    errors: [
      {
        pointer: "",
        code: "required",
        detail: "Name at least one of `searches`, `searchConsole`, `site`, `templates` and `questions`.",
      },
    ],
  });
}

interface Place {
  readonly accountId: string;
  readonly projectId: string;
  readonly asked: readonly string[];
}

/** The project that is read: that of the panel, or the one in which a new panel would be made. What the caller may not see is not there. */
async function placeOf(
  db: Parameters<typeof getPanel>[0],
  caller: Caller,
  panelId: string | null,
  project: string | undefined,
): Promise<Place> {
  const { accountId, projects } = caller;
  if (panelId === null) return { accountId, projectId: await projectForNew(db, caller, project), asked: [] };
  const panel = await getPanel(db, accountId, panelId);
  const isVisible = panel !== null && (projects === null || projects.includes(panel.projectId));
  if (!isVisible || (project !== undefined && (await projectForNew(db, caller, project)) !== panel.projectId))
    throw new ProblemError("not_found", "There is no such panel.");
  return { accountId, projectId: panel.projectId, asked: panel.prompts.map(({ text }) => text) };
}

async function searchesOf(
  { now }: ProposalRoutesDeps,
  db: Parameters<typeof getPanel>[0],
  { accountId, projectId }: Place,
  asked: PromptProposalRequest["searches"] | null,
  settings: PromptDraw["settings"],
): Promise<MadeSearch[] | null> {
  if (asked === null || asked === undefined) return null;
  const to = asked.to ?? now().toISOString();
  const from = asked.from ?? new Date(Date.parse(to) - windowMs).toISOString();
  if (Date.parse(from) >= Date.parse(to))
    throw new ProblemError("validation_failed", "The window is empty.", {
      errors: [{ pointer: "/searches/from", code: "out_of_range", detail: "It is not before `to`." }],
    });
  const panelIds = [...new Set(asked.panelIds ?? [])];
  for (const [index, id] of panelIds.entries())
    if ((await projectOfPanel(db, accountId, id)) !== projectId)
      throw new ProblemError("validation_failed", "A panel is not one of the project.", {
        errors: [
          { pointer: `/searches/panelIds/${index}`, code: "not_allowed", detail: "The project has no such panel." },
        ],
      });
  if (panelIds.length === 0) {
    const { panels } = await listPanels(db, accountId, { projects: [projectId], beforeId: null, limit: panelsMax });
    panelIds.push(...panels.map((panel) => panel.panelId));
  }
  Object.assign(settings, { panels: panelIds.length, from, to });
  try {
    return await readMadeSearches(db, accountId, { panelIds, from, to, limit: searchesMax });
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new ProblemError("validation_failed", "The searches of these panels take too long to read.", {
      errors: [
        { pointer: "/searches/from", code: "out_of_range", detail: "Choose a shorter window, or fewer panels." },
      ],
      cause: error,
    });
  }
}

async function siteOf(
  { guard, sites, version }: ProposalRoutesDeps,
  accountId: string,
  asked: PromptProposalRequest["site"] | null,
  signal: AbortSignal,
): Promise<ReadSite | null> {
  if (asked === null || asked === undefined) return null;
  const address = completeAddress(asked.address.trim()).replace(/^http:/iu, "https:");
  const check = guard.checkAddress(address);
  if (!check.ok)
    throw new ProblemError(
      "validation_failed",
      "The address of the site can't be read. Nothing was requested from it.",
      {
        errors: [{ pointer: "/site/address", code: "address_not_allowed", detail: check.detail }],
      },
    );
  const release = await sites.acquire(accountId, signal);
  try {
    return await readSite(guard, check.url, { signal, version });
  } finally {
    release();
  }
}
