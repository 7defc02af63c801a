/**
 * What says that an answer is complete, for each form of response: the one table of it, from which the guide's is made. An
 * answer is complete only if its form says so here: a stream that stops without its last event is not, nor is one that ends with
 * a word that nobody knows.
 */

export interface FormOfResponse {
  readonly name: string;
  /** The member whose word says how the answer ended; null if there is none. */
  readonly member: string | null;
  /** What a stream ends with: the types of its last event, or the member itself. */
  readonly lastEvents: readonly string[];
  /** What a whole document without the member is: a few services leave it out. */
  readonly without: "complete" | "unfinished";
  /** What is no answer even if the member says that it is complete, as the guide says it; `""` if there is nothing else. */
  readonly pending: string;
}

export const formsOfResponses = {
  chat: {
    name: "Chat completions",
    member: "finish_reason",
    lastEvents: [],
    without: "complete",
    pending: "text after the last `finish_reason` of a stream",
  },
  responses: {
    name: "Responses API",
    member: "status",
    lastEvents: ["response.completed", "response.done", "response.incomplete", "response.failed", "response.cancelled"],
    without: "complete",
    pending: "a call that the client should run (`function_call`) without a message after it; an unfinished message",
  },
  messages: {
    name: "Messages API",
    member: "stop_reason",
    lastEvents: ["message_stop"],
    without: "complete",
    pending: "a `tool_use` block at the end",
  },
  generateContent: {
    name: "generateContent",
    member: "finishReason",
    lastEvents: [],
    without: "unfinished",
    pending: "text after the last `finishReason` of a stream; a `functionCall` without text after it",
  },
  interactions: {
    name: "Interactions API",
    member: "status",
    lastEvents: ["interaction.completed", "interaction.complete"],
    without: "complete",
    pending: "a `function_call` step at the end",
  },
  conversations: {
    name: "Conversations API",
    member: null,
    lastEvents: ["conversation.response.done"],
    without: "complete",
    pending: "a `function.call` entry without a message after it",
  },
} as const satisfies Record<string, FormOfResponse>;

/** How an answer ended, by the word of any form. */
export type EndingWord = "complete" | "cut" | "filtered" | "refused" | "failed" | "unfinished";

/** The words of all forms, in lower case. Every other word is `unfinished`. */
export const endingWords: Readonly<Record<Exclude<EndingWord, "unfinished">, readonly string[]>> = {
  complete: [
    "stop",
    "completed",
    "complete",
    "end_turn",
    "stop_sequence",
    "eos",
    "eos_token",
    "end",
    "finished",
    "succeeded",
  ],
  cut: [
    "length",
    "max_tokens",
    "max_output_tokens",
    "max_length",
    "model_length",
    "token_limit",
    "truncated",
    "model_context_window_exceeded",
    "context_length_exceeded",
  ],
  filtered: [
    "content_filter",
    "content_filtered",
    "sensitive",
    "safety",
    "recitation",
    "language",
    "blocklist",
    "prohibited_content",
    "spii",
    "model_armor",
    "image_safety",
    "image_prohibited_content",
    "image_recitation",
  ],
  refused: ["refusal"],
  failed: [
    "error",
    "failed",
    "cancelled",
    "canceled",
    "abort",
    "aborted",
    "timeout",
    "network_error",
    "insufficient_system_resource",
    "engine_overloaded",
    "other",
    "malformed_function_call",
    "unexpected_tool_call",
    "too_many_tool_calls",
    "malformed_response",
    "missing_thought_signature",
  ],
};

const byWord = new Map(
  Object.entries(endingWords).flatMap(([ending, words]) => words.map((word) => [word, ending as EndingWord] as const)),
);

export function endingWordOf(word: string): EndingWord {
  return byWord.get(word.toLowerCase()) ?? "unfinished";
}

/**
 * The word that stands if a stream ends with several: one that says that something is missing outweighs one that says that the
 * answer is complete.
 */
export function outweighing(before: string | null, word: string): string {
  return before === null || endingWordOf(before) === "complete" ? word : before;
}

/** The word in a member; null if it is missing or empty. DashScope writes `"null"` as long as it goes on. */
export function wordIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value !== "null" ? value : null;
}

/** What a document says about its end: a word, or that it goes on, or nothing. */
export function statedEnding(
  document: Readonly<Record<string, unknown>>,
  form: FormOfResponse,
): { readonly ending: EndingWord; readonly word: string } {
  const value = form.member === null ? undefined : document[form.member];
  const word = wordIn(value);
  if (word !== null) return { ending: endingWordOf(word), word };
  return { ending: value === undefined ? form.without : "unfinished", word: "" };
}
