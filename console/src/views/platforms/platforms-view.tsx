import type { PlatformRecord } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { session } from "../../app/session.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Ago, distance, duration, now, number, percent } from "../../ui/time.tsx";
import { phrases } from "../../i18n/phrases.ts";
import { platformsMessages } from "../../i18n/platforms.ts";
import { setupMessages } from "../../i18n/setups.ts";
import { standingOf, tones, type Standing } from "./standing.ts";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./platforms-view.module.css";

const refreshMs = 15_000;

/** Which platforms can be asked: what each returns, what it costs, and how it does at the moment. */
export function PlatformsView() {
  const t = platformsMessages.value;
  const { value, failed, refresh } = useLive("platforms live", (call) => querent.platforms.list(call), {
    everyMs: refreshMs,
  });
  useTitle(t.title);
  const configured = (value ?? []).filter((platform) => platform.configured);
  const others = (value ?? []).filter((platform) => !platform.configured);
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <section class="stack" aria-labelledby="configured-title">
          <h2 id="configured-title">
            {t.configured} <span class="count">{configured.length}</span>
          </h2>
          <ul class={css.platforms}>
            {configured.map((platform) => (
              <PlatformCard key={platform.platformCode} platform={platform} standing={standingOf(platform)} />
            ))}
          </ul>
        </section>
      )}
      {others.length === 0 ? null : (
        <section class="stack" aria-labelledby="others-title">
          <h2 id="others-title">
            {t.others} <span class="count">{others.length}</span>
          </h2>
          <ul class={css.platforms}>
            {others.map((platform) => (
              <PlatformCard key={platform.platformCode} platform={platform} standing={standingOf(platform)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function PlatformCard({ platform, standing }: { platform: PlatformRecord; standing: Standing }) {
  const t = platformsMessages.value;
  const { name, platformCode, kind, configured, returns, outputs, price, health, runTimeoutSeconds } = platform;
  const given = [
    t.answer,
    ...(Object.keys(t.returned) as (keyof PlatformRecord["returns"])[])
      .filter((part) => returns[part])
      .map((part) => t.returned[part]),
    ...(outputs.includes("screenshot") ? [t.screenshot] : []),
    ...(outputs.includes("share_link") ? [t.shareLink] : []),
  ];
  const prices = (Object.keys(t.prices) as (keyof PlatformRecord["price"])[]).filter(
    (part) => part === "base" || price[part] > 0,
  );
  return (
    <li class={`panel ${css.platform}`}>
      <div class={css.platformHead}>
        <h3>
          {name} <code class="quiet">{platformCode}</code>
        </h3>
        <StandingMark standing={standing} />
      </div>
      <p class="quiet small">
        {t.kinds[kind]} · {t.timeout(duration(runTimeoutSeconds * 1000))}
      </p>
      {standing.detail === null ? null : <p class="small">{standing.detail}</p>}
      <Lacking platform={platform} />
      {configured ? <Health platform={platform} standing={standing} /> : null}
      <div class={css.platformPart}>
        <p class={css.partTitle}>{t.returns}</p>
        <p class="tags">
          {given.map((part) => (
            <span key={part} class="tag">
              {part}
            </span>
          ))}
        </p>
      </div>
      <div class={css.platformPart}>
        <p class={css.partTitle}>{t.price}</p>
        <dl class={configured ? css.prices : `${css.priceLine} small`}>
          {prices.map((part) => (
            <div key={part}>
              <dt>{t.prices[part]}</dt>
              <dd class="figure">{part === "base" ? number(price[part]) : `+${number(price[part])}`}</dd>
            </div>
          ))}
        </dl>
      </div>
      {configured && !platform.standIn && health.drift !== null ? <Drift drift={health.drift} /> : null}
    </li>
  );
}

/** What it lacks, and the command that sets it up. */
export function Lacking({ platform }: { platform: PlatformRecord }) {
  const t = platformsMessages.value;
  if (platform.setUp === null) return null;
  // Those who operate the service add a vendor's key here.
  const isAdded = platform.kind === "api" && session.value?.scopes?.includes("admin") === true;
  return (
    <>
      <p class={platform.standIn ? "note note-warn small" : "small"}>{t.lacks(platform)}</p>
      {isAdded ? (
        <p>
          <a
            class="link"
            href={to("/operator/platforms", { platform: platform.platformCode })}
            aria-label={`${setupMessages.value.addInConsole}: ${platform.name}`}
          >
            {setupMessages.value.addInConsole}
          </a>
        </p>
      ) : (
        <p class="small">
          {t.setUp} <code>{platform.setUp.command}</code>
        </p>
      )}
    </>
  );
}

export function StandingMark({ standing: { kind, until } }: { standing: Standing }) {
  const t = platformsMessages.value;
  return (
    <span class={`mark mark-${tones[kind]}`}>
      {phrases.value.standings[kind]}
      {until === null ? null : ` · ${t.nextTry(distance(Math.max(1000, Date.parse(until) - now.value)))}`}
    </span>
  );
}

interface HealthProps {
  readonly platform: PlatformRecord;
  readonly standing: Standing;
}

function Health({ platform: { platformCode, health }, standing }: HealthProps) {
  const t = platformsMessages.value;
  const seconds = (value: number | null) => (value === null ? "–" : duration(value * 1000));
  return (
    <div class={css.platformPart}>
      <p class={css.partTitle}>{t.lastHour(number(health.finished))}</p>
      {health.finished === 0 || health.successRate === null ? (
        <p class="quiet">{t.nothingAsked}</p>
      ) : (
        <>
          <p class={css.healthLine}>
            <strong class="figure">{percent(health.successRate)}</strong> {t.success}
            <span class="quiet">
              {" "}
              · {t.half} {seconds(health.p50Seconds)} · {t.nearlyAll} {seconds(health.p95Seconds)}
            </span>
          </p>
          <meter
            class={css.meter}
            min={0}
            max={1}
            low={0.8}
            high={0.95}
            optimum={1}
            value={health.successRate}
            aria-label={t.success}
          />
        </>
      )}
      {health.successRate === null || health.successRate === 1 ? null : (
        <LastFailure key={standing.kind} platformCode={platformCode} />
      )}
      {health.queued + health.running === 0 ? null : (
        <p class="small quiet">
          {t.yours}: {t.running(number(health.running))}, {t.queued(number(health.queued))}
        </p>
      )}
    </div>
  );
}

/** The newest of the account's own tasks that failed there: what the platform said. */
function LastFailure({ platformCode }: { platformCode: string }) {
  const t = platformsMessages.value;
  const { value } = useLive(
    `last failure ${platformCode}`,
    (call) => querent.tasks.page({ platformCode, state: "failed", limit: 1 }, call),
    { everyMs: refreshMs * 2 },
  );
  const task = value?.tasks[0];
  if (task === undefined || task.failure === null || task.completedAt === null) return null;
  return (
    <p class="small">
      {t.lastFailure}{" "}
      <a href={to(`/tasks/${task.taskId}`)}>
        <Ago at={task.completedAt} />
      </a>
      : <code>{task.failure.code}</code> <span class="quiet">{task.failure.message}</span>
    </p>
  );
}

function Drift({ drift }: { drift: NonNullable<PlatformRecord["health"]["drift"]> }) {
  const t = platformsMessages.value;
  if (drift.length === 0) return <p class={`${css.platformPart} small quiet`}>{t.asRecipe}</p>;
  return (
    <div class={css.platformPart}>
      <p class={css.partTitle}>{t.drift}</p>
      <ul class={`${css.drift} small`} data-drift>
        {drift.map(({ what, sign, share, since }) => (
          <li key={`${sign} ${what}`}>
            <code>{what}</code> {t.signs[sign]}
            <span class="quiet">
              {" "}
              · {t.share(percent(share))} · <Ago at={since} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
