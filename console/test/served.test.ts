/** What the service serves below `/console`: one page, its files and its policy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { startTestService } from "../../service/test/harness/service.ts";
import { buildConsole } from "../build/build-console.ts";

/** Script that may be loaded before the first view is there, compressed with gzip. */
const firstLoadBytesMax = 60 * 1024;

const service = await startTestService();
const get = (path: string, encoding = "identity") =>
  fetch(`${service.address}${path}`, { headers: { "accept-encoding": encoding } });

test("every address below /console answers with the one page, which forbids scripts and styles of its own", async () => {
  for (const path of ["/console", "/console/", "/console/tasks/01a1fe2b-2faa-7230-b56a-51692740303c?part=json"]) {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(response.headers.get("cache-control"), "no-cache");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; .*connect-src 'self'/);
    assert.doesNotMatch(policy, /unsafe/);
    const html = await response.text();
    assert.doesNotMatch(html, /<style|<script(?! type="module" src=)| style=| on\w+=/i);
    for (const [, address] of html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g))
      assert.match(address ?? "", /^\/console\/assets\//);
  }
});

test("its files never change, and what is not there is not answered with the page", async () => {
  const html = await (await get("/console")).text();
  const addresses = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
    ([, address]) => address ?? "",
  );
  assert.ok(addresses.length >= 3);
  for (const address of addresses) {
    const response = await get(address);
    assert.equal(response.status, 200, address);
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(response.headers.get("content-encoding"), null);
  }
  assert.equal((await get("/console/assets/main-AAAAAAAA.js")).status, 404);
  assert.equal((await get("/console/assets/../../../package.json")).status, 404);
});

test("a client gets the same bytes in the best encoding that it takes", async () => {
  const { firstLoad } = await buildConsole("/console");
  // The viewer of the reference is not built into the page, and is the largest file.
  for (const path of [`/console/${firstLoad[0] ?? ""}`, "/docs/viewer.js", "/openapi.json"]) {
    const plain = Buffer.from(await (await get(path)).arrayBuffer());
    const encodings = {
      "gzip, deflate, br": "br",
      "gzip, deflate": "gzip",
      "br;q=0, gzip": "gzip",
      "gzip;q=0, br;q=0.0": null,
      "gzip;q=0.5": "gzip",
      deflate: null,
    };
    for (const [accepted, used] of Object.entries(encodings)) {
      const response = await get(path, accepted);
      assert.equal(response.headers.get("content-encoding"), used, `${path}: ${accepted}`);
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
      // fetch has decompressed it.
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), plain);
    }
  }
});

test("the service's own address leads a browser to the console, and a program to the reference", async () => {
  const at = async (accept: string) => {
    const response = await fetch(service.address, { headers: { accept }, redirect: "manual" });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("vary"), "Accept");
    return response.headers.get("location");
  };
  assert.equal(await at("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), "/console");
  assert.equal(await at("*/*"), "/docs");
  assert.equal(await at("application/json"), "/docs");
});

test("two processes build the same files, so either may answer for the other", async () => {
  const one = await buildConsole("/console");
  const other = await buildConsole("/console");
  assert.deepEqual([...one.assets.keys()].sort(), [...other.assets.keys()].sort());
  assert.deepEqual(one.index.body, other.index.body);
  for (const { body, brotli } of one.assets.values())
    if (brotli !== null) assert.deepEqual(brotliDecompressSync(brotli), body);
});

test("the first view loads at most 60 kB of script", async (t) => {
  const { firstLoad, assets } = await buildConsole("/console");
  const scripts = firstLoad.flatMap((path) =>
    path.endsWith(".js") ? [assets.get(path)?.body ?? Buffer.alloc(0)] : [],
  );
  assert.ok(scripts.length > 0);
  const bytes = scripts.reduce((sum, body) => sum + gzipSync(body).length, 0);
  t.diagnostic(`${(bytes / 1024).toFixed(1)} kB`);
  assert.ok(bytes <= firstLoadBytesMax, `${bytes} bytes`);
});

test("all styles are one file, so a view that is loaded later changes the order of none", async () => {
  const { assets, index } = await buildConsole("/console");
  const styles = [...assets.keys()].filter((path) => path.endsWith(".css"));
  assert.equal(styles.length, 1);
  assert.ok(index.body.toString().includes(`href="/console/${styles[0]}"`));
  assert.match(assets.get(styles[0] ?? "")?.body.toString() ?? "", /^.*@font-face[^]*:root/);
});
