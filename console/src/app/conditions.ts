/** What holds for the whole console and is read once for all of it: points, platforms, the webhook endpoint. */
import { signal } from "@preact/signals";
import { ForbiddenError, type PlatformRecord, type UsageRecord, type WebhookRecord } from "@querent/client";
import { useEffect } from "preact/hooks";
import { querent } from "../api/querent.ts";
import { useLive } from "../api/use-live.ts";
import { session } from "./session.ts";

const pointsEveryMs = 15_000;
const othersEveryMs = 30_000;

export interface Conditions {
  readonly usage: UsageRecord | null;
  readonly platforms: readonly PlatformRecord[];
  readonly webhook: WebhookRecord | null;
}

const none: Conditions = { usage: null, platforms: [], webhook: null };

/** The conditions as they were read last. What the token may not know is missing. */
export const conditions = signal<Conditions>(none);
/** Counts up when a view has changed something of it. */
const changes = signal(0);

/** After a view has changed the endpoint or a platform's key: the banner is not to say what no longer holds. */
export const conditionsChanged = (): void => void changes.value++;

/** Reads them for as long as somebody is signed in. */
export function useConditions(): Conditions {
  const account = session.value?.account ?? null;
  const scopes = session.value?.scopes ?? null;
  const mayUsage = account !== null && scopes?.includes("usage:read") !== false;
  const may = (scope: "tasks:read" | "webhook:manage") => scopes?.includes(scope) === true;
  const usage = useLive(
    mayUsage ? `points ${account ?? ""}` : null,
    (call) => unlessForbidden(querent.usage.get(call)),
    { everyMs: pointsEveryMs },
  );
  const platforms = useLive(
    `platforms ${may("tasks:read")} ${changes.value}`,
    async (call) => (may("tasks:read") ? await unlessForbidden(querent.platforms.list(call)) : null),
    { everyMs: othersEveryMs, paused: !may("tasks:read") },
  );
  const webhook = useLive(
    `webhook ${may("webhook:manage")} ${changes.value}`,
    async (call) =>
      may("webhook:manage") ? await unlessForbidden(querent.webhook.get({ ...call, secret: false })) : null,
    { everyMs: othersEveryMs, paused: !may("webhook:manage") },
  );
  const read: Conditions = {
    usage: mayUsage ? usage.value : null,
    platforms: platforms.value ?? [],
    webhook: webhook.value ?? null,
  };
  useEffect(() => {
    conditions.value = read;
    return () => void (conditions.value = none);
  }, [usage.value, platforms.value, webhook.value]);
  return read;
}

async function unlessForbidden<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ForbiddenError) return null;
    throw error;
  }
}
