import { api } from "@querent/contract";
import { AccountSemaphore } from "../../api/account-semaphore.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { readWebhook, rotateSecret, setWebhook, type SettingsDeps } from "./settings.ts";
import { testWebhook, type WebhookTesterDeps } from "./test-webhook.ts";

export interface WebhookRouteDeps extends SettingsDeps, WebhookTesterDeps {
  /** Called when paused deliveries may have become due. */
  readonly wake: () => void;
}

/** Concurrent tests of one account in this process: as many as its requests to one receiver. */
const testsMax = 4;

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  const tests = new AccountSemaphore({
    what: "tests of a webhook",
    perAccount: testsMax,
    inAll: Number.POSITIVE_INFINITY,
    waitMs: 0,
    waitingMax: 0,
  });
  return [
    route(api.getWebhook, async ({ caller }) => secret(await readWebhook(deps, deps.database, caller.accountId))),
    route(api.putWebhook, async ({ caller, body, signal }) => {
      const record = await setWebhook(deps, caller.accountId, body, signal);
      deps.wake();
      return secret(record);
    }),
    route(api.rotateSecret, async ({ caller, body }) =>
      secret(await rotateSecret(deps, caller.accountId, body?.previousSecretValidSeconds ?? 0)),
    ),
    route(api.testWebhook, async ({ caller, body, signal }) => {
      const release = tests.tryAcquire(caller.accountId);
      if (release === null) {
        throw new ProblemError("state_conflict", `${testsMax} tests are under way. Wait until one has ended.`, {
          headers: { "retry-after": "5" },
        });
      }
      try {
        const reply = await testWebhook(deps, caller.accountId, body?.url ?? null, signal);
        if (reply.passed) deps.wake();
        return { status: 200, body: reply };
      } finally {
        release();
      }
    }),
  ];
}

/** The record contains a secret: caches must not store it. */
function secret(record: object) {
  return { status: 200, headers: { "cache-control": "no-store" }, body: record };
}
