import type { TaskRecord } from "@querent/client";
import { useMemo, useState } from "preact/hooks";
import { Segments } from "../../ui/segments.tsx";
import { number } from "../../ui/time.tsx";
import { batchesMessages } from "../../i18n/batches.ts";
import { sharedBy, sourceSets } from "./source-sets.ts";
import { columnOf } from "./cell.ts";
import * as css from "./shared-sources.module.css";

const shownMax = 200;

/** The sources of answers side by side: which they share, and which one alone has. */
export function SharedSources({ records }: { records: readonly TaskRecord[] }) {
  const t = batchesMessages.value;
  const [by, setBy] = useState<"domain" | "address">("domain");
  const answers = records.filter(({ content }) => content !== null);
  const sets = useMemo(() => sourceSets(answers, by), [records, by]);
  const shared = sets.filter((source) => sharedBy(source) > 1).length;
  return (
    <section class={`panel ${css.shared}`} aria-labelledby="shared-title">
      <div class="panel-head">
        <h2 id="shared-title">{t.sourcesTitle}</h2>
        <Segments
          look="small"
          name="sources-by"
          labelledBy="shared-title"
          value={by}
          labels={{ domain: t.byDomain, address: t.byAddress }}
          choose={setBy}
        />
      </div>
      {sets.length === 0 ? (
        <p class="quiet">{t.noSources}</p>
      ) : (
        <>
          <p class="quiet small">
            {t.inCommon(number(shared))} · {t.apart(number(sets.length - shared))}
          </p>
          <div class="table-frame" tabIndex={0} role="group" aria-labelledby="shared-title">
            <table class={css.sharedTable}>
              <thead>
                <tr>
                  <th scope="col">{by === "domain" ? t.byDomain : t.byAddress}</th>
                  {answers.map((record) => (
                    <th key={record.taskId} scope="col" class={css.sharedMark}>
                      {columnOf(record)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {sets.slice(0, shownMax).map((source) => (
                  <tr key={source.name} class={sharedBy(source) > 1 ? css.isShared : undefined}>
                    <th scope="row">
                      {source.url === null || by === "domain" ? (
                        <bdi>{source.name}</bdi>
                      ) : (
                        <a href={source.url} target="_blank" rel="noopener noreferrer nofollow" title={source.url}>
                          <bdi>{source.title || source.name}</bdi>
                        </a>
                      )}
                      {by === "address" ? <span class={`quiet small ${css.sharedAddress}`}>{source.name}</span> : null}
                    </th>
                    {source.times.map((times, index) => (
                      <td key={index} class={css.sharedMark}>
                        {times === 0 ? (
                          <span class="quiet" aria-label={t.none}>
                            ·
                          </span>
                        ) : (
                          <span class={css.sharedDot} title={t.cited(times)}>
                            {times}
                          </span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}
