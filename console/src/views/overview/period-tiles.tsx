import type { Overview } from "@querent/client";
import { duration, number, percent } from "../../ui/time.tsx";
import { overviewMessages } from "../../i18n/overview.ts";
import { Tile } from "./tile.tsx";

/** The four figures of the period, each against the period before. */
export function PeriodTiles({ overview: { current, before } }: { overview: Overview }) {
  const t = overviewMessages.value;
  const seconds = (value: number | null) => (value === null ? "–" : duration(value * 1000));
  return (
    <div class="tiles">
      <Tile
        deeper
        label={t.completed}
        value={number(current.completed)}
        change={{ now: current.completed, before: before.completed, good: "more" }}
      >
        {current.failed === 0 ? null : (
          <span class="tile-bad">
            {number(current.failed)} {t.failed.toLowerCase()}
          </span>
        )}
        {current.canceled === 0 ? null : (
          <span>
            {number(current.canceled)} {t.canceled.toLowerCase()}
          </span>
        )}
      </Tile>
      <Tile
        deeper
        label={t.successRate}
        value={current.successRate === null ? "–" : percent(current.successRate)}
        change={{ now: current.successRate, before: before.successRate, good: "more" }}
      />
      <Tile
        deeper
        label={t.answerTime}
        value={seconds(current.p50Seconds)}
        unit={current.p50Seconds === null ? undefined : t.half}
        change={{ now: current.p50Seconds, before: before.p50Seconds, good: "less" }}
      >
        {current.p95Seconds === null ? null : (
          <span>
            {t.nearlyAll} {seconds(current.p95Seconds)}
          </span>
        )}
      </Tile>
      <Tile
        deeper
        label={t.points}
        value={number(current.chargedPoints)}
        change={{ now: current.chargedPoints, before: before.chargedPoints, good: "neither" }}
      />
    </div>
  );
}
