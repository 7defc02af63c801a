import type { EntityRecord } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { panelFormMessages } from "../../i18n/panel-form.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./panel-view.module.css";

interface BrandsFieldProps {
  readonly member: "own" | "competitors";
  /** Names, one a line. */
  readonly value: string;
  readonly change: (value: string) => void;
  /** The brands of the account; null until they are read. */
  readonly known: readonly EntityRecord[] | null;
  /** Reads them again, after one was made. */
  readonly made: () => void;
  readonly error: string | null;
}

/** Names of brands: those of the account are a click away, and one that it does not have is made at a click. */
export function BrandsField({ member, value, change, known, made, error }: BrandsFieldProps) {
  const t = panelFormMessages.value;
  const { busy, failed, run } = useAttempt();
  const id = `panel-${member}`;
  const relation = member === "own" ? "own" : "competitor";
  const names = value
    .split("\n")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const isKnown = (name: string) => known?.some((brand) => brand.name === name || brand.entityId === name) !== false;
  const unknown = names.filter((name) => !isKnown(name));
  const others = (known ?? []).filter((brand) => brand.relation === relation && !names.includes(brand.name));
  const make = () =>
    run(async () => {
      for (const name of unknown) await querent.entities.create({ name, relation });
      made();
    });
  return (
    <div class="field" data-field={member}>
      <label for={id}>{panelsMessages.value.form[member]}</label>
      <textarea
        id={id}
        class="input"
        rows={2}
        dir="auto"
        spellcheck={false}
        value={value}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {others.length === 0 ? null : (
        <div class={css.chips}>
          {others.slice(0, chipsMax).map((brand) => (
            <button
              key={brand.entityId}
              type="button"
              class="button small"
              onClick={() => change([...names, brand.name].join("\n"))}
            >
              + {brand.name}
            </button>
          ))}
        </div>
      )}
      {unknown.length === 0 ? null : (
        <div class="actions">
          <button type="button" class="button" disabled={busy} onClick={make}>
            {t.createBrands(unknown.join(", "))}
          </button>
        </div>
      )}
      {failed === null ? null : <FailureNote failed={failed} />}
      {error === null ? null : <p class="field-error small">{error}</p>}
      <p id={`${id}-hint`} class="quiet small">
        {member === "own" ? panelsMessages.value.hints.own : t.competitorsHint}
      </p>
    </div>
  );
}

const chipsMax = 12;
