import { ForbiddenError, webhooks, type DeliveryDetail } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { number } from "../../ui/time.tsx";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import * as room from "./webhooks.module.css";

/** What is sent: the headers, those that sign it, and the exact bytes of the body. */
export function DeliveryRequest({ delivery: { request, deliveryId, attempts } }: { delivery: DeliveryDetail }) {
  const t = webhooksMessages.value;
  if (request === null) {
    return (
      <section class={`panel ${room.setting}`} aria-labelledby="request-title">
        <h2 id="request-title">{t.requestTitle}</h2>
        <p class="quiet">{t.nothingSent}</p>
      </section>
    );
  }
  const headers = Object.entries(request.headers)
    .map(([name, header]) => `${name}: ${header}`)
    .join("\n");
  const bytes = new TextEncoder().encode(request.body).length;
  return (
    <section class={`panel ${room.setting}`} aria-labelledby="request-title">
      <div class="panel-head">
        <h2 id="request-title">{t.requestTitle}</h2>
        <CopyButton text={() => headers} label={t.copyHeaders} />
      </div>
      <pre class="snippet" tabIndex={0}>
        {headers}
      </pre>
      <h3>{t.signature}</h3>
      <p class="quiet small">{t.signatureHint}</p>
      <Signature
        key={deliveryId}
        deliveryId={deliveryId}
        body={request.body}
        sentAt={attempts.at(-1)?.startedAt ?? null}
      />
      <div class="panel-head">
        <h3>
          {t.rawBody} <span class="quiet small">{t.bytes(number(bytes))}</span>
        </h3>
        <CopyButton text={() => request.body} label={t.copyBody} />
      </div>
      <p class="quiet small">{t.bodyOrigin[request.bodyOrigin]}</p>
      <pre class="snippet" tabIndex={0}>
        {request.body}
      </pre>
    </section>
  );
}

interface SignatureProps {
  readonly deliveryId: string;
  readonly body: string;
  readonly sentAt: string | null;
}

/** The signature's headers as the secret of today makes them, in this page; their names alone where the page may not know the secret. */
function Signature({ deliveryId, body, sentAt }: SignatureProps) {
  const [secureContext] = useState(() => window.isSecureContext);
  const { value } = useLive(
    `signature ${deliveryId}`,
    async (call) => {
      try {
        const { signingSecret, secretVersion } = await querent.webhook.get(call);
        return { secretVersion, signature: secureContext ? await webhooks.sign(body, signingSecret) : null };
      } catch (error) {
        if (error instanceof ForbiddenError) return null;
        throw error;
      }
    },
    { everyMs: null },
  );
  const lines = [
    `X-Service-Signature: ${value?.signature ?? "sha256=…"}`,
    `X-Service-Secret-Version: ${value?.secretVersion ?? "…"}`,
    `X-Service-Timestamp: ${sentAt ?? "…"}`,
  ];
  return (
    <pre class="snippet" tabIndex={0}>
      {lines.join("\n")}
    </pre>
  );
}
