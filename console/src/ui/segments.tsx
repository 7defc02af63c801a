interface SegmentsProps<Value extends string> {
  /** The name of the group, which is unique in the page. */
  readonly name: string;
  readonly value: Value;
  readonly labels: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
  /** The label of the group, or the id of the element that labels it; neither inside a fieldset. */
  readonly label?: string;
  readonly labelledBy?: string;
  readonly look?: "small" | "wrap";
}

/** One of a few, side by side. */
export function Segments<Value extends string>({
  name,
  value,
  labels,
  choose,
  label,
  labelledBy,
  look,
}: SegmentsProps<Value>) {
  const isNamed = label !== undefined || labelledBy !== undefined;
  return (
    <div
      class={look === undefined ? "segments" : `segments ${look}`}
      role={isNamed ? "radiogroup" : undefined}
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {(Object.keys(labels) as Value[]).map((choice) => (
        <label key={choice} class="segment">
          <input type="radio" class="unseen" name={name} checked={value === choice} onChange={() => choose(choice)} />
          {labels[choice]}
        </label>
      ))}
    </div>
  );
}
