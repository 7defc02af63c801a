import type { Source } from "@querent/client";
import { language } from "../../../i18n/language.ts";
import { taskMessages } from "../../../i18n/task.ts";
import { hostOf, isWebAddress } from "../web-address.ts";
import * as css from "./source-list.module.css";

export function SourceList({ sources }: { sources: readonly Source[] }) {
  const t = taskMessages.value;
  if (sources.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="sources-title">
      <h2 id="sources-title">
        {t.sources} <span class="count">{sources.length}</span>
      </h2>
      <ol class={css.sources}>
        {sources.map((source, index) => (
          <li key={index} class={css.source}>
            <span class={css.sourceNumber} aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <p class={css.sourceTitle} dir="auto">
                {isWebAddress(source.url) ? (
                  <a href={source.url} target="_blank" rel="noopener noreferrer nofollow" title={source.url}>
                    {source.title || source.url}
                  </a>
                ) : (
                  <>
                    {source.title}{" "}
                    <code class="not-linked" title={t.unsafe}>
                      {source.url.slice(0, 200)}
                    </code>
                  </>
                )}
              </p>
              <p class={css.sourceSite}>
                <bdi>{source.site || hostOf(source.url)}</bdi>
                {source.opaque === true ? <span class="quiet">{t.hiddenPage}</span> : null}
                {source.publishedAt === null ? null : (
                  <time dateTime={source.publishedAt}>{day(source.publishedAt)}</time>
                )}
              </p>
              {source.summary === null || source.summary === "" ? null : (
                <p class={css.sourceSummary} dir="auto">
                  {source.summary}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const day = (at: string): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
