import { Type } from "typebox";
import { EvidenceKeys } from "./evidence.ts";
import { json, operation } from "./operation.ts";
import { Closed } from "./scalars.ts";

const publicToken = Closed({ token: Type.String({ description: "As it stands in the record's address." }) });
const openProblems = ["malformed_request", "not_found", "gone", "rate_limited", "internal", "unavailable"] as const;

export const getSharePage = operation({
  id: "getSharePage",
  method: "GET",
  path: "/s/{token}",
  tag: "Pages",
  summary: "Open a shared answer",
  description:
    "What `shareUrl` leads to: the answer page, made by this service and not by the platform. Needs no token, only the address, which can't be guessed. Static HTML without script, not to be indexed. 410 once the result has expired. With `Accept: text/html` refusals are small pages, too.",
  scope: null,
  open: true,
  params: publicToken,
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
    "What `screenshotUrl` leads to: a picture of the answer page. Needs no token, only the address, which can't be guessed. 410 once the result has expired.",
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
  summary: "A font of the answer page",
  scope: null,
  params: Closed({ file: Type.String({ description: "As the page names it." }) }),
  replies: { 200: { description: "The font.", content: { "font/woff2": Type.String() } } },
  problems: ["malformed_request", "not_found", "internal"],
});

export const getEvidenceKeys = operation({
  id: "getEvidenceKeys",
  method: "GET",
  path: "/.well-known/querent-evidence-keys",
  tag: "Service",
  summary: "Public keys of the evidence",
  description:
    "Every key that this service has signed evidence with, the one that signs now first. Keys stay here after they were replaced.",
  scope: null,
  replies: { 200: { description: "The keys.", content: json(EvidenceKeys) } },
  problems: ["malformed_request", "internal", "unavailable"],
});
