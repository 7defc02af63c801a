import type { Ref } from "preact";

interface NumberFieldProps {
  readonly label: string;
  /** The text of the field, which may be empty, or no number yet. */
  readonly value: string;
  readonly change: (value: string) => void;
  readonly min: number;
  readonly max: number;
  /** Whole numbers, unless any will do. */
  readonly step?: "any";
  /** It may be left empty. */
  readonly optional?: boolean;
  readonly hint?: string;
  readonly input?: Ref<HTMLInputElement>;
}

/** A number to fill in, with its name above and a hint below. */
export function NumberField({ label, value, change, min, max, step, optional, hint, input = null }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        ref={input}
        class="input"
        type="number"
        required={optional !== true}
        min={min}
        max={max}
        step={step ?? 1}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {hint === undefined ? null : <span class="quiet small">{hint}</span>}
    </label>
  );
}
