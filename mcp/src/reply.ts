import { QuerentError } from "@querent/client";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** What a tool returns: for programs as `structured`, and for models as text, by default the same as JSON. */
export async function reply<Structured extends Record<string, unknown>>(
  read: () => Promise<Structured>,
  textOf: (structured: Structured) => string = JSON.stringify,
): Promise<CallToolResult> {
  try {
    const structuredContent = await read();
    return { content: [{ type: "text", text: textOf(structuredContent) }], structuredContent };
  } catch (error) {
    // Errors of the service are returned to the model. Other errors are reported by the protocol.
    if (!(error instanceof QuerentError)) throw error;
    return { isError: true, content: [{ type: "text", text: error.message }] };
  }
}

/** As received, JSON: without members that are undefined. The service validates the values. */
export const definedIn = <Members extends object>(members: Members): Given<Members> =>
  JSON.parse(JSON.stringify(members)) as Given<Members>;

type Given<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> };
