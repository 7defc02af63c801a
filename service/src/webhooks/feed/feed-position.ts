import { decodeCursor, encodeCursor } from "../../api/cursor.ts";

/** An event as a cursor names it. */
export interface EventMark {
  readonly number: number;
  /** The last 12 digits of its delivery id, which are random. Null in cursors of version 0.1: only the number is known. */
  readonly identity: string | null;
}

/** A position in the feed: the last event that was read. The number 0 is the position before the first event. */
export interface FeedPosition extends EventMark {
  /**
   * Events before it, the latest first. If the last event no longer exists because the database lost its latest changes, the
   * first of these that does is where reading must continue.
   */
  readonly earlier: readonly EventMark[];
}

export const startOfFeed: FeedPosition = { number: 0, identity: null, earlier: [] };

/**
 * How far before an event the earlier ones of its position are. A reader that must go back reads at most about 32 times as many
 * numbers again as were lost, or the whole retained history.
 */
export const earlierDistances = [256, 8_192, 262_144, 8_388_608] as const;

const identityDigits = 12;
const mark = `[1-9a-z][0-9a-z]{0,9}-[0-9a-f]{${identityDigits}}`;
/** Version 0.1: the number. Since then: the event and the earlier ones. */
const pattern = new RegExp(`^(0|[1-9]\\d{0,14}|${mark}(\\.${mark}){0,${earlierDistances.length}})$`);

export function writeCursor({ number, identity, earlier }: FeedPosition): string {
  if (identity === null) return encodeCursor(String(number));
  return encodeCursor([{ number, identity }, ...earlier].map(writeMark).join("."));
}

export function readCursor(cursor: string): FeedPosition {
  const text = decodeCursor(cursor, pattern, "after");
  if (!text.includes("-")) return { number: Number(text), identity: null, earlier: [] };
  const [last = startOfFeed, ...earlier] = text.split(".").map(readMark);
  return { ...last, earlier };
}

export const identityOf = (deliveryId: string): string => deliveryId.slice(-identityDigits);

/** True if the event with this number and id is the one that the mark names, as far as it says. */
export const isSameEvent = (one: EventMark, number: number, deliveryId: string): boolean =>
  one.number === number && (one.identity === null || one.identity === identityOf(deliveryId));

const writeMark = ({ number, identity }: EventMark): string => `${number.toString(36)}-${identity}`;

function readMark(text: string): EventMark {
  const [number = "", identity = ""] = text.split("-");
  return { number: Number.parseInt(number, 36), identity };
}
