import type { Availability } from "@querent/client";
import { taskMessages } from "../../../i18n/task.ts";
import * as css from "./availability-list.module.css";

/** Why each part of the result is there or not, in words. */
export function AvailabilityList({ availability }: { availability: Availability }) {
  const t = taskMessages.value;
  // The object has these members and no others.
  const fields = Object.keys(t.availabilityFields) as (keyof Availability)[];
  return (
    <section class="panel" aria-labelledby="availability-title">
      <h2 id="availability-title">{t.availability}</h2>
      <dl class={css.availability}>
        {fields.map((field) => {
          const state = availability[field];
          // Results of earlier versions say nothing of advertisements.
          return state === undefined ? null : (
            <div key={field} data-state={state}>
              <dt>{t.availabilityFields[field]}</dt>
              <dd>{t.availabilities[state]}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
