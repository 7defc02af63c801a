/** The example page behind a sign-in that changes with every visit: a cookie, and a token in IndexedDB. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { startAssistantPage } from "../../src/platforms/web/assistant-page/server.mjs";

const readToken = `<script>
const opening = indexedDB.open("auth", 1);
opening.onupgradeneeded = () => opening.result.createObjectStore("tokens");
opening.onsuccess = () => {
  const store = opening.result.transaction("tokens", "readwrite").objectStore("tokens");
  const reading = store.get("refresh");
  reading.onsuccess = () => {
    if (reading.result === undefined) document.body.insertAdjacentHTML("beforeend", '<div class="overlay login">No token</div>');
    else store.put(reading.result + 1, "refresh");
  };
};
</script>`;
const signIn = `<div class="overlay login">Your session has ended</div>`;

export interface SignedInPage {
  readonly address: string;
  /** The number of the cookie that is valid next, by account. */
  readonly valid: Map<string, number>;
  /** How often each account opened it, signed in. */
  readonly visits: Map<string, number>;
  /** A session of an account, as it is after signing in. */
  signIn(account: string): string;
}

export async function signedInPage(): Promise<SignedInPage> {
  const inner = await startAssistantPage({ port: 0 });
  const valid = new Map<string, number>();
  const visits = new Map<string, number>();
  const site = createServer((request, response) => {
    if (request.url !== "/") {
      void pass(inner.address, request.url ?? "", request, response);
      return;
    }
    const [, account = "", number = ""] = /login=([a-z]+)-(\d+)/.exec(request.headers.cookie ?? "") ?? [];
    const isSignedIn = valid.get(account) === Number(number);
    if (isSignedIn) {
      valid.set(account, Number(number) + 1);
      visits.set(account, (visits.get(account) ?? 0) + 1);
      response.setHeader("set-cookie", `login=${account}-${Number(number) + 1}; Path=/; Max-Age=86400`);
    }
    void fetch(inner.address)
      .then((page) => page.text())
      .then((html) =>
        response
          .setHeader("content-type", "text/html; charset=utf-8")
          .end(html.replace("</body>", `${isSignedIn ? readToken : signIn}</body>`)),
      );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  after(async () => {
    site.closeAllConnections();
    site.close();
    await inner.close();
  });
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  return {
    address: `${origin}/`,
    valid,
    visits,
    signIn(account) {
      const number = (valid.get(account) ?? 0) + 100;
      valid.set(account, number);
      const token = { name: "tokens", autoIncrement: false, records: [{ key: "refresh", value: 1 }], indexes: [] };
      return JSON.stringify({
        cookies: [
          {
            ...{ name: "login", value: `${account}-${number}`, domain: "127.0.0.1", path: "/", expires: -1 },
            ...{ httpOnly: false, secure: false, sameSite: "Lax" },
          },
        ],
        origins: [{ origin, localStorage: [], indexedDB: [{ name: "auth", version: 1, stores: [token] }] }],
      });
    },
  };
}

async function pass(
  address: string,
  path: string,
  request: AsyncIterable<Buffer> & { method?: string | undefined },
  response: import("node:http").ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const reply = await fetch(new URL(path, address), {
    method: request.method ?? "GET",
    ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
  });
  response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
  response.end(Buffer.from(await reply.arrayBuffer()));
}
