import { useState } from "preact/hooks";
import { figuresMessages } from "../../i18n/figures.ts";
import { day, number } from "../../ui/time.tsx";
import { go } from "../../app/address.ts";
import { isOf, isSimulated, surfaceKey, windowDays, withChoice, type Choice, type ChosenSurface } from "./choice.ts";
import type { Summary } from "./read-figures.ts";
import { instrumentNames } from "./instrument-names.ts";
import * as css from "./figures.module.css";

/** The window: some days until now, or dates. */
export function WindowChoice({ choice }: { choice: Choice }) {
  const t = figuresMessages.value;
  const [isOpen, setOpen] = useState(choice.from !== null);
  return (
    <div class={css.window}>
      <ul class="segments" aria-label={t.window}>
        <li>
          <a
            class="segment"
            aria-current={choice.days === null && choice.from === null ? "true" : undefined}
            href={withChoice({ days: undefined, from: undefined, to: undefined })}
            onClick={() => setOpen(false)}
          >
            {t.lastRuns}
          </a>
        </li>
        {windowDays.map((days) => (
          <li key={days}>
            <a
              class="segment"
              aria-current={choice.days === days ? "true" : undefined}
              href={withChoice({ days: String(days), from: undefined, to: undefined })}
              onClick={() => setOpen(false)}
            >
              {t.days(days)}
            </a>
          </li>
        ))}
        <li>
          <button
            type="button"
            class="segment"
            aria-expanded={isOpen}
            aria-current={choice.from !== null ? "true" : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {t.dates}
          </button>
        </li>
      </ul>
      {isOpen ? <Dates choice={choice} /> : null}
    </div>
  );
}

function Dates({ choice }: { choice: Choice }) {
  const t = figuresMessages.value;
  const [from, setFrom] = useState(choice.from ?? "");
  const [to, setTo] = useState(choice.to ?? "");
  const show = (event: Event) => {
    event.preventDefault();
    if (from !== "" && to !== "") go(withChoice({ from, to, days: undefined }));
  };
  return (
    <form class={css.dates} onSubmit={show}>
      <label>
        <span class="small">{t.from}</span>
        <input
          class="input"
          type="date"
          required
          max={to}
          value={from}
          onInput={(e) => setFrom(e.currentTarget.value)}
        />
      </label>
      <label>
        <span class="small">{t.to}</span>
        <input class="input" type="date" required min={from} value={to} onInput={(e) => setTo(e.currentTarget.value)} />
      </label>
      <button type="submit" class="button">
        {t.apply}
      </button>
    </form>
  );
}

/** Which platform, kind, locale and persona is shown, with the others beside it. */
export function SurfaceChoice({ summary: { surfaces }, surface }: { summary: Summary; surface: ChosenSurface }) {
  const t = figuresMessages.value;
  return (
    <section class={css.surfaces} aria-labelledby="figures-surface">
      <h2 id="figures-surface" class="unseen">
        {t.surface}
      </h2>
      <ul class={css.surfaceList}>
        {surfaces.map(({ surface: each, answers }) => (
          <li key={surfaceKey(each)}>
            <a
              class={css.surface}
              aria-current={isOf(surface, each) ? "true" : undefined}
              href={withChoice({ surface: surfaceKey(each) })}
            >
              <strong>
                <bdi>{each.platformCode}</bdi>
              </strong>
              <span class="small quiet">
                {[t.kinds[each.kind], each.locale || t.ownLocale, each.persona || t.noPersona].join(" · ")}
              </span>
              <span class="small quiet">
                {t.facts.answers}: {number(answers)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {surfaces.length < 2 ? null : <p class="quiet small">{t.surfaceHint}</p>}
    </section>
  );
}

interface HeadFactsProps {
  readonly summary: Summary;
  readonly surface: ChosenSurface;
  /** The number of runs; null until it is known. */
  readonly runs: number | null;
}

/** What the figures were made from. */
export function HeadFacts({ summary: { window, rows }, surface, runs }: HeadFactsProps) {
  const t = figuresMessages.value;
  const all = rows.find(({ measure, group }) => measure === "empty_rate" && isOf(surface, group));
  const shown = all?.thesePrompts.instrument ?? [];
  const models = new Set(shown.map(({ modelVersion }) => modelVersion ?? t.unknownModel));
  const answers = all?.thesePrompts.answers ?? 0;
  const others = (all?.otherInstruments ?? []).map(({ instrument }) => instrument);
  const facts: [keyof typeof t.facts, string][] = [
    [
      "window",
      `${day(window.from.slice(0, 10))} – ${day(new Date(Date.parse(window.to) - 1).toISOString().slice(0, 10))}`,
    ],
    ["runs", runs === null ? "…" : number(runs)],
    ["answers", number(answers)],
    ["prompts", number(all?.thesePrompts.cells ?? 0)],
    ["instrument", [...models].join(", ")],
  ];
  return (
    <>
      {isSimulated(surface) ? <p class="note note-warn">{t.simulated}</p> : null}
      {surface.kind === "imported" ? <p class="note note-warn">{t.imported}</p> : null}
      {others.length === 0 ? null : (
        <p class="note" data-instruments>
          {t.oneInstrument(instrumentNames(shown, others), instrumentNames(others, shown))}
        </p>
      )}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t.facts[name]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
