import { Type } from "typebox";
import { EvidenceKeys } from "./evidence.ts";
import { json, operation } from "./operation.ts";
import { Closed } from "./scalars.ts";

const publicToken = Closed({ token: Type.String({ description: "The last part of the URL in the task record." }) });
const openProblems = ["malformed_request", "not_found", "gone", "rate_limited", "internal", "unavailable"] as const;

export const getSharePage = operation({
  id: "getSharePage",
  method: "GET",
  path: "/s/{token}",
  tag: "Pages",
  summary: "Open a shared answer",
  description:
    "The target of `shareUrl`: the answer page, which is created by this service and not by the platform. Requires no token, only the URL, which cannot be guessed. Static HTML without scripts, excluded from search engines. Returns 410 once the result has expired. With `Accept: text/html`, errors are returned as HTML pages.",
  scope: null,
  open: true,
  params: publicToken,
  replies: { 200: { description: "The page.", content: { "text/html": Type.String() } } },
  problems: openProblems,
});

export const getSharedReport = operation({
  id: "getSharedReport",
  method: "GET",
  path: "/r/{token}",
  tag: "Pages",
  summary: "Open a shared report",
  description:
    "The target of the link. Requires no token, only the URL, which cannot be guessed. Static HTML without scripts, excluded from search engines. Returns 410 once the link has expired or was revoked.",
  scope: null,
  open: true,
  params: Closed({ token: Type.String({ description: "The last part of the link." }) }),
  replies: { 200: { description: "The page.", content: { "text/html": Type.String() } } },
  problems: openProblems,
});

export const getScreenshot = operation({
  id: "getScreenshot",
  method: "GET",
  path: "/screenshots/{token}",
  tag: "Pages",
  summary: "Open a screenshot",
  description:
    "The target of `screenshotUrl`: a picture of the answer page. Requires no token, only the URL, which cannot be guessed. Returns 410 once the result has expired.",
  scope: null,
  open: true,
  params: publicToken,
  replies: { 200: { description: "The picture.", content: { "image/png": Type.String() } } },
  problems: openProblems,
});

export const getPageFont = operation({
  id: "getPageFont",
  method: "GET",
  path: "/fonts/{file}",
  tag: "Pages",
  summary: "Get a font of the answer page",
  scope: null,
  params: Closed({ file: Type.String({ description: "The file name used by the page." }) }),
  replies: { 200: { description: "The font.", content: { "font/woff2": Type.String() } } },
  problems: ["malformed_request", "not_found", "internal"],
});

export const getEvidenceKeys = operation({
  id: "getEvidenceKeys",
  method: "GET",
  path: "/.well-known/querent-evidence-keys",
  tag: "Service",
  summary: "Get the public keys of the evidence",
  description:
    "All keys with which this service has signed evidence, the current key first. Replaced keys remain in the list.",
  scope: null,
  replies: { 200: { description: "The keys.", content: json(EvidenceKeys) } },
  problems: ["malformed_request", "internal", "unavailable"],
});
