import type { Figure } from "@querent/client";
import * as css from "./figures.module.css";

interface IntervalBarProps {
  readonly figure: Figure;
  readonly isOwn: boolean;
  /** Filled from 0 to the share. */
  readonly isFilled?: boolean;
}

/** A share and its interval, drawn on a line from 0 to 100 %. The numbers stand beside it. */
export function IntervalBar({ figure: { value, interval }, isOwn, isFilled = false }: IntervalBarProps) {
  if (value === null || interval === null) return null;
  const x = (share: number) => 100 * Math.min(1, Math.max(0, share));
  return (
    <svg
      class={isOwn ? `${css.bar} ${css.own}` : css.bar}
      viewBox="0 0 100 16"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line class={css.barGround} x1="0" x2="100" y1="8" y2="8" />
      {[25, 50, 75].map((at) => (
        <line key={at} class={css.barTick} x1={at} x2={at} y1="5" y2="11" />
      ))}
      {isFilled ? <rect class={css.barFill} x="0" width={x(value)} y="2" height="12" /> : null}
      <rect
        class={css.barInterval}
        x={x(interval.low)}
        width={Math.max(0.6, x(interval.high) - x(interval.low))}
        y="4"
        height="8"
      />
      <line class={css.barValue} x1={x(value)} x2={x(value)} y1="2" y2="14" />
    </svg>
  );
}
