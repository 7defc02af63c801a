/** Loaded before a service, it shifts the process's clock by CLOCK_OFFSET_MS. */
const offsetMs = Number(process.env["CLOCK_OFFSET_MS"]);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...values: []) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    else super(...values);
  }
  static override now(): number {
    return RealDate.now() + offsetMs;
  }
} as DateConstructor;
