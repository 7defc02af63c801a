/** The answers of one platform on one day (UTC), by instrument. */
export interface InstrumentDay {
  readonly day: string;
  /** The first run of the day. Null for answers without a run. */
  readonly runId: string | null;
  /** How many answers were taken with each instrument, by a key of it. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Days whose answers were taken with the same instrument, or with several that alternate. */
export interface Segment {
  readonly from: string;
  /** The instruments that alternate in it. Answers of others are exceptions, and are left out. */
  readonly instruments: readonly string[];
  /** How it differs from the segment before. Null for the first one. */
  readonly seam: Seam | null;
}

export interface Seam {
  readonly day: string;
  readonly runId: string | null;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** An instrument counts on a day if it gave this share of the answers. Fewer are exceptions, such as a vendor's fallback. */
const shareMin = 0.1;
/** Instruments that come within so many days after a seam belong to it. */
const settlingDays = 3;
/** An instrument is gone after so many days without it. Until then, it may return. */
const goneDays = 7;

/**
 * Divides days where the instrument changed: at the first day of a new one, and at the first day without one that is gone. Vendors
 * route by load, so several model versions may alternate from answer to answer or from day to day: an instrument that is known in
 * the segment makes no seam when it returns.
 */
export function findSegments(days: readonly InstrumentDay[]): Segment[] {
  const drafts: Draft[] = [];
  for (const [index, day] of days.entries()) {
    const present = mainInstruments(day);
    let current = drafts.at(-1);
    const isSettled = current !== undefined && index - current.start >= settlingDays;
    if (current === undefined || (isSettled && present.some((key) => !current?.lastSeen.has(key)))) {
      current = {
        start: index,
        before: current === undefined ? null : [...current.lastSeen.keys()],
        lastSeen: new Map(),
      };
      drafts.push(current);
    }
    for (const key of present) current.lastSeen.set(key, index);
    const next = withoutGone(current, index);
    if (next !== null) drafts.push(next);
  }
  return drafts.map(({ start, before, lastSeen }) => {
    const first = days[start];
    const instruments = [...lastSeen.keys()].toSorted();
    const [day, runId] = [first?.day ?? "", first?.runId ?? null];
    return {
      from: day,
      instruments,
      seam: before === null ? null : { day, runId, before: before.toSorted(), after: instruments },
    };
  });
}

interface Draft {
  readonly start: number;
  readonly before: string[] | null;
  /** The index of the last day on which it counted. */
  readonly lastSeen: Map<string, number>;
}

function mainInstruments({ answers }: InstrumentDay): string[] {
  const all = [...answers.values()].reduce((sum, count) => sum + count, 0);
  return [...answers].filter(([, count]) => count >= shareMin * all).map(([key]) => key);
}

/** The segment that began when an instrument went; null if none did. */
function withoutGone(current: Draft, index: number): Draft | null {
  const gone = [...current.lastSeen].filter(([, last]) => index - last >= goneDays);
  if (gone.length === 0) return null;
  // Gone in the first days of the segment: the old instrument on the day of the change, which made the seam already.
  const inTransition = gone.filter(([, last]) => last - current.start < settlingDays);
  for (const [key] of inTransition) current.lastSeen.delete(key);
  if (inTransition.length === gone.length) return null;
  const before = [...current.lastSeen.keys()];
  const start = Math.max(...gone.map(([, last]) => last)) + 1;
  const rest = [...current.lastSeen].filter(([key]) => !gone.some(([other]) => other === key));
  return { start, before, lastSeen: new Map(rest) };
}
