import type { ComponentChildren } from "preact";
import { percent } from "../../ui/time.tsx";
import { overviewMessages } from "../../i18n/overview.ts";

interface TileProps {
  readonly label: string;
  readonly value: string;
  /** Small words before the value. */
  readonly unit?: string | undefined;
  readonly change?: Change;
  /** Under a heading of its own: one level deeper. */
  readonly deeper?: boolean;
  readonly tone?: "good" | "bad" | "quiet" | undefined;
  readonly children?: ComponentChildren;
}

interface Change {
  readonly now: number | null;
  readonly before: number | null;
  /** Which way is the better one. */
  readonly good: "more" | "less" | "neither";
}

/** One large figure, with details below. */
export function Tile({ label, value, unit, change, deeper = false, tone, children }: TileProps) {
  const Heading = deeper ? "h3" : "h2";
  return (
    <section class="tile" aria-label={label}>
      <Heading class="tile-label">{label}</Heading>
      <p class={`tile-value figure${tone === undefined ? "" : ` tile-${tone}`}`}>
        {unit === undefined ? null : <span class="tile-unit">{unit} </span>}
        {value}
      </p>
      <p class="tile-more small quiet">
        {children}
        {change === undefined ? null : <ChangeNote {...change} />}
      </p>
    </section>
  );
}

/** Smaller differences are noise, and shown as no change. */
const changeMin = 0.005;

function ChangeNote({ now, before, good }: Change) {
  const t = overviewMessages.value;
  if (now === null || before === null || before === 0) return <span>{t.nothingBefore}</span>;
  const share = now / before - 1;
  if (Math.abs(share) < changeMin) return <span>{t.unchanged}</span>;
  const way = share > 0 ? "more" : "less";
  const tone = good === "neither" ? undefined : good === way ? "tile-good" : "tile-bad";
  return (
    <span class={tone}>
      <span aria-hidden="true">{way === "more" ? "▲" : "▼"} </span>
      {t[way](percent(Math.abs(share)))}
    </span>
  );
}
