import { ForbiddenError, NotFoundError, type DeliveryDetail } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DeliveryMark } from "../../ui/state-mark.tsx";
import { Ago, distance, now, number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { phrases } from "../../i18n/phrases.ts";
import { taskMessages } from "../../i18n/task.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { DeliveryAttempts } from "./delivery-attempts.tsx";
import { reasonOf } from "./delivery-reason.ts";
import { DeliveryRequest } from "./delivery-request.tsx";
import * as room from "./webhooks.module.css";

const refreshMs = 3000;
const questionCharsMax = 200;
const logPath = "/webhooks/deliveries";

/** One delivery: what is sent, every attempt with what came back, and the next one. */
export function DeliveryView({ deliveryId }: { deliveryId: string }) {
  const t = webhooksMessages.value;
  const { value, failed, refresh } = useLive<DeliveryDetail>(
    deliveryId,
    (call) => querent.deliveries.get(deliveryId, call),
    { everyMs: refreshMs },
  );
  const { busy, failed: refused, run } = useAttempt();
  useShortcuts({ u: () => go(to(logPath)) });
  const again = () =>
    run(async () => {
      const made = await querent.deliveries.redeliver(deliveryId);
      announce(taskMessages.value.redelivered);
      go(to(`${logPath}/${made.deliveryId}`));
    });
  if (failed instanceof NotFoundError) return <p class="note">{t.unknown}</p>;
  return (
    <>
      <a class="back" href={to(logPath)}>
        <Icon name="back" />
        {t.backToLog}
      </a>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          <section class={`panel ${room.setting}`}>
            <div class="panel-head">
              <DeliveryMark delivery={value} />
              <div class="actions">
                {value.phase === "held" ? (
                  <a class="button" href={to("/webhooks")}>
                    {t.resume}
                  </a>
                ) : null}
                <button type="button" class="button primary" aria-disabled={busy} onClick={again}>
                  <Icon name="send" />
                  {taskMessages.value.redeliver}
                </button>
              </div>
            </div>
            <p>{reasonOf(value)}</p>
            {refused === null ? null : <FailureNote failed={refused} />}
            <Facts delivery={value} />
          </section>
          <section class={`panel ${room.setting}`} aria-labelledby="attempts-title">
            <h2 id="attempts-title">
              {t.attemptsTitle} <span class="count">{number(value.attempts.length)}</span>
            </h2>
            <DeliveryAttempts delivery={value} />
          </section>
          <DeliveryRequest delivery={value} />
        </>
      )}
    </>
  );
}

/** What the delivery is of: a task, by its question if the token may read it, or an event of the account. */
function Subject({ delivery }: { delivery: DeliveryDetail }) {
  const t = webhooksMessages.value;
  const question = useLive(
    `question ${delivery.taskId}`,
    async (call) => {
      if (delivery.taskId === null) return null;
      try {
        return (await querent.tasks.get(delivery.taskId, call)).question.slice(0, questionCharsMax);
      } catch (error) {
        if (error instanceof ForbiddenError || error instanceof NotFoundError) return null;
        throw error;
      }
    },
    { everyMs: null },
  ).value;
  return delivery.taskId === null ? (
    <div>
      <dt>{t.facts.event}</dt>
      <dd>{t.eventNames[delivery.event]}</dd>
    </div>
  ) : (
    <div>
      <dt>{t.facts.question}</dt>
      <dd>
        <a href={to(`/tasks/${delivery.taskId}`)} dir="auto">
          {question ?? <code>{delivery.taskId}</code>}
        </a>
      </dd>
    </div>
  );
}

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const t = webhooksMessages.value;
  return (
    <dl class="facts">
      <Subject delivery={delivery} />
      <div>
        <dt>{t.facts.id}</dt>
        <dd>
          <code>{delivery.deliveryId}</code>{" "}
          <CopyButton look="small" text={() => delivery.deliveryId} label={t.facts.id} />
        </dd>
      </div>
      <div>
        <dt>{t.facts.notification}</dt>
        <dd>{number(delivery.deliveryRevision)}</dd>
      </div>
      <div>
        <dt>{t.facts.address}</dt>
        <dd>
          {delivery.url === null ? (
            t.noUrl
          ) : (
            <>
              <bdi>{delivery.url}</bdi>{" "}
              <span class="quiet small">
                {delivery.toAccountDefault ? taskMessages.value.defaultAddress : taskMessages.value.ownAddress}
              </span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{t.facts.made}</dt>
        <dd>
          <Ago at={delivery.createdAt} />
        </dd>
      </div>
      {delivery.finishedAt === null ? null : (
        <div>
          <dt>{t.facts.ended}</dt>
          <dd>
            <Ago at={delivery.finishedAt} />
          </dd>
        </div>
      )}
      {delivery.phase === null ? null : (
        <div>
          <dt>{t.facts.next}</dt>
          <dd>
            {delivery.phase === "held" || delivery.nextAttemptAt === null
              ? phrases.value.deliveryPhases[delivery.phase]
              : distance(Date.parse(delivery.nextAttemptAt) - now.value)}
          </dd>
        </div>
      )}
    </dl>
  );
}
