import type { TaskRecord } from "@querent/client";
import { taskMessages } from "../../../i18n/task.ts";
import { isWebAddress } from "../web-address.ts";
import * as css from "./steps-part.module.css";

/** What the platform let see of its reasoning, and what it searched for. */
export function StepsPart({ record: { reasoningProcess, searchProcess } }: { record: TaskRecord }) {
  const t = taskMessages.value;
  return (
    <div class={css.stepsColumns}>
      {searchProcess === null ? null : (
        <section class="panel" aria-labelledby="searches-title">
          <h2 id="searches-title">
            {t.searches} <span class="count">{searchProcess.length}</span>
          </h2>
          <ol class={css.steps}>
            {searchProcess.map((step) => (
              <li key={step.position}>
                <p dir="auto">
                  <span class="quiet">{step.query === "" ? t.opened : t.searchFor}</span> <strong>{step.query}</strong>
                </p>
                {step.results.length === 0 ? (
                  <p class="quiet small">{t.noResults}</p>
                ) : (
                  <ul class={css.stepResults}>
                    {step.results.map((result, index) => (
                      <li key={index}>
                        {isWebAddress(result.url) ? (
                          <a href={result.url} target="_blank" rel="noopener noreferrer nofollow" title={result.url}>
                            <bdi>{result.title || result.url}</bdi>
                          </a>
                        ) : (
                          <bdi>{result.title}</bdi>
                        )}{" "}
                        <bdi class="quiet small">{result.site}</bdi>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      {reasoningProcess === null ? null : (
        <section class="panel" aria-labelledby="reasoning-title">
          <h2 id="reasoning-title">
            {t.reasoning} <span class="count">{reasoningProcess.length}</span>
          </h2>
          <ol class={css.steps}>
            {reasoningProcess.map((step) => (
              <li key={step.position}>
                <p class={css.preLine} dir="auto">
                  {step.text}
                </p>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
