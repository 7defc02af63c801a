import { Type } from "typebox";
import { figureWindow } from "./figure.ts";
import { figureAnswersMax, figureDaysMax } from "./figure-operations.ts";
import { LinkPassword } from "./link-password.ts";
import { json, operation, usual, withBody, withStorage } from "./operation.ts";
import {
  PanelReport,
  PanelSeal,
  reportFormats,
  reportLanguages,
  ReportShare,
  ReportShareRequest,
  ReportShares,
} from "./report.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";

const tag = "Reports";
const params = Closed({ panel_id: Uuid });
/** The most answers of a report as a zip: each is in it as a whole. */
export const reportZipAnswersMax = 100_000;
/** The most links of an account that work at the same time. */
export const reportSharesMax = 100;

export const sealPanel = operation({
  id: "sealPanel",
  method: "POST",
  path: "/v1/panels/{panel_id}/seal",
  tag,
  summary: "Seal a panel",
  description:
    "Signs the digest of the panel's current revision, with the time and the number of its runs that have started, with the service's evidence key. Sealed before its first run, a panel proves that its questions were not chosen by their answers, and its reports say so. A revision is sealed once: a repeated request returns the same seal. An edit makes a new revision, which has no seal.",
  scope: "panels:write",
  free: true,
  stores: "free",
  params,
  replies: { 200: { description: "The seal.", content: json(PanelSeal) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found"],
});

export const getPanelSeal = operation({
  id: "getPanelSeal",
  method: "GET",
  path: "/v1/panels/{panel_id}/seal",
  tag,
  summary: "Read the seal of a panel",
  description: "To verify it: the Ed25519 signature of `seal`, with a key of `GET /.well-known/querent-evidence-keys`.",
  scope: "reports:read",
  params,
  query: Closed({
    revision: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the current revision." }),
    ),
  }),
  replies: { 200: { description: "The seal.", content: json(PanelSeal) } },
  problems: [...usual, "not_found"],
});

export const getPanelReport = operation({
  id: "getPanelReport",
  method: "GET",
  path: "/v1/panels/{panel_id}/report",
  tag,
  summary: "Get the report of a panel",
  description: `All figures of a panel in a window, with a grade that says what they are good for. \`json\`: the figures. \`html\`: a page that stands alone, without scripts, to be printed or sent. \`zip\`: the figures with the observations from which they were computed, signed with the service's evidence key; \`querent verify\` computes every figure again, offline. \`pdf\`: the page on paper, tagged, with page numbers, printed by the browser of the process that answers, or 503 if it has none; one at a time for each account. The same answers and window give the same bytes, other than as \`pdf\`. A window has at most ${figureDaysMax} days; a report has at most ${figureAnswersMax.toLocaleString("en")} answers, and as a zip ${reportZipAnswersMax.toLocaleString("en")}.`,
  scope: "reports:read",
  params,
  query: Closed({
    ...figureWindow,
    format: Type.Optional(Type.Enum([...reportFormats], { default: "json", description: "Default: `json`." })),
    language: Type.Optional(
      Type.Enum([...reportLanguages], { description: "The language of the page. Default: `en`." }),
    ),
    paper: Type.Optional(Type.Enum(["a4", "letter"], { description: "The paper of `pdf`. Default: `a4`." })),
    clientName: Type.Optional(
      StorableText({
        minLength: 1,
        maxLength: 100,
        description: "For whom it is: stands at the top of each page of `pdf`.",
      }),
    ),
  }),
  replies: {
    200: {
      description: "The report.",
      content: {
        "application/json": PanelReport,
        "text/html": Type.String(),
        "application/zip": Type.String(),
        "application/pdf": Type.String(),
      },
    },
  },
  problems: [...usual, "not_found"],
});

export const shareReport = operation({
  id: "shareReport",
  method: "POST",
  path: "/v1/panels/{panel_id}/report/shares",
  tag,
  summary: "Share a report",
  description: `Makes a link that opens the report's page without a token, as it is now, until it expires or is revoked; with a password, for those who know it. An account has at most ${reportSharesMax} links.`,
  scope: "panels:write",
  free: true,
  stores: "free",
  params,
  body: { schema: ReportShareRequest, required: true, bytesMax: 4096 },
  replies: { 201: { description: "The link.", content: json(ReportShare) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found", "state_conflict"],
});

export const listReportShares = operation({
  id: "listReportShares",
  method: "GET",
  path: "/v1/panels/{panel_id}/report/shares",
  tag,
  summary: "List the links of a panel's reports",
  description: "Those that have not expired.",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The links.", content: json(ReportShares) } },
  problems: [...usual, "not_found"],
});

export const putReportSharePassword = operation({
  id: "putReportSharePassword",
  method: "PUT",
  path: "/v1/panels/{panel_id}/report/shares/{share_id}/password",
  tag,
  summary: "Set the password of a link",
  description:
    "Sets, changes or removes it. Whoever has opened the link with the former password has to enter the new one. The URL stays.",
  scope: "panels:write",
  free: true,
  params: Closed({ panel_id: Uuid, share_id: Uuid }),
  body: { schema: LinkPassword, required: true, bytesMax: 4096 },
  replies: { 200: { description: "The link.", content: json(ReportShare) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const revokeReportShare = operation({
  id: "revokeReportShare",
  method: "DELETE",
  path: "/v1/panels/{panel_id}/report/shares/{share_id}",
  tag,
  summary: "Revoke the link of a report",
  scope: "panels:write",
  free: true,
  params: Closed({ panel_id: Uuid, share_id: Uuid }),
  replies: { 204: { description: "The link does not work any more." } },
  problems: [...usual, "not_found"],
});
