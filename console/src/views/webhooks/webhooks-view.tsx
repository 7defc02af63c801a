import { ForbiddenError, type WebhookRecord } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { conditionsChanged } from "../../app/conditions.ts";
import { path, to } from "../../app/address.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { AddressPanel } from "./address-panel.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { DeliveryView } from "./delivery-view.tsx";
import { RecoveryPanel } from "./recovery-panel.tsx";
import { SecretPanel } from "./secret-panel.tsx";
import { SignatureChecker } from "./signature-checker.tsx";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./webhooks-view.module.css";

const parts = { settings: "/webhooks", deliveries: "/webhooks/deliveries", check: "/webhooks/check" } as const;
const refreshMs = 10_000;

/** Notifications: where they go, how each went, and whether one is ours. */
export function WebhooksView() {
  const t = webhooksMessages.value;
  const deliveryId = /^\/webhooks\/deliveries\/([^/]+)$/.exec(path.value)?.[1];
  const part = path.value.startsWith(parts.deliveries)
    ? "deliveries"
    : path.value === parts.check
      ? "check"
      : "settings";
  const { value, failed, refresh } = useLive<WebhookRecord>(
    "webhook",
    (call) => querent.webhook.get({ ...call, secret: false }),
    {
      everyMs: refreshMs,
    },
  );
  // Read once, and only where it is used, because each reading of the secret is in the audit log.
  const secret = useLive(
    value === null || part === "deliveries" ? null : `webhook secret ${value.secretVersion}`,
    async (call) => (await querent.webhook.get(call)).signingSecret,
    { everyMs: null },
  );
  const changed = () => {
    refresh();
    conditionsChanged();
  };
  useTitle(t.title);

  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      <nav class="parts" aria-label={t.title}>
        {(Object.keys(parts) as (keyof typeof parts)[]).map((name) => (
          <a key={name} class="part-link" href={to(parts[name])} aria-current={part === name ? "page" : undefined}>
            {t.parts[name]}
          </a>
        ))}
      </nav>
      {failed instanceof ForbiddenError ? (
        <p class="note">{t.refused}</p>
      ) : deliveryId !== undefined ? (
        <DeliveryView key={deliveryId} deliveryId={deliveryId} />
      ) : part === "deliveries" ? (
        <DeliveryList />
      ) : part === "check" ? (
        <SignatureChecker current={secret.value} />
      ) : (
        <>
          {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
          {value === null ? null : (
            <div class={css.settings}>
              <AddressPanel webhook={value} changed={changed} />
              <SecretPanel webhook={value} secret={secret.value} changed={refresh} />
              <RecoveryPanel />
            </div>
          )}
        </>
      )}
    </div>
  );
}
