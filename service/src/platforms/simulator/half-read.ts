/**
 * `unread=sources` in a question: the first parsing of the answer leaves out its sources, and a later one does not. So an
 * integration can test `parse_failed`, and a new `revision` when the operator reparses the stored answers.
 */
import type { PlatformAnswer, Outcome, RawAnswer, ReturnedField } from "../platform.ts";

/** The result of the first parsing. */
export function halfRead(answer: PlatformAnswer, unread: readonly ReturnedField[]): PlatformAnswer {
  const lost = new Set(unread);
  return {
    ...answer,
    parts: answer.parts.filter(({ type }) => type === "markdown" || !lost.has(fieldOf[type])),
    sources: lost.has("sources") ? [] : answer.sources,
    reasoning: lost.has("reasoningProcess") ? null : answer.reasoning,
    search: lost.has("searchProcess") ? null : answer.search,
    pageHtml: lost.has("pageHtml") ? null : answer.pageHtml,
    // What the answer did not contain was not lost.
    unreadable: unread.filter((field) => has(answer, field)),
  };
}

function has(answer: PlatformAnswer, field: ReturnedField): boolean {
  switch (field) {
    case "sources":
      return answer.sources.length > 0;
    case "reasoningProcess":
      return answer.reasoning !== null;
    case "searchProcess":
      return answer.search !== null;
    case "pageHtml":
      return answer.pageHtml !== null;
    case "products":
    case "videos":
    case "media":
      return answer.parts.some(({ type }) => type !== "markdown" && fieldOf[type] === field);
  }
}

const fieldOf = { product: "products", video: "videos", media: "media" } as const;

const mediaType = "application/vnd.querent.simulated+json";

/** The whole answer as the simulator's original bytes. */
export const rawOf = (answer: PlatformAnswer): RawAnswer => ({ mediaType, body: JSON.stringify(answer) });

/** The result of a later parsing: everything. */
export function readWhole(raw: RawAnswer, observedAt: Date): Outcome {
  if (raw.mediaType !== mediaType) {
    const message = "The stored response is not from the simulator.";
    return { kind: "permanent", code: "platform_bad_response", stage: "parse", message, platformStatus: null };
  }
  // Only written by `rawOf`.
  const answer = JSON.parse(raw.body) as Omit<PlatformAnswer, "observedAt">;
  return { kind: "answered", answer: { ...answer, observedAt }, raw, consumption: null };
}
