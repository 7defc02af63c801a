import type { EntityRecord, FoundChange, FoundInstrumentChange, PanelChanges } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { day } from "../../ui/time.tsx";
import { brandName, measureName } from "./names.ts";
import { Changed, Side } from "./change-note.tsx";
import type { ChosenSurface } from "./choice.ts";
import { ColumnHeads } from "../../ui/column-heads.tsx";
import * as css from "./figures.module.css";

interface ChangesPartProps {
  readonly changes: PanelChanges;
  readonly brands: readonly EntityRecord[];
}

type Listed =
  | { readonly kind: "change"; readonly found: FoundChange }
  | { readonly kind: "instrument"; readonly found: FoundInstrumentChange };

/** What was found in the last year, on every platform, newest first, with the answers of both sides. */
export function ChangesPart({ changes, brands }: ChangesPartProps) {
  const t = figuresMessages.value;
  const listed: Listed[] = [
    ...changes.changes.map((found) => ({ kind: "change" as const, found })),
    ...changes.instrumentChanges.map((found) => ({ kind: "instrument" as const, found })),
  ];
  const newestFirst = listed.toSorted((a, b) => (a.found.since < b.found.since ? 1 : -1));
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-changes">
      <h2 id="figures-changes">{t.found.title}</h2>
      {newestFirst.length === 0 ? (
        <p class="quiet">{changes.evaluatedAt === null ? t.found.notYet : t.found.none}</p>
      ) : (
        <TablePlace label={t.found.title}>
          <table class={`table ${css.dense}`}>
            <ColumnHeads columns={["since", "where", "what", "change"]} labels={t.found.columns} />
            <tbody>
              {newestFirst.map((one) => (
                <tr key={one.found.changeId} data-change={one.found.changeId}>
                  <th scope="row">
                    <time dateTime={one.found.since}>{day(one.found.since)}</time>
                  </th>
                  {one.kind === "change" ? (
                    <ChangeCells found={one.found} brands={brands} />
                  ) : (
                    <InstrumentCells found={one.found} brands={brands} />
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TablePlace>
      )}
    </section>
  );
}

function Where({ of: { platformCode, kind, locale, persona } }: { of: ChosenSurface }) {
  const t = figuresMessages.value;
  return (
    <>
      <bdi>{platformCode}</bdi>
      <span class="small quiet"> {[t.kinds[kind], locale, persona].filter((part) => part !== "").join(" · ")}</span>
    </>
  );
}

function ChangeCells({ found, brands }: { found: FoundChange; brands: readonly EntityRecord[] }) {
  return (
    <>
      <td>
        <Where of={found} />
      </td>
      <td>
        <bdi>{found.domain ?? brandName(found.entityId, brands)}</bdi>
        <span class="small quiet"> {measureName(found.measure)}</span>
      </td>
      <td>
        <Changed found={found} />
      </td>
    </>
  );
}

/** A change of the instrument, with the presence of own brands on both sides: no change of theirs. */
function InstrumentCells({ found, brands }: { found: FoundInstrumentChange; brands: readonly EntityRecord[] }) {
  const t = figuresMessages.value;
  const models = (instruments: FoundInstrumentChange["before"]) =>
    [...new Set(instruments.map(({ modelVersion }) => modelVersion ?? t.unknownModel))].join(", ");
  const [before, after] = [models(found.before), models(found.after)];
  return (
    <>
      <td>
        <Where of={{ ...found, locale: "", persona: "" }} />
      </td>
      <td>{t.seam}</td>
      <td>
        <span class={css.change}>
          <strong>{before === after ? t.found.otherReading : t.found.models(before, after)}</strong>
          <span class="small quiet">{t.found.notComparable}</span>
          {found.figures.map((figure) =>
            figure.before === null || figure.after === null ? null : (
              <span class="small" key={[figure.entityId, figure.locale, figure.persona].join("|")}>
                <bdi>{brandName(figure.entityId, brands)}</bdi>{" "}
                {[figure.locale, figure.persona].filter((part) => part !== "").join(" · ")}{" "}
                <Side figure={figure.before} what={t.change.before} about={{ about: figure.entityId }} /> →{" "}
                <Side figure={figure.after} what={t.change.after} about={{ about: figure.entityId }} />
              </span>
            ),
          )}
        </span>
      </td>
    </>
  );
}
