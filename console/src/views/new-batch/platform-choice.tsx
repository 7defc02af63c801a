import type { PlatformRecord } from "@querent/client";
import { number } from "../../ui/time.tsx";
import { newBatchMessages } from "../../i18n/new-batch.ts";
import { phrases } from "../../i18n/phrases.ts";
import { Lacking } from "../platforms/platforms-view.tsx";
import { standingOf, tones } from "../platforms/standing.ts";
import * as css from "./platform-choice.module.css";

interface PlatformChoiceProps {
  readonly platforms: readonly PlatformRecord[];
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

/** The platforms that can be asked or were chosen; the others are folded away, with what they lack. */
export function PlatformChoice({ platforms, chosen, choose }: PlatformChoiceProps) {
  const t = newBatchMessages.value;
  const isShown = ({ configured, platformCode }: PlatformRecord) => configured || chosen.includes(platformCode);
  const ready = platforms.filter(isShown);
  const others = platforms.filter((platform) => !isShown(platform));
  return (
    <fieldset class="field">
      <legend>{t.platforms}</legend>
      <div class={css.platformChoice}>
        {ready.map((platform) => (
          <PlatformTile
            key={platform.platformCode}
            platform={platform}
            isChosen={chosen.includes(platform.platformCode)}
            choose={(on) =>
              choose(on ? [...chosen, platform.platformCode] : chosen.filter((code) => code !== platform.platformCode))
            }
          />
        ))}
      </div>
      {others.length === 0 ? null : (
        <details class={css.platformOthers}>
          <summary>{t.others(others.length)}</summary>
          <dl>
            {others.map((platform) => (
              <div key={platform.platformCode}>
                <dt>{platform.name}</dt>
                <dd class="quiet small">
                  {standingOf(platform).detail}
                  <Lacking platform={platform} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </fieldset>
  );
}

interface PlatformTileProps {
  readonly platform: PlatformRecord;
  readonly isChosen: boolean;
  readonly choose: (on: boolean) => void;
}

function PlatformTile({ platform, isChosen, choose }: PlatformTileProps) {
  const t = newBatchMessages.value;
  const { name, price, health } = platform;
  const { kind } = standingOf(platform);
  const isUnwell = tones[kind] === "bad" || tones[kind] === "warn";
  return (
    <label class={css.platformTile}>
      <input
        type="checkbox"
        class="unseen"
        checked={isChosen}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <span class={css.platformName}>{name}</span>
      <span class="quiet small">
        {t.price(price.base)}
        {health.p50Seconds === null ? "" : ` · ${t.pace(number(Math.round(health.p50Seconds * 10) / 10))}`}
      </span>
      {isUnwell ? <span class={`mark mark-${tones[kind]}`}>{phrases.value.standings[kind]}</span> : null}
    </label>
  );
}
