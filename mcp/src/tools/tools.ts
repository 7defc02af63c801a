import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Querent } from "@querent/client";
import type { ToolArguments } from "../tool-table.ts";

/** What the tools of one server may do. */
export interface Tools {
  readonly querent: Querent;
  /** Whether the token may use operations with this scope. */
  readonly allows: (scope: string) => boolean;
  /** Whether the tool that costs points is offered. */
  readonly mayAsk: boolean;
  /** The longest that the tool `ask` waits for answers. */
  readonly waitSecondsMax: number;
}

export type ToolName = keyof ToolArguments;
/** Answers a call of a tool. */
export type ToolAnswer<Name extends ToolName> = (
  tools: Tools,
  input: ToolArguments[Name],
  signal: AbortSignal,
) => Promise<CallToolResult>;
