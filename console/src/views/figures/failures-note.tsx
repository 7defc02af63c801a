import { manyFailures, type FigureRow } from "@querent/client";
import { to } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { number, percent } from "../../ui/time.tsx";

/** Where so many tasks failed that the figures of the answers may be biased, whichever surface is shown. */
export function FailuresNote({ rows, panelId }: { rows: readonly FigureRow[]; panelId: string }) {
  const t = figuresMessages.value;
  const many = manyFailures(rows);
  if (many.length === 0) return null;
  return (
    <div class="note note-warn" role="note" data-failures>
      {many.map(({ group, failed, refused, tasks }) => {
        const { platformCode, kind, locale, persona } = group;
        const surface = [`${platformCode} (${t.kinds[kind]})`, locale, persona]
          .filter((part) => part !== "")
          .join(", ");
        const ofThem = refused === null || refused === 0 ? null : percent(refused);
        return <p key={surface}>{t.manyFailures(surface, percent(failed), number(tasks), ofThem)}</p>;
      })}
      <p>{t.failuresMean}</p>
      <p>
        <a class="link" href={to(`/panels/${panelId}`, { part: "runs" })}>
          {t.toRuns}
        </a>
      </p>
    </div>
  );
}
