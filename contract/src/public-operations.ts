import { Type } from "typebox";
import { EvidenceKeys } from "./evidence.ts";
import { LinkPasswordForm } from "./link-password.ts";
import { json, operation, withBody } from "./operation.ts";
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

const reportToken = Closed({ token: Type.String({ description: "The last part of the link." }) });
const askingPage = { "text/html": Type.String() };

export const getSharedReport = operation({
  id: "getSharedReport",
  method: "GET",
  path: "/r/{token}",
  tag: "Pages",
  summary: "Open a shared report",
  description:
    "The target of the link. Requires no token, only the URL, which cannot be guessed. Static HTML without scripts, excluded from search engines. Returns 410 once the link has expired or was revoked. If the link has a password, browsers get a page that asks for it, which says nothing of the report; programs send it with `Authorization: Basic` and any user name.",
  scope: null,
  open: true,
  params: reportToken,
  replies: {
    200: { description: "The page.", content: { "text/html": Type.String() } },
    403: { description: "With `Accept: text/html`: the page that asks for the password.", content: askingPage },
  },
  problems: [...openProblems, "link_password_required"],
});

export const openSharedReport = operation({
  id: "openSharedReport",
  method: "POST",
  path: "/r/{token}",
  tag: "Pages",
  summary: "Enter the password of a shared report",
  description:
    "Sent by the page that asks for the password. The right one gives a cookie with which the browser opens this link, and no other, for twelve hours, until the link ends or its password is changed. Tries are limited for each link and for each address. With `Accept: text/html`, errors are pages.",
  scope: null,
  open: true,
  audit: false,
  params: reportToken,
  body: { schema: LinkPasswordForm, required: true, bytesMax: 4096, type: "application/x-www-form-urlencoded" },
  replies: {
    200: { description: "The link has no password: the page.", content: askingPage },
    303: { description: "The password is right: the report is at the same address." },
    403: { description: "With `Accept: text/html`: it is wrong. The page asks again.", content: askingPage },
  },
  problems: [...openProblems, ...withBody, "validation_failed", "link_password_required"],
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
