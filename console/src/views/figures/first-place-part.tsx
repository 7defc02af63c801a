import type { EntityRecord, FigureRow, PanelFigures, PanelPairs, PanelRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { may } from "../../app/session.ts";
import { firstPlaceMessages } from "../../i18n/first-place.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { number } from "../../ui/time.tsx";
import { AnswersLink } from "./answers-link.tsx";
import { isOf, surfaceFilter, type ChosenScope, type ChosenSurface } from "./choice.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { brandName } from "./names.ts";
import * as css from "./figures.module.css";

interface FirstPlacePartProps {
  readonly panel: PanelRecord;
  readonly window: PanelFigures["window"];
  readonly surface: ChosenSurface;
  readonly scope: ChosenScope;
  readonly brands: readonly EntityRecord[];
}

const measures = ["first_place_changes_between_runs", "first_place_changes"] as const;

interface Read {
  readonly rows: readonly FigureRow[];
  readonly pairs: PanelPairs;
}

/** How often another brand is named first, and which pairs of answers those are. Read when it is opened: few look at it. */
export function FirstPlacePart(props: FirstPlacePartProps) {
  const t = firstPlaceMessages.value;
  const [isOpen, setOpen] = useState(false);
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-first" data-first-place>
      <h2 id="figures-first">{t.title}</h2>
      <p class="quiet small">{t.text}</p>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t.changes.first_place_changes_between_runs}</summary>
        {isOpen ? <Pairs {...props} /> : null}
      </details>
    </section>
  );
}

function Pairs({ panel, window, surface, scope, brands }: FirstPlacePartProps) {
  const t = firstPlaceMessages.value;
  const { panelId } = panel;
  const filter = surfaceFilter(surface);
  const { value, failed, refresh } = useLive<Read>(
    JSON.stringify(["pairs", panelId, window, filter, surface.kind]),
    async (options) => {
      const call = { ...options, maxRetries: 5 };
      const { rows } = await querent.panels.figures(panelId, { measures, ...filter, ...window }, call);
      return { rows, pairs: await querent.panels.pairs(panelId, { ...filter, kind: surface.kind, ...window }, call) };
    },
    { everyMs: null },
  );
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null)
    return (
      <p class="quiet" role="status">
        {t.computing}
      </p>
    );
  const { rows, pairs } = value;
  return (
    <>
      <dl class="facts">
        {measures.map((measure) => (
          <div key={measure} data-changes={measure}>
            <dt>
              <DefinitionLink measure={measure}>{t.changes[measure]}</DefinitionLink>
            </dt>
            <dd>
              <FigureLink
                row={rows.find((row) => row.measure === measure && isOf(surface, row.group))}
                scope={scope}
                what={t.changes[measure]}
              />
            </dd>
          </div>
        ))}
      </dl>
      <PairTable pairs={pairs} surface={surface} brands={brands} panel={panel} />
    </>
  );
}

interface PairTableProps {
  readonly pairs: PanelPairs;
  readonly surface: ChosenSurface;
  readonly brands: readonly EntityRecord[];
  readonly panel: PanelRecord;
}

/** The most pairs that are shown: the rest is for the API. */
const shownMax = 100;

function PairTable({ pairs: { pairs, pairCount, differingCount, window }, surface, brands, panel }: PairTableProps) {
  const t = firstPlaceMessages.value;
  const textOf = (promptId: string) => panel.prompts.find((prompt) => prompt.promptId === promptId)?.text ?? promptId;
  const shown = pairs.filter((pair) => isOf(surface, pair)).slice(0, shownMax);
  return (
    <>
      <p class="small">{t.differing(number(differingCount), number(pairCount))}</p>
      {shown.length === 0 ? (
        <p class="quiet">{t.none}</p>
      ) : (
        <TablePlace label={t.title}>
          <table class={`table ${css.dense}`}>
            <thead>
              <tr>
                {(["prompt", "one", "other"] as const).map((column) => (
                  <th key={column} scope="col">
                    {t.columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ promptId, one, other }) => (
                <tr key={`${one.observationId} ${other.observationId}`} data-pair={promptId}>
                  <th scope="row">
                    <AnswersLink
                      href={
                        may("tasks:read")
                          ? to("/observations", {
                              panelId: panel.panelId,
                              ...surfaceFilter(surface),
                              promptId,
                              observedFrom: window.from,
                              observedBefore: window.to,
                            })
                          : undefined
                      }
                      label={t.asked(textOf(promptId))}
                    >
                      <bdi>{textOf(promptId)}</bdi>
                    </AnswersLink>
                  </th>
                  <td>
                    <bdi>{brandName(one.items[0], brands)}</bdi>
                  </td>
                  <td>
                    <bdi>{brandName(other.items[0], brands)}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablePlace>
      )}
    </>
  );
}
