export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  /** One sentence. */
  readonly help: string;
  /** The labels, and what their values are. Their number is bounded: no value comes from a user. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** Read from the database: every process reports the same. */
  readonly shared?: true;
}
