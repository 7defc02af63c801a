import { useEffect, useMemo, useState } from "preact/hooks";
import { number } from "../../ui/time.tsx";
import { language } from "../../words/language.ts";
import { batchesWords } from "../../words/batches.ts";
import { countBrands, type BrandCount, type PlatformCounts } from "./brand-terms.ts";
import type { Cell } from "./cell.ts";

interface BrandPanelProps {
  readonly text: string;
  readonly brands: readonly string[];
  readonly cells: ReadonlyMap<string, Cell>;
  readonly platforms: readonly string[];
  readonly change: (text: string) => void;
}

const quietMs = 300;

/** Names to look for, and how often each platform's answers name them. */
export function BrandPanel({ text, brands, cells, platforms, change }: BrandPanelProps) {
  const t = batchesWords.value;
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  useEffect(() => {
    if (draft === text) return;
    const timer = window.setTimeout(() => change(draft), quietMs);
    return () => window.clearTimeout(timer);
  }, [draft]);
  const counts = useMemo(() => countBrands(cells.values(), brands), [cells, brands.join(",")]);

  return (
    <section class="panel brands" aria-label={t.brands}>
      <div class="brands-line">
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
      <p id="brands-hint" class="quiet small">
        {t.brandsHint}
      </p>
      {brands.length === 0 ? null : (
        <div class="table-frame" tabIndex={0} role="group" aria-label={t.brands}>
          <table class="brand-table">
            <thead>
              <tr>
                <th scope="col">{t.columns.platforms}</th>
                <th scope="col">{t.brand}</th>
                <th scope="col" class="figure">
                  {t.answersWith}
                </th>
                <th scope="col" class="figure">
                  {t.mentions}
                </th>
                <th scope="col" class="figure" title={t.firstNote}>
                  {t.first}
                </th>
                <th scope="col" title={t.shareNote}>
                  {t.share}
                </th>
              </tr>
            </thead>
            {platforms.map((platform) => (
              <PlatformRows key={platform} platform={platform} brands={brands} counts={counts.get(platform)} />
            ))}
            {platforms.length < 2 ? null : (
              <PlatformRows platform={t.everywhere} brands={brands} counts={sumOf([...counts.values()], brands)} />
            )}
          </table>
        </div>
      )}
    </section>
  );
}

interface PlatformRowsProps {
  readonly platform: string;
  readonly brands: readonly string[];
  readonly counts: PlatformCounts | undefined;
}

function PlatformRows({ platform, brands, counts }: PlatformRowsProps) {
  const all = counts?.brands.reduce((sum, { mentions }) => sum + mentions, 0) ?? 0;
  return (
    <tbody>
      {brands.map((brand, index) => {
        const count: BrandCount = counts?.brands[index] ?? { answers: 0, mentions: 0, first: 0 };
        const share = all === 0 ? 0 : count.mentions / all;
        return (
          <tr key={brand}>
            {index > 0 ? null : (
              <th scope="rowgroup" rowSpan={brands.length}>
                {platform}
              </th>
            )}
            <td>
              <span class={`brand-swatch brand-swatch-${(index % 6) + 1}`} aria-hidden="true" />
              <bdi>{brand}</bdi>
            </td>
            <td class="figure">
              {number(count.answers)} <span class="quiet">/ {number(counts?.answers ?? 0)}</span>
            </td>
            <td class="figure">{number(count.mentions)}</td>
            <td class="figure">{number(count.first)}</td>
            <td>
              <span class="brand-share">
                <span class="brand-share-bar" aria-hidden="true">
                  <span class={`brand-swatch-${(index % 6) + 1}`} style={{ width: `${share * 100}%` }} />
                </span>
                {percent(share)}
              </span>
            </td>
          </tr>
        );
      })}
    </tbody>
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
