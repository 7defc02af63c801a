import type { PlatformRecord } from "@querent/client";
import { number } from "../../ui/time.tsx";
import { newBatchWords } from "../../words/new-batch.ts";

interface PlatformChoiceProps {
  readonly platforms: readonly PlatformRecord[];
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

export function PlatformChoice({ platforms, chosen, choose }: PlatformChoiceProps) {
  const t = newBatchWords.value;
  return (
    <fieldset class="field">
      <legend>{t.platforms}</legend>
      <div class="platform-choice">
        {platforms.map(({ platformCode, name, configured, unavailable, price, health }) => (
          <label key={platformCode} class={configured ? "platform-tile" : "platform-tile off"}>
            <input
              type="checkbox"
              class="unseen"
              checked={chosen.includes(platformCode)}
              disabled={!configured}
              onChange={({ currentTarget }) =>
                choose(
                  currentTarget.checked ? [...chosen, platformCode] : chosen.filter((code) => code !== platformCode),
                )
              }
            />
            <span class="platform-name">{name}</span>
            <span class="quiet small">
              {configured
                ? t.price(price.base)
                : unavailable?.code === "browser_unavailable"
                  ? t.noBrowser
                  : t.notConfigured}
              {configured && health.p50Seconds !== null
                ? ` · ${t.pace(number(Math.round(health.p50Seconds * 10) / 10))}`
                : ""}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
