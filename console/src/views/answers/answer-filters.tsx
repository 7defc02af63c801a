import { query } from "../../app/address.ts";
import { answersMessages } from "../../i18n/answers.ts";
import { dateTime } from "../panels/date-time.ts";

const names = [
  "panelId",
  "runId",
  "platformCode",
  "locale",
  "persona",
  "promptId",
  "domain",
  "entityId",
  "observedFrom",
  "observedBefore",
] as const;
export type FilterName = (typeof names)[number];

/** The filters in the address, by the names that the service gives them. */
export function readFilters(): Partial<Record<FilterName, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.value.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
}

/** What is selected, in words. */
export function FilterFacts({ known }: { known: Partial<Record<FilterName, string>> }) {
  const t = answersMessages.value;
  const filters = readFilters();
  return (
    <dl class="facts">
      {names.flatMap((name) => {
        const value = filters[name];
        if (value === undefined) return [];
        const isTime = (name === "observedFrom" || name === "observedBefore") && !Number.isNaN(Date.parse(value));
        return [
          <div key={name}>
            <dt>{t.filters[name]}</dt>
            <dd>
              <bdi>{known[name] ?? (isTime ? dateTime(value) : value)}</bdi>
            </dd>
          </div>,
        ];
      })}
    </dl>
  );
}
