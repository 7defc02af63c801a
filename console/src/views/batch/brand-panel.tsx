import { useEffect, useMemo, useState } from "preact/hooks";
import { number } from "../../ui/time.tsx";
import { language } from "../../i18n/language.ts";
import { batchesMessages } from "../../i18n/batches.ts";
import { countBrands, type BrandCount, type PlatformCounts } from "./brand-terms.ts";
import type { BatchCell } from "./cell.ts";
import * as css from "./brand-panel.module.css";

interface BrandPanelProps {
  readonly text: string;
  readonly brands: readonly string[];
  readonly cells: ReadonlyMap<string, BatchCell>;
  readonly platforms: readonly string[];
  readonly change: (text: string) => void;
  /** The names alone, without their counts. */
  readonly isBrief: boolean;
}

const quietMs = 300;

/** Names to look for, and how often each platform's answers name them. */
export function BrandPanel({ text, brands, cells, platforms, change, isBrief }: BrandPanelProps) {
  const t = batchesMessages.value;
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  useEffect(() => {
    if (draft === text) return;
    const timer = window.setTimeout(() => change(draft), quietMs);
    return () => window.clearTimeout(timer);
  }, [draft]);
  const counts = useMemo(() => countBrands(isBrief ? [] : cells.values(), brands), [cells, brands.join(","), isBrief]);
  const columns = [
    ...platforms.map((name) => ({ name, counts: counts.get(name) })),
    ...(platforms.length < 2 ? [] : [{ name: t.everywhere, counts: sumOf([...counts.values()], brands) }]),
  ];

  return (
    <div class={isBrief ? css.brands : `panel ${css.brands}`}>
      <div class={css.brandsLine}>
        <label for="brands">{t.brands}</label>
        <input
          id="brands"
          class="input"
          value={draft}
          dir="auto"
          maxLength={600}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="brands-hint"
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        />
      </div>
      <p id="brands-hint" class={isBrief ? "unseen" : "quiet small"}>
        {t.brandsHint}
      </p>
      {brands.length === 0 || isBrief ? null : (
        <div class="table-frame" tabIndex={0} role="group" aria-label={t.brands}>
          <table class={css.brandTable}>
            <thead>
              <tr>
                <th scope="col">{t.brand}</th>
                {columns.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {brands.map((brand, index) => (
                <tr key={brand}>
                  <th scope="row">
                    <span class={`${css.brandSwatch} ${css[`brand-swatch-${(index % 6) + 1}`]}`} aria-hidden="true" />
                    <bdi>{brand}</bdi>
                  </th>
                  {columns.map(({ name, counts: of }) => (
                    <td key={name}>
                      <BrandStanding index={index} counts={of} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p class={`quiet small ${css.brandNote}`}>{t.brandsNote}</p>
        </div>
      )}
    </div>
  );
}

const none: BrandCount = { answers: 0, mentions: 0, first: 0 };

/** One name in the answers of one platform: its share of all mentions, and what that is made of. */
function BrandStanding({ index, counts }: { index: number; counts: PlatformCounts | undefined }) {
  const t = batchesMessages.value;
  const { answers, mentions, first } = counts?.brands[index] ?? none;
  const all = counts?.brands.reduce((sum, brand) => sum + brand.mentions, 0) ?? 0;
  const share = all === 0 ? 0 : mentions / all;
  return (
    <>
      <span class={css.brandShare}>
        <strong>{percent(share)}</strong>
        <span class={css.brandShareBar} aria-hidden="true">
          <span class={css[`brand-swatch-${(index % 6) + 1}`]} style={{ width: `${share * 100}%` }} />
        </span>
      </span>
      <span class={css.brandFigures}>
        <span>{t.mentions(mentions, number(mentions))}</span>
        <span>{t.inAnswers(number(answers), number(counts?.answers ?? 0))}</span>
        <span>{t.namedFirst(number(first))}</span>
      </span>
    </>
  );
}

const percent = (share: number): string =>
  new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 0 }).format(share);

function sumOf(all: readonly PlatformCounts[], brands: readonly string[]): PlatformCounts {
  return {
    answers: all.reduce((sum, { answers }) => sum + answers, 0),
    brands: brands.map((_, index) =>
      all.reduce(
        (sum, counts) => ({
          answers: sum.answers + (counts.brands[index]?.answers ?? 0),
          mentions: sum.mentions + (counts.brands[index]?.mentions ?? 0),
          first: sum.first + (counts.brands[index]?.first ?? 0),
        }),
        { answers: 0, mentions: 0, first: 0 },
      ),
    ),
  };
}
