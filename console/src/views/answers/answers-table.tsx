import type { ObservationRecord } from "@querent/client";
import { to } from "../../app/address.ts";
import { answersMessages } from "../../i18n/answers.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { dateTime } from "../panels/date-time.ts";
import { promptOf, type ShownAnswers } from "./read-answers.ts";
import { ColumnHeads } from "../../ui/column-heads.tsx";
import * as css from "./answers.module.css";

const sitesShown = 4;

/** One line for each answer: when, to which prompt, whom it names, and what it cites. */
export function AnswersTable({ shown, about }: { shown: ShownAnswers; about: string | null }) {
  const t = answersMessages.value;
  return (
    <TablePlace label={t.title}>
      <table class={`table ${css.answers}`}>
        <ColumnHeads columns={["time", "prompt", "platform", "brands", "sources"]} labels={t.columns} actions />
        <tbody>
          {shown.page.observations.map((observation) => (
            <AnswerRow key={observation.observationId} observation={observation} shown={shown} about={about} />
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}

interface AnswerRowProps {
  readonly observation: ObservationRecord;
  readonly shown: ShownAnswers;
  readonly about: string | null;
}

function AnswerRow({
  observation: { observationId, observedAt, cell, sources, taskId, ...rest },
  shown,
  about,
}: AnswerRowProps) {
  const t = answersMessages.value;
  const sites = [...new Set(sources.map(({ domain }) => domain))].filter((domain) => domain !== "");
  return (
    <tr data-observation={observationId}>
      <td class="nowrap">{dateTime(observedAt)}</td>
      <th scope="row" dir="auto">
        {promptOf(shown.panel, cell.promptId) || "–"}
      </th>
      <td>
        <bdi>{cell.platformCode}</bdi>
        <div class="quiet small">{[cell.locale, cell.persona].filter((part) => part !== "").join(" · ")}</div>
      </td>
      <td>
        <Named mentions={rest.mentions} shown={shown} about={about} />
      </td>
      <td class="quiet" title={sites.join("\n")}>
        {sites.slice(0, sitesShown).map((site) => (
          <div key={site}>
            <bdi>{site}</bdi>
          </div>
        ))}
        {sites.length > sitesShown ? `+ ${sites.length - sitesShown}` : sites.length === 0 ? "–" : null}
      </td>
      <td class="figure">
        {taskId === null ? (
          <span class="quiet">{t.imported}</span>
        ) : (
          <a href={to(`/tasks/${taskId}`)}>
            {t.open} <span class="unseen">{dateTime(observedAt)}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

/** The brands in the order in which the answer names them. */
function Named({
  mentions,
  shown: { brands },
  about,
}: { mentions: ObservationRecord["mentions"] } & Omit<AnswerRowProps, "observation">) {
  const t = answersMessages.value;
  const ids = [...new Set(mentions.map(({ entityId }) => entityId))];
  if (ids.length === 0) return <span class="quiet">–</span>;
  return (
    <ol class={css.named}>
      {ids.map((entityId) => {
        const name = brands.get(entityId)?.name ?? entityId.slice(0, 8);
        const listed = mentions.find((mention) => mention.entityId === entityId && mention.listPosition !== null);
        const position = listed?.listPosition ?? null;
        return (
          <li key={entityId}>
            {entityId === about ? (
              <mark>
                <bdi>{name}</bdi>
              </mark>
            ) : (
              <bdi>{name}</bdi>
            )}
            {position === null ? null : <span class="quiet small"> {t.listed(position)}</span>}
          </li>
        );
      })}
    </ol>
  );
}
