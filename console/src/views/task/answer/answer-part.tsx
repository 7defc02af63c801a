import type { TaskRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { Icon } from "../../../ui/icon.tsx";
import { taskMessages } from "../../../i18n/task.ts";
import { isWebAddress, hostOf } from "../web-address.ts";
import { AdList } from "./ad-list.tsx";
import { AnswerText } from "./answer-text.tsx";
import { AvailabilityList } from "./availability-list.tsx";
import { cardsOf, pictureOf } from "./cards-of.ts";
import { Pictures } from "./picture.tsx";
import { SourceList } from "./source-list.tsx";
import * as css from "./answer-part.module.css";

/** The answer as it was shown, its sources beside it; before and instead of an answer, why there is none. */
export function AnswerPart({ record }: { record: TaskRecord }) {
  const t = taskMessages.value;
  const [pictures, setPictures] = useState(false);
  if (record.state === "pending") return <Waiting record={record} />;
  if (record.failure !== null) return <Failed failure={record.failure} />;
  if (record.state === "canceled") return <p class="note">{t.canceled}</p>;
  if (record.expired) return <p class="note">{t.expired}</p>;

  const hosts = pictureHosts(record);
  return (
    <Pictures.Provider value={pictures}>
      <div class={css.answerAndSources}>
        <div class={css.beside}>
          <section class={css.answer} aria-label={t.tabs.answer}>
            {hosts.length > 0 && !pictures ? (
              <p class={css.pictures}>
                <button type="button" class="button" onClick={() => setPictures(true)}>
                  <Icon name="image" />
                  {t.pictures(hosts.length)}
                </button>
                <span class="quiet small">{t.picturesNote}</span>
              </p>
            ) : null}
            {record.content === null ? <p class="quiet">{t.noAnswer}</p> : <AnswerText record={record} />}
          </section>
          <AdList ads={record.ads} />
        </div>
        <aside class={css.beside}>
          <SourceList sources={record.sources} />
          {record.availability === null ? null : <AvailabilityList availability={record.availability} />}
        </aside>
      </div>
    </Pictures.Provider>
  );
}

/** Where pictures would be loaded from. */
function pictureHosts(record: TaskRecord): string[] {
  const addresses = [
    ...cardsOf(record).map(pictureOf),
    ...record.ads.flatMap(({ thumbnail, products }) => [thumbnail, ...products.map((one) => one.thumbnail)]),
    ...[...(record.content ?? "").matchAll(/!\[[^\]]{0,500}\]\((https:\/\/[^\s)]{1,2000})/g)].map(
      ([, address]) => address ?? null,
    ),
  ];
  return [
    ...new Set(
      addresses
        .filter((address) => address !== null)
        .filter(isWebAddress)
        .map(hostOf),
    ),
  ];
}

function Waiting({ record: { progress } }: { record: TaskRecord }) {
  const t = taskMessages.value;
  if (progress === null) return null;
  return (
    <div class={css.waiting} data-phase={progress.phase}>
      <div class={css.waitingBar} aria-hidden="true" />
      <p>
        <strong>{waitText(progress)}</strong>
        <span class="quiet">{progress.attempt > 0 ? ` · ${t.attempt(progress.attempt)}` : ""}</span>
      </p>
    </div>
  );
}

function waitText({ phase, reason }: NonNullable<TaskRecord["progress"]>): string {
  const t = taskMessages.value;
  return reason === null || reason === "queued" ? t.waiting[phase] : t.waitReasons[reason];
}

function Failed({ failure }: { failure: NonNullable<TaskRecord["failure"]> }) {
  const t = taskMessages.value;
  return (
    <div class={`note note-bad ${css.failed}`}>
      <h2>
        {t.failed} <span class="quiet">{t.stages[failure.stage]}</span>
      </h2>
      <p>{failure.message}</p>
      {failure.platformStatus === null ? null : <p>{t.platformStatus(failure.platformStatus)}</p>}
      <p>
        {failure.retryable ? t.retryable : t.notRetryable} {t.advice[failure.code]} {t.uncharged}
      </p>
      <p class="quiet small">
        <code>{failure.code}</code> · {t.attempts(failure.attempts)}
      </p>
    </div>
  );
}
