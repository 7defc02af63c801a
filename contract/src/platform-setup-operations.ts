/** Keys, models and prices of platforms, for operators. */
import { json, operation, usual, withBody } from "./operation.ts";
import {
  PlatformKeyRequest,
  PlatformKeyTest,
  PlatformSettingsRequest,
  PlatformSetup,
  PlatformSetupList,
} from "./platform-setup.ts";
import { Closed, StorableText } from "./scalars.ts";

const platformCode = Closed({
  platform_code: StorableText({ minLength: 1, maxLength: 64, description: "A code listed by `GET /v1/platforms`." }),
});
const bytesMax = 16 * 1024;
const soon = "Every process uses it within a few seconds, without a restart.";

export const listPlatformSetups = operation({
  id: "listPlatformSetups",
  method: "GET",
  path: "/v1/admin/platforms",
  tag: "Operator",
  summary: "List what platforms are set up with",
  description:
    "The keys, models and prices of every platform, and where each comes from. Of a stored key, only its last four characters and the time.",
  scope: "admin",
  replies: { 200: { description: "The platforms.", content: json(PlatformSetupList) } },
  problems: usual,
});

export const putPlatformKey = operation({
  id: "putPlatformKey",
  method: "PUT",
  path: "/v1/admin/platforms/{platform_code}/key",
  tag: "Operator",
  summary: "Store a vendor's key",
  description: `Encrypts the key with the master key, and stores it in place of the former one. It cannot be read again. ${soon} Returns 409 if the environment sets the key, because that takes precedence.`,
  scope: "admin",
  params: platformCode,
  body: { schema: PlatformKeyRequest, required: true, bytesMax },
  replies: { 200: { description: "The platform.", content: json(PlatformSetup) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const deletePlatformKey = operation({
  id: "deletePlatformKey",
  method: "DELETE",
  path: "/v1/admin/platforms/{platform_code}/key",
  tag: "Operator",
  summary: "Remove a stored key",
  description:
    "Tasks that are being asked end as usual. The key stays valid at the vendor. A key of the environment is not affected.",
  scope: "admin",
  params: platformCode,
  replies: { 200: { description: "The platform.", content: json(PlatformSetup) } },
  problems: [...usual, "not_found"],
});

export const testPlatformKey = operation({
  id: "testPlatformKey",
  method: "POST",
  path: "/v1/admin/platforms/{platform_code}/key/test",
  tag: "Operator",
  summary: "Test a key with one question",
  description:
    "Asks the vendor one short question, from the process that answers, and says what came back. It costs no points, and what the vendor charges for one answer. The answer is not stored. Takes up to 55 seconds; one test of a process runs at a time. The request has no body.",
  scope: "admin",
  params: platformCode,
  free: true,
  replies: { 200: { description: "What came back.", content: json(PlatformKeyTest) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const putPlatformSettings = operation({
  id: "putPlatformSettings",
  method: "PUT",
  path: "/v1/admin/platforms/{platform_code}/settings",
  tag: "Operator",
  summary: "Set a platform's model and prices",
  description: `Replaces the model and the prices that were set. ${soon} Tasks keep the price with which they were accepted. Returns 409 for a value that the file of \`QUERENT_CONFIG\` sets, because that takes precedence.`,
  scope: "admin",
  params: platformCode,
  body: { schema: PlatformSettingsRequest, required: true, bytesMax },
  replies: { 200: { description: "The platform.", content: json(PlatformSetup) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});
