import { api } from "@querent/contract";
import { route, type Route } from "../../api/route.ts";
import { readWebhook, rotateSecret, setWebhook, type SettingsDeps } from "./settings.ts";

export interface WebhookRouteDeps extends SettingsDeps {
  /** Called when paused deliveries may have become due. */
  wake?: () => void;
}

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  return [
    route(api.getWebhook, async ({ caller }) => secret(await readWebhook(deps, deps.database, caller.accountId))),
    route(api.putWebhook, async ({ caller, body, signal }) => {
      const record = await setWebhook(deps, caller.accountId, body, signal);
      deps.wake?.();
      return secret(record);
    }),
    route(api.rotateSecret, async ({ caller, body }) =>
      secret(await rotateSecret(deps, caller.accountId, body?.previousSecretValidSeconds ?? 0)),
    ),
  ];
}

/** The record contains a secret: caches must not store it. */
function secret(record: object) {
  return { status: 200, headers: { "cache-control": "no-store" }, body: record };
}
