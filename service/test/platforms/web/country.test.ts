/** A web page that is asked from a country: what it is told, and through which proxy. */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { countryProxies } from "../../../src/app/config/readers.ts";
import { EgressGuard } from "../../../src/egress/index.ts";
import { contextNeeds } from "../../../src/platforms/web/drive/context-needs.ts";
import { webPlatform } from "../../../src/platforms/index.ts";
import { startCountryProxy } from "../../harness/country-proxy.ts";
import { browserSettings, testPool } from "../../harness/browser.ts";
import { ask, examplePage, platformOf } from "./fixture.ts";

const page = await examplePage();

const proxy = await startCountryProxy();
const settings = { ...browserSettings, countryProxies: countryProxies(proxy.settings) };
const asked = { country: "DE", language: "de-DE", location: { latitude: 48.1, longitude: 11.6 } } as const;

suite("a page that is asked from a country", () => {
  test("sees language, time zone and position of a visitor from there, and comes through its proxy", async (t) => {
    let headers: IncomingHttpHeaders = {};
    const site = createServer((request, response) => {
      headers = request.headers;
      response.writeHead(200, { "content-type": "text/html" }).end("<title>A page</title>");
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    t.after(() => {
      site.closeAllConnections();
      site.close();
    });
    const { port } = site.address() as AddressInfo;
    const loaded = page.loaded();
    const needs = contextNeeds({ ...loaded, recipe: { ...loaded.recipe, entry: `http://127.0.0.1:${port}/` } }, asked);
    const { pool } = testPool(t, { settings });
    const seen = await pool.withContext(new AbortController().signal, needs, async ({ context }) => {
      const tab = await context.newPage();
      await tab.goto(`http://127.0.0.1:${port}/`);
      return tab.evaluate<unknown>(`new Promise((resolve) => navigator.geolocation.getCurrentPosition(({coords}) => resolve({
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: navigator.language,
        at: [coords.latitude, coords.longitude]}), (error) => resolve(error.message)))`);
    });
    assert.deepEqual(seen, { zone: "Europe/Berlin", language: "de-DE", at: [48.1, 11.6] });
    assert.match(headers["accept-language"] ?? "", /^de-DE/);
    assert.ok(proxy.tunnels.includes(`127.0.0.1:${port}`), proxy.tunnels.join());
  });

  test("is answered with the country as region, and what was in force", async (t) => {
    const { pool } = testPool(t, { settings });
    const platform = webPlatform({ code: "example", loaded: page.loaded(), pool, countries: ["DE"], missing: null });
    assert.deepEqual(
      [platform.options.how.country, platform.options.values.country, platform.options.values.location],
      ["native", ["DE"], ["latitude", "longitude"]],
    );
    const outcome = await ask(platform, "Why?", { options: { ...asked, persona: "A nurse", onUnsupported: "ignore" } });
    assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
    assert.equal(outcome.answer.region, "DE");
    assert.deepEqual(outcome.answer.effective, {
      country: { value: "DE", how: "native" },
      language: { value: "de-DE", how: "native" },
      location: { value: { latitude: 48.1, longitude: 11.6 }, how: "native" },
      persona: { value: null, how: "unsupported" },
    });
  });

  test("is asked nothing through the proxy that it could not reach directly", async (t) => {
    const { pool } = testPool(t, { settings, guard: new EgressGuard({}) });
    const before = proxy.tunnels.length;
    const reached = await pool.withContext(
      new AbortController().signal,
      { reach: { hosts: ["127.0.0.1"] }, country: "DE" },
      async ({ context, refused }) => {
        const response = await (await context.newPage()).goto(page.address);
        return [response?.status(), [...refused.values()]];
      },
    );
    assert.deepEqual(reached, [403, ["The host is not a public one."]]);
    assert.equal(proxy.tunnels.length, before);
  });

  test("is not reached if the proxy refuses, and no connection goes past it", async (t) => {
    const wrong = countryProxies(`DE=http://other:word@127.0.0.1:${proxy.port}`);
    const { pool } = testPool(t, { settings: { ...browserSettings, countryProxies: wrong } });
    const asksBefore = page.asked();
    const platform = webPlatform({ code: "example", loaded: page.loaded(), pool, countries: ["DE"], missing: null });
    const outcome = await ask(platform, "Why?", { options: asked });
    assert.ok(outcome.kind === "retryable" || outcome.kind === "permanent", outcome.kind);
    assert.equal(page.asked(), asksBefore);
  });
});

test("without a proxy, a page cannot be asked from a country, but in a language", () => {
  const platform = platformOf(page.loaded(), testPool({ after: () => undefined }).pool);
  const { country, language, location, persona } = platform.options.how;
  assert.deepEqual([country, language, location, persona], ["unsupported", "native", "native", "unsupported"]);
});

for (const [value, why] of [
  ["http://proxy.example", /ISO 3166-1/],
  ["UK=http://proxy.example", /ISO 3166-1/],
  ["DE=socks5://proxy.example:1080", /no http:\/\/ address/],
  ["DE=http://a.example,de=http://b.example", /two proxies for DE/],
] as const)
  test(`${value} is no list of proxies, and the message shows no address`, () => {
    assert.throws(
      () => countryProxies(value),
      (error: Error) => why.test(error.message) && !error.message.includes("b.example"),
    );
  });
