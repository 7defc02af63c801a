import type { PlatformLimits, QueueRecord } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { operatorMessages } from "../../i18n/operator.ts";
import * as room from "./operator.module.css";

interface LimitsFormProps {
  readonly queue: QueueRecord;
  readonly changed: () => void;
  readonly close: () => void;
}

/** Limits of a platform, changed while it runs. */
export function LimitsForm({ queue, changed, close }: LimitsFormProps) {
  const t = operatorMessages.value;
  const { limits, configuredLimits, override, platformCode } = queue;
  const [runningMax, setRunningMax] = useState(String(limits.runningMax));
  const [perSecond, setPerSecond] = useState(limits.rate === null ? "" : String(limits.rate.perSecond));
  const [burst, setBurst] = useState(String(limits.rate?.burst ?? 1));
  const { busy, failed, run } = useAttempt();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.operator.setLimits(platformCode, {
        runningMax: Number(runningMax),
        rate: perSecond.trim() === "" ? null : { perSecond: Number(perSecond), burst: Number(burst) },
      });
      announce(t.changed);
      changed();
    });
  };
  const restore = () =>
    run(async () => {
      await querent.operator.restoreLimits(platformCode);
      announce(t.restored);
      changed();
    });

  return (
    <form class={`form ${room.inlineForm}`} aria-label={t.limitsOf(queue.name)} onSubmit={submit}>
      <NumberField
        input={first}
        label={t.runningMax}
        hint={t.runningMaxHint}
        min={0}
        max={1_000_000}
        value={runningMax}
        change={setRunningMax}
      />
      <NumberField
        label={t.perSecond}
        hint={t.perSecondHint}
        optional
        min={0.01}
        max={1_000_000}
        step="any"
        value={perSecond}
        change={setPerSecond}
      />
      <NumberField label={t.burst} min={1} max={10_000} value={burst} change={setBurst} />
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.apply}
        </button>
        {override === null || configuredLimits === null ? null : (
          <button type="button" class="button" aria-disabled={busy} onClick={restore}>
            {t.restore(limitText(configuredLimits))}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {t.close}
        </button>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </form>
  );
}

function limitText({ runningMax, rate }: PlatformLimits): string {
  const t = operatorMessages.value;
  const pace = rate === null ? t.noRate : t.rate(number(rate.perSecond), number(rate.burst));
  return `${number(runningMax)}, ${pace}`;
}
