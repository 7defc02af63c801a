/** The same response as a stream of events, as the vendor of its form would send it. */
type Json = Record<string, unknown>;

export function asStream(body: string): string {
  const document = JSON.parse(body) as Json;
  if (Array.isArray(document["choices"])) return chatStream(document);
  if (document["type"] === "message") return messageStream(document);
  return responseStream(document);
}

/** Two pieces of a text, as the deltas of a stream bring it. */
function halves(text: unknown): string[] {
  const written = typeof text === "string" ? text : "";
  const middle = Math.ceil(written.length / 2);
  return [written.slice(0, middle), written.slice(middle)].filter((piece) => piece !== "");
}

function events(documents: readonly Json[], named: boolean): string {
  return documents
    .map((document) => `${named ? `event: ${String(document["type"])}\n` : ""}data: ${JSON.stringify(document)}\n\n`)
    .join("");
}

function chatStream({ choices, usage, ...about }: Json): string {
  const { message, finish_reason: finish } = (choices as Json[])[0] as { message: Json; finish_reason: unknown };
  const chunk = (delta: Json, finish_reason: unknown = null) => ({
    ...about,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = ((message["tool_calls"] ?? []) as Json[]).flatMap((call) => {
    const made = call["function"] as Json;
    const [first = "", ...rest] = halves(made["arguments"]);
    return [
      { ...call, function: { ...made, arguments: first } },
      ...rest.map((piece) => ({ index: call["index"], function: { arguments: piece } })),
    ].map((one) => ({ role: "assistant", tool_calls: [one] }));
  });
  return `${events(
    [
      chunk({ role: "assistant", content: "" }),
      ...halves(message["reasoning_content"]).map((piece) => chunk({ role: "assistant", reasoning_content: piece })),
      ...halves(message["content"]).map((piece) => chunk({ role: "assistant", content: piece })),
      ...calls.map((delta) => chunk(delta)),
      { ...chunk({}, finish), usage },
    ],
    false,
  )}data: [DONE]\n\n`;
}

function messageStream({ content, stop_reason, stop_sequence, usage, ...about }: Json): string {
  const blocks = (content as Json[]).flatMap((block, index) => {
    const delta = (given: Json) => ({ type: "content_block_delta", index, delta: given });
    const [empty, deltas] = grown(block);
    return [
      { type: "content_block_start", index, content_block: empty },
      ...deltas.map(delta),
      { type: "content_block_stop", index },
    ];
  });
  const start = { type: "message_start", message: { ...about, content: [], stop_reason: null, usage: {} } };
  return events(
    [
      start,
      ...blocks,
      { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
      { type: "message_stop" },
    ],
    true,
  );
}

/** A block as it starts, and the deltas that fill it. */
function grown(block: Json): [Json, Json[]] {
  switch (block["type"]) {
    case "text":
      return [
        { type: "text", text: "" },
        [
          ...((block["citations"] ?? []) as Json[]).map((citation) => ({ type: "citations_delta", citation })),
          ...halves(block["text"]).map((text) => ({ type: "text_delta", text })),
        ],
      ];
    case "thinking":
      return [
        { type: "thinking", thinking: "", signature: "" },
        [
          ...halves(block["thinking"]).map((thinking) => ({ type: "thinking_delta", thinking })),
          ...halves(block["signature"]).map((signature) => ({ type: "signature_delta", signature })),
        ],
      ];
    case "server_tool_use":
      return [
        { ...block, input: {} },
        halves(JSON.stringify(block["input"])).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      ];
    default:
      return [block, []];
  }
}

function responseStream(document: Json): string {
  const items = (document["output"] as Json[]).map((item, index) => ({
    type: "response.output_item.done",
    output_index: index,
    item,
  }));
  const created = { ...document, status: "in_progress", output: [] };
  const { status } = document;
  const type = `response.${typeof status === "string" ? status : "completed"}`;
  return events([{ type: "response.created", response: created }, ...items, { type, response: document }], true);
}
