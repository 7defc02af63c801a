/**
 * The regular expressions of recipes. Pages choose the texts that these are applied to, and for a text of its choice an expression that
 * looks harmless takes years. JavaScript has no other expressions, so a search is ended when its time is over.
 */
import { createContext, Script } from "node:vm";
import { Stopped } from "./stopped.ts";

/** A search is ended after this processor time, and a millisecond more for each of these characters. Those of recipes take microseconds. */
const searchMsMax = 20;
const charsPerMs = 20_000;
/** A search that was ended is not tried again for so many times its duration, whatever text is next: it takes a fiftieth of the thread. */
const restTimes = 50;
const rememberedMax = 1_000;

interface Known {
  readonly expression: RegExp;
  restUntil: number;
}

const known = new Map<string, Known>();
const place = createContext(Object.assign(Object.create(null) as object, { expression: /x/, text: "" }));
const search = new Script("expression.exec(text)");

/** The first match. Throws `Stopped` if the search takes too long, so that the run ends and says why. */
export function firstMatch(source: string, flags: "u" | "iu" | "su", text: string): RegExpExecArray | null {
  const found = matchWithin(source, flags, text);
  if (found !== tooLong) return found;
  throw new Stopped(
    "platform_bad_response",
    `The page has a text for which the recipe's expression ${source.slice(0, 100)} takes too long. Write it without repetitions within repetitions.`,
  );
}

/** The first match; null also if the search takes too long. */
export function firstMatchOrNull(source: string, flags: "u" | "iu" | "su", text: string): RegExpExecArray | null {
  const found = matchWithin(source, flags, text);
  return found === tooLong ? null : found;
}

const tooLong = Symbol("too long");

function matchWithin(source: string, flags: "u" | "iu" | "su", text: string): RegExpExecArray | null | typeof tooLong {
  const one = knownOf(source, flags);
  if (one.restUntil > performance.now()) return tooLong;
  const timeMax = Math.ceil(searchMsMax + text.length / charsPerMs);
  const before = process.threadCpuUsage();
  // One search at a time: nothing else runs while it does.
  Object.assign(place, { expression: one.expression, text });
  try {
    for (;;) {
      try {
        return search.runInContext(place, { timeout: timeMax }) as RegExpExecArray | null;
      } catch (error) {
        if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
      // The time limit is by the clock. On a busy machine the thread may have waited for a processor: then the search gets another try.
      const { user, system } = process.threadCpuUsage(before);
      const usedMs = (user + system) / 1000;
      if (usedMs < timeMax) continue;
      one.restUntil = performance.now() + usedMs * restTimes;
      return tooLong;
    }
  } finally {
    Object.assign(place, { text: "" });
  }
}

function knownOf(source: string, flags: string): Known {
  const key = `${flags} ${source}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= rememberedMax) known.clear();
  const one = { expression: new RegExp(source, flags), restUntil: 0 };
  known.set(key, one);
  return one;
}
