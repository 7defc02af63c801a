import type { SubmittedOptions, TaskOptions } from "@querent/client";
import type { Row } from "./read-rows.ts";

export interface Choices {
  readonly platforms: readonly string[];
  readonly deepAnalysis: boolean;
  readonly output: TaskOptions["output"];
  readonly resultFormat: TaskOptions["resultFormat"];
  readonly tags: readonly string[];
  /** From where, as whom and with what is asked: every question once with each of these, of which there is at least one. */
  readonly askedAs: readonly SubmittedOptions[];
}

export interface PlannedItem {
  /** Where it came from, for telling what is wrong with it. */
  readonly line: number;
  readonly item: Readonly<Record<string, unknown>>;
}

/** Rows times platforms times countries. A row that names its platform is for that one alone; what a row says of itself goes before the choices. */
export function planItems(rows: readonly Row[], { platforms, tags, askedAs, ...options }: Choices): PlannedItem[] {
  return rows.flatMap((row) => {
    if ("fault" in row) return [];
    const own = isRecord(row.members["options"]) ? row.members["options"] : {};
    const codes = "platformCode" in row.members ? [row.members["platformCode"]] : platforms;
    // A row with a country of its own is asked from there alone.
    const places = "country" in own ? askedAs.slice(0, 1) : askedAs;
    return codes.flatMap((platformCode) =>
      places.map((place) => ({
        line: row.line,
        item: {
          ...(tags.length === 0 ? {} : { tags }),
          ...row.members,
          platformCode,
          options:
            "options" in row.members && !isRecord(row.members["options"])
              ? row.members["options"]
              : { ...options, ...place, ...own },
        },
      })),
    );
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The number of questions of one submission. The service may be set to take fewer, and then says so. */
export const chunkItemsMax = 1000;
/** Below the service's 16 MiB for a body, in UTF-16 units: one may be up to three bytes. */
const chunkCharsMax = 5_000_000;

/** The items as bodies of submissions. */
export function chunksOf(items: readonly PlannedItem[]): { body: string; items: readonly PlannedItem[] }[] {
  const chunks: { body: string; items: PlannedItem[] }[] = [];
  let texts: string[] = [];
  let members: PlannedItem[] = [];
  let chars = 0;
  const close = () => {
    if (members.length > 0) chunks.push({ body: `[${texts.join(",")}]`, items: members });
    [texts, members, chars] = [[], [], 0];
  };
  for (const planned of items) {
    const text = JSON.stringify(planned.item);
    if (members.length === chunkItemsMax || chars + text.length > chunkCharsMax) close();
    texts.push(text);
    members.push(planned);
    chars += text.length;
  }
  close();
  return chunks;
}
