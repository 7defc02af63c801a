/** The methods of each path, and what is said to the others. */
import assert from "node:assert/strict";
import { Agent, METHODS, request } from "node:http";
import { test } from "node:test";
import { api } from "@querent/contract";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();

/** A connection is kept until the reply has been read. */
const agent = new Agent({ keepAlive: true });

/** Its path, with `x` for each parameter, and the methods of all operations at that path. */
const paths = Map.groupBy(api.operations, ({ path }) => path.replaceAll(/\{\w+\}/g, "x"));

test("every path refuses every method that it does not have, and names those that it has, before the body is read", async () => {
  assert.ok(paths.size > 50);
  for (const [path, here] of paths) {
    const allowed = new Set(here.map(({ method }): string => method));
    if (allowed.has("GET")) allowed.add("HEAD");
    // Those that another path may have always, and each of the others somewhere.
    const other = METHODS[(path.length * 7) % METHODS.length] ?? "";
    for (const method of new Set(["GET", "POST", "DELETE", other])) {
      if (allowed.has(method) || method === "CONNECT") continue;
      const { status, allow, body } = await call(method, path);
      if (method !== "HEAD") assert.match(body, /"code":"method_not_allowed"/, `${method} ${path}`);
      assert.equal(status, 405, `${method} ${path}`);
      assert.deepEqual(new Set(allow?.split(", ")), allowed, path);
    }
  }
});

test("a path that there is not has no methods", async () => {
  for (const path of ["/v1/nothing", "/v1/tasks/x/y/z", "/s", "//", "/s/%2e%2e/x"])
    for (const method of ["GET", "PUT", "PROPFIND"]) {
      const { status, allow } = await call(method, path);
      assert.deepEqual([status, allow], [404, undefined], `${method} ${path}`);
    }
});

test("a method that a path does not have counts for no operation, also where another path has it", async () => {
  const account = await service.account();
  const countOf = async (operation: string) => {
    const { text } = await account.get("/metrics");
    const found = new RegExp(
      `^querent_http_request_seconds_count\\{operation="${operation}",status="405"\\} (\\d+)`,
      "m",
    );
    return Number(found.exec(text)?.[1] ?? 0);
  };
  const before = await countOf("none");
  // There is GET /v1/tasks/{taskId}.
  await call("GET", "/v1/tasks/batch");
  await until("the request to be counted", async () => (await countOf("none")) > before);
  assert.equal(await countOf("getTask"), 0);
});

test("the log has no address of a page that needs no token, whatever the method", async () => {
  const secret = "unguessable-part-of-the-address";
  const logged = () => service.events.filter((event) => event.event === "http.request" && event.path === "/r/{token}");
  const before = logged().length;
  for (const method of ["GET", "PUT", "OPTIONS"])
    for (const page of ["s", "r", "screenshots"]) await call(method, `/${page}/${secret}`);
  await until("the requests to be logged", () => logged().length === before + 3);
  assert.doesNotMatch(JSON.stringify(service.events), new RegExp(secret));
});

/** A request with the beginning of a body, the rest of which never comes. */
function call(method: string, path: string) {
  return new Promise<{ status: number | undefined; allow: string | undefined; body: string }>((resolve, reject) => {
    const outgoing = request(`${service.address}${path}`, {
      method,
      agent,
      headers: method === "GET" ? {} : { "content-length": 100 },
    });
    outgoing.once("error", reject).once("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => (body += part));
      response.once("end", () => {
        outgoing.destroy();
        resolve({ status: response.statusCode, allow: response.headers.allow, body });
      });
    });
    if (method === "GET") outgoing.end();
    else outgoing.write("{");
  });
}
