import {
  ForbiddenError,
  NotFoundError,
  type EntityRecord,
  type EntitySpan,
  type EntitySpanPage,
} from "@querent/client";
import { nonEmptyPage } from "../../api/non-empty-page.ts";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { path, query, to } from "../../app/address.ts";
import { answersMessages } from "../../i18n/answers.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { dateTime } from "../panels/date-time.ts";
import { FilterFacts, readFilters } from "./answer-filters.tsx";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./answers.module.css";

/** Answers per page. */
const pageSize = 50;

interface Shown {
  readonly brand: EntityRecord;
  readonly page: EntitySpanPage;
}

/** The places at which answers name a brand, with the text around them. */
export function MentionsView({ entityId }: { entityId: string }) {
  const t = answersMessages.value;
  const asked = Object.fromEntries(query.value);
  const { cursor, panelId } = asked;
  const filters = mentionFilters();
  const { value, failed, refresh } = useLive<Shown>(
    JSON.stringify([entityId, filters, cursor ?? null]),
    async (call) => {
      const [brand, page] = await Promise.all([
        querent.entities.get(entityId, call),
        nonEmptyPage({
          cursor,
          ask: (from) => querent.entities.mentionPage(entityId, { ...filters, limit: pageSize, ...from }, call),
          rowsOf: ({ mentions }) => mentions,
        }),
      ]);
      return { brand, page };
    },
    { everyMs: null },
  );
  const title = t.mentionsTitle(value?.brand.name ?? "…");
  useTitle(title);
  return (
    <div class="view">
      <a class="back" href={panelId === undefined ? to("/brands") : to(`/panels/${panelId}`)}>
        <Icon name="back" />
        {panelId === undefined ? t.brands : t.back}
      </a>
      <header class="view-head">
        <h1 dir="auto">{title}</h1>
      </header>
      <p class="quiet">{t.mentionsLead}</p>
      <FilterFacts known={{}} />
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : failed instanceof NotFoundError ? (
        <p class="note">{t.unknownBrand}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? null : (
        <>
          <Mentions page={value.page} />
          <Pager
            newest={cursor === undefined ? undefined : to(path.value, { ...asked, cursor: undefined })}
            older={
              value.page.nextCursor === null ? undefined : to(path.value, { ...asked, cursor: value.page.nextCursor })
            }
            words={t}
          />
        </>
      )}
    </div>
  );
}

/** The parameters of the address by which mentions can be filtered. */
function mentionFilters() {
  const { panelId, platformCode, observedFrom, observedBefore } = readFilters();
  return {
    ...(panelId === undefined ? {} : { panelId }),
    ...(platformCode === undefined ? {} : { platformCode }),
    ...(observedFrom === undefined ? {} : { observedFrom }),
    ...(observedBefore === undefined ? {} : { observedBefore }),
  };
}

function Mentions({ page: { mentions } }: { page: EntitySpanPage }) {
  const t = answersMessages.value;
  if (mentions.length === 0)
    return (
      <div class="empty">
        <h2>{t.noMentions}</h2>
        <p class="quiet">{t.noMentionsText}</p>
      </div>
    );
  return (
    <ul class={css.mentions}>
      {mentions.map((mention) => (
        <Mention key={`${mention.observationId} ${mention.start}`} mention={mention} />
      ))}
    </ul>
  );
}

function Mention({ mention: { taskId, platformCode, observedAt, text, before, after } }: { mention: EntitySpan }) {
  const t = answersMessages.value;
  return (
    <li>
      {text === null ? (
        <p class="quiet">{t.expired}</p>
      ) : (
        <p dir="auto">
          <span class="quiet">…{before}</span>
          <mark>{text}</mark>
          <span class="quiet">{after}…</span>
        </p>
      )}
      <p class="small quiet">
        <bdi>{platformCode}</bdi> · {dateTime(observedAt)}{" "}
        {taskId === null ? (
          t.imported
        ) : (
          <a href={to(`/tasks/${taskId}`)}>
            {t.open} <span class="unseen">{dateTime(observedAt)}</span>
          </a>
        )}
      </p>
    </li>
  );
}
