import { readLines } from "./read-body.ts";

export interface ServerSentEvent {
  /** The last event id, as defined by the standard. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
  /** Fields that are not in the standard. */
  readonly more: Readonly<Record<string, string>>;
  /** The delay that the service requests before reconnecting. */
  readonly retryMs: number | null;
}

/** Parses server-sent events as specified in the HTML standard. Incomplete events are discarded. */
export async function* serverSentEvents(
  chunks: AsyncIterable<Uint8Array>,
  eventBytesMax: number,
): AsyncGenerator<ServerSentEvent, void, void> {
  let id = "";
  let retryMs: number | null = null;
  let data: string[] = [];
  let event = "";
  let more: Record<string, string> = {};
  for await (const { line, isWhole } of readLines(chunks, { bytesMax: eventBytesMax, loneReturns: true })) {
    if (!isWhole) return;
    if (line === "") {
      if (data.length > 0) yield { id, event: event === "" ? "message" : event, data: data.join("\n"), more, retryMs };
      data = [];
      event = "";
      more = {};
      continue;
    }
    const { name, value } = fieldOf(line);
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id") id = value.includes("\0") ? id : value;
    else if (name === "retry") retryMs = /^\d{1,9}$/.test(value) ? Number(value) : retryMs;
    else if (name !== "") more[name] = value;
  }
}

/** A comment has an empty name. */
function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { name: line, value: "" };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
