import { ForbiddenError, type EntityRecord } from "@querent/client";
import { useLive } from "../../api/use-live.ts";
import { path, query, to } from "../../app/address.ts";
import { shownProject } from "../../app/projects.ts";
import { answersMessages } from "../../i18n/answers.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { FilterFacts, readFilters } from "./answer-filters.tsx";
import { AnswersTable } from "./answers-table.tsx";
import { promptOf, readAnswers, type ShownAnswers } from "./read-answers.ts";
import { useTitle } from "../../ui/use-title.ts";

/** The answers of a figure: what a number was made from. */
export function AnswersView() {
  const t = answersMessages.value;
  const asked = Object.fromEntries(query.value);
  const { cursor, about } = asked;
  const { value, failed, refresh } = useLive<ShownAnswers>(
    JSON.stringify([readFilters(), shownProject() ?? null, cursor ?? null]),
    (call) => readAnswers(cursor, call),
    { everyMs: null },
  );
  useTitle(t.title);
  const brand = value?.brands.get(about ?? asked["entityId"] ?? "");
  const { panelId, promptId } = asked;
  const panel = value?.panel ?? null;
  const known = {
    ...(panel === null ? {} : { panelId: panel.name, promptId: promptOf(panel, promptId) }),
    ...(brand === undefined ? {} : { entityId: brand.name }),
  };
  return (
    <div class="view">
      {panelId === undefined ? null : (
        <a class="back" href={to(`/panels/${panelId}`)}>
          <Icon name="back" />
          {t.back}
        </a>
      )}
      <header class="view-head">
        <h1>{t.title}</h1>
        {brand === undefined ? null : <NamingSwitch asked={asked} brand={brand} />}
      </header>
      <p class="quiet">{t.lead}</p>
      <FilterFacts known={known} />
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? null : (
        <>
          <List shown={value} about={about ?? null} />
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

/** All answers that were considered, or those that name the brand. */
function NamingSwitch({ asked, brand }: { asked: Readonly<Record<string, string>>; brand: EntityRecord }) {
  const t = answersMessages.value;
  const isOnly = asked["entityId"] !== undefined;
  const { entityId } = brand;
  return (
    <a
      class="button"
      href={to(path.value, {
        ...asked,
        cursor: undefined,
        about: entityId,
        entityId: isOnly ? undefined : entityId,
      })}
    >
      {isOnly ? t.all : t.onlyNaming(brand.name)}
    </a>
  );
}

function List({ shown, about }: { shown: ShownAnswers; about: string | null }) {
  const t = answersMessages.value;
  const { observations } = shown.page;
  if (observations.length > 0) return <AnswersTable shown={shown} about={about} />;
  return (
    <div class="empty">
      <h2>{t.none}</h2>
      <p class="quiet">{t.noneText}</p>
    </div>
  );
}
