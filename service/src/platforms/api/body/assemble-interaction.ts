import type { Assembled } from "./assembled.ts";
import { formsOfResponses } from "./endings.ts";
import { isObject, list, number, object, parsedObject, string, type JsonObject } from "./json.ts";

/** Events of Gemini's Interactions API: steps that start, grow by deltas, and end. */
export function assembleInteraction(events: readonly JsonObject[]): Assembled {
  let document: JsonObject = { object: "interaction" };
  let complete = false;
  const steps = new Map<number, Record<string, unknown>>();
  const written = new Map<number, string>();
  for (const event of events) {
    const index = number(event["index"]) ?? 0;
    switch (event["event_type"]) {
      case "step.start":
        steps.set(index, { ...object(event["step"]) });
        break;
      case "step.delta": {
        const step = steps.get(index) ?? {};
        steps.set(index, step);
        const delta = object(event["delta"]);
        if (delta["type"] === "arguments_delta")
          written.set(index, (written.get(index) ?? "") + string(delta["arguments"]));
        else grow(step, delta);
        break;
      }
      case "error":
        document = { ...document, error: object(event["error"]) };
        complete = true;
        break;
      default:
        document = { ...document, ...object(event["interaction"]) };
        complete ||= ends.has(string(event["event_type"]));
    }
  }
  for (const [index, json] of written) {
    const step = steps.get(index);
    if (step !== undefined) step["arguments"] = parsedObject(json);
  }
  const inOrder = [...steps].sort(([a], [b]) => a - b).map(([, step]) => step);
  return { document: { ...document, steps: inOrder }, complete };
}

const ends = new Set<string>(formsOfResponses.interactions.lastEvents);

function grow(step: Record<string, unknown>, delta: JsonObject): void {
  const type = string(delta["type"]);
  if (type === "text") {
    const text = textOf(step);
    text["text"] = string(text["text"]) + string(delta["text"]);
  } else if (type.startsWith("text_annotation")) {
    const text = textOf(step);
    for (const annotation of list(delta["annotations"])) own(text, "annotations").push(annotation);
  } else if (type === "thought_summary") {
    own(step, "summary").push(delta["content"]);
  } else {
    const { type: _type, ...members } = delta;
    Object.assign(step, members);
  }
}

/** A list member that can be appended to. The document was parsed for us alone, so it may be modified. */
function own(holder: Record<string, unknown>, member: string): unknown[] {
  const known: unknown[] = Array.isArray(holder[member]) ? holder[member] : [];
  holder[member] = known;
  return known;
}

/** The single text of a step that grows. */
function textOf(step: Record<string, unknown>): Record<string, unknown> {
  const content = own(step, "content");
  const last = content.at(-1) as Record<string, unknown> | undefined;
  if (isObject(last) && last["type"] === "text") return last;
  const text: Record<string, unknown> = { type: "text", text: "" };
  content.push(text);
  return text;
}
