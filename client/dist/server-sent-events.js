import { readLines } from "./read-body.js";
/** Parses server-sent events as specified in the HTML standard. Incomplete events are discarded. */
export async function* serverSentEvents(chunks, eventBytesMax) {
  let id = "";
  let retryMs = null;
  let data = [];
  let event = "";
  let more = {};
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
function fieldOf(line) {
  const colon = line.indexOf(":");
  if (colon === -1) return { name: line, value: "" };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
