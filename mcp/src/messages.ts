/** JSON-RPC messages, as clients of all revisions of the protocol send them. */

export type MessageObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is MessageObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The message without parameters that are null: many serializers write null for what is not set. No parameter of the protocol and no
 * argument of a tool has a meaning when it is null.
 */
export function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !("method" in message) || !("params" in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params)) return message;
  const kept = membersOf(params);
  const args = kept["arguments"];
  return { ...rest, params: isObject(args) ? { ...kept, arguments: membersOf(args) } : kept };
}

const membersOf = (object: MessageObject): MessageObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
