import type { Overview, PlatformRecord } from "@querent/client";
import { to } from "../../app/address.ts";
import { conditions } from "../../app/conditions.ts";
import { distance, now, number } from "../../ui/time.tsx";
import { overviewMessages } from "../../i18n/overview.ts";
import { phrases } from "../../i18n/phrases.ts";
import { isFailing as isUnwell, standingOf, tones } from "../platforms/standing.ts";
import { Tile } from "./tile.tsx";
import * as css from "./now-tiles.module.css";

/** What is under way at this moment, and how notifications fare. */
export function NowTiles({ overview: { conditions: current, pending, webhook } }: { overview: Overview }) {
  const t = overviewMessages.value;
  const isFailing = current.some(({ code }) => code === "endpoint_failing");
  const endpoint = webhook.status === "active" && isFailing ? "failing" : webhook.status;
  const upTo = (count: number) => (count >= 1000 ? `${number(1000)}+` : number(count));
  return (
    <section class={css.now} aria-labelledby="now-title">
      <h2 id="now-title">{t.now}</h2>
      <div class="tiles">
        <Tile deeper label={t.pending} value={number(pending.total)}>
          {pending.total === 0 ? null : (
            <>
              <span>{t.running(number(pending.running))}</span>
              <span>{t.waiting(number(Math.max(0, pending.total - pending.running)))}</span>
            </>
          )}
        </Tile>
        <Tile
          deeper
          label={t.oldest}
          value={pending.oldest === null ? "–" : distance(Math.min(0, Date.parse(pending.oldest) - now.value))}
        >
          {pending.oldest === null ? <span>{t.nonePending}</span> : null}
        </Tile>
        <PlatformsTile platforms={conditions.value.platforms} />
        <Tile deeper label={t.webhook} value={t.webhookStates[endpoint]} tone={webhookTones[endpoint]}>
          {webhook.status === "unset" ? null : webhook.lastSuccessAt === null ? (
            <span>{t.noSuccess}</span>
          ) : (
            <span>{t.lastSuccess(distance(Math.min(0, Date.parse(webhook.lastSuccessAt) - now.value)))}</span>
          )}
          {webhook.failuresSinceSuccess === 0 ? null : (
            <span class="tile-bad">{t.failures(number(webhook.failuresSinceSuccess))}</span>
          )}
          <span>
            {(webhook.status === "suspended" ? t.paused : t.deliveries)(
              upTo(webhook.pendingDeliveries),
              upTo(webhook.failedDeliveries),
            )}
          </span>
        </Tile>
      </div>
    </section>
  );
}

const webhookTones = { active: "good", failing: "bad", suspended: "bad", unset: "quiet" } as const;

/** How many of the configured platforms do well, and which don't. */
function PlatformsTile({ platforms }: { platforms: readonly PlatformRecord[] }) {
  const t = overviewMessages.value;
  const states = platforms
    .map((platform) => ({ platform, standing: standingOf(platform) }))
    .filter(({ standing }) => standing.kind !== "not_configured");
  const unwell = states.filter(({ standing }) => ["bad", "warn"].includes(tones[standing.kind]));
  const tone = unwell.some(({ standing }) => isUnwell(standing)) ? "bad" : undefined;
  return (
    <Tile
      deeper
      label={t.platforms}
      value={
        states.length === 0
          ? t.noPlatforms
          : t.platformsValue(number(states.length - unwell.length), number(states.length))
      }
      tone={tone}
    >
      {unwell.map(({ platform, standing }) => (
        <a key={platform.platformCode} href={to("/platforms")}>
          {platform.name}: {phrases.value.standings[standing.kind]}
        </a>
      ))}
    </Tile>
  );
}
