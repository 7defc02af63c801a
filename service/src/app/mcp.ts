import { AccountSemaphore } from "../api/account-semaphore.ts";
import type { McpDeps } from "../http/index.ts";
import type { Parts } from "./parts.ts";
import { version } from "./version.ts";

/** What answers assistants at `/mcp`; null if the operator has switched it off. */
export function mcpDeps({ config, ownAddress }: Parts): McpDeps | null {
  if (config.mcp === "off") return null;
  const mayAsk = config.mcp === "ask";
  // Loaded with the first request: it takes a third of a second.
  const loaded = once(async () => {
    const [{ httpHandler }, { Querent }] = await Promise.all([import("@querent/mcp"), import("@querent/client")]);
    return { answer: httpHandler({ version, mayAsk }), Querent };
  });
  return {
    handle: async (request, body, { caller, streams, token, fetch }) => {
      const { answer, Querent } = await loaded();
      // The address is never used: `fetch` stays in this process.
      const querent = new Querent({ url: "http://127.0.0.1", token, fetch, maxRetries: 0 });
      return answer(request, body, { querent, scopes: caller.scopes, streams });
    },
    origins: () => originsOf(config.publicUrl, ownAddress.url),
    inProgress: new AccountSemaphore({
      what: "requests of assistants",
      perAccount: 16,
      inAll: 128,
      waitMs: 10_000,
      waitingMax: 100,
    }),
  };
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => (loading ??= load());
}

/** The service's own address by its public name, and by those of this machine. */
function originsOf(publicUrl: string | null, ownUrl: string | null): string[] {
  const own = ownUrl === null ? [] : [ownUrl, ...["localhost", "127.0.0.1"].map((name) => withHost(ownUrl, name))];
  return [...(publicUrl === null ? [] : [publicUrl]), ...own].map((url) => new URL(url).origin);
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href;
}
