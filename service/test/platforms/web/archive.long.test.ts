/** The web archive of a page: valid, replays as the page looked, and holds no secret of the session. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { WARCParser } from "warcio";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { archiveOf } from "../../../src/platforms/web/drive/take-evidence.ts";
import { readZip } from "../../../../evidence/src/read-zip.ts";
import { testPool } from "../../harness/browser.ts";
import { ask, platformOf, servePage } from "./fixture.ts";

const { pool } = testPool({ after });

/** What must be in no archive, wherever the page puts it. */
const secrets = {
  cookie: "c00kie-of-the-session+/=%26",
  set: "s3t-while-it-answered-91",
  bearer: "b3arer-of-the-session-77",
  member: "m3mber-access-0123456789",
  storage: "st0rage-of-the-page",
  parameter: "p4rameter-of-an-address",
  header: "h3ader-of-a-response-5",
  callback: "c4llback-of-an-address",
};

const html = `<!doctype html><meta charset="utf-8"><title>An assistant</title>
<link rel="stylesheet" href="/look.css"><img src="/paper.svg?token=${secrets.parameter}" width="50" height="50" alt="">
<main></main><form><textarea></textarea><button class="send">Send</button></form>
<script>
  localStorage.setItem("refreshToken", "${secrets.storage}");
  document.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const { accessToken } = await (await fetch("/session")).json();
    const headers = { authorization: "Bearer ${secrets.bearer}", "content-type": "application/json", "x-csrf-token": accessToken };
    const body = JSON.stringify({ question: document.querySelector("textarea").value, cookie: document.cookie });
    document.querySelector("textarea").value = "";
    const answer = await fetch("/answer", { method: "POST", headers, body });
    let text = "";
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) text += piece;
    const turn = document.createElement("div");
    turn.className = "turn";
    turn.innerHTML = "<div class=text><p>" + text + "</p></div><i class=done>·</i><p hidden>${Object.values(secrets).join(" ")}</p>";
    document.querySelector("main").append(turn);
  };
</script>`;

const port = await servePage((request: IncomingMessage, response: ServerResponse) => {
  const path = (request.url ?? "/").split("?", 1)[0];
  if (path === "/look.css")
    response.setHeader("content-type", "text/css").end(".text p { color: rgb(1, 2, 3); font-size: 40px }");
  else if (path === "/paper.svg")
    response
      .setHeader("content-type", "image/svg+xml")
      .end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="#c00"/></svg>',
      );
  else if (path === "/session")
    response
      .writeHead(200, {
        "content-type": "application/json",
        "set-cookie": [
          `turn=${secrets.set}; HttpOnly`,
          // As common libraries for signing in set it.
          `auth.callback-url=${encodeURIComponent(`http://${request.headers.host ?? ""}/?token=${secrets.callback}`)}; HttpOnly`,
          `auth.origin=${encodeURIComponent(`http://${request.headers.host ?? ""}`)}; HttpOnly`,
        ],
        "x-auth-token": secrets.header,
      })
      .end(JSON.stringify({ accessToken: secrets.member, echo: request.headers.cookie }));
  else if (path === "/answer")
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("Schöne ");
      setTimeout(() => response.end("Grüße."), 50);
    });
  else
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", "set-cookie": `session=${secrets.cookie}` })
      .end(html);
});
const entry = `http://127.0.0.1:${port}/`;
const recipe = parseRecipe(`recipe: 1
name: A page with secrets
version: 1
verified: true
entry: ${entry}
composer: { input: textarea, submit: { click: button.send }, timeoutSeconds: 120 }
turn: { each: .turn, text: .text }
complete: { done: .done }
`);
const loaded = { recipe, sha256: "0".repeat(64), storageState: null, file: "" };

const outcome = await ask(platformOf(loaded, pool, { evidence: ["archive", "picture"] }), "Was sagst du?");
assert.equal(outcome.kind, "answered");
const captured = new Map(outcome.captures?.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
const wacz = captured.get("page.wacz");
assert.ok(wacz !== undefined, "the answer has an archive");
assert.deepEqual(outcome.evidence, [
  { kind: "picture", capture: "page.png" },
  { kind: "archive", capture: "page.wacz" },
]);
const { files } = readZip(wacz);
const file = (name: string) => files.get(name) ?? assert.fail(`no ${name}`);

interface Indexed {
  url: string;
  mime: string;
  status?: string;
  method?: string;
  offset: string;
  length: string;
}

const index = String(file("indexes/index.cdx"))
  .trim()
  .split("\n")
  .map((line) => {
    const [key = "", time = "", ...rest] = line.split(" ");
    return { key, time, ...(JSON.parse(rest.join(" ")) as Indexed) };
  });

/** The record at a place of the index. */
async function recordAt({ offset, length }: Pick<Indexed, "offset" | "length">) {
  const bytes = file("archive/data.warc.gz").subarray(Number(offset), Number(offset) + Number(length));
  const record = await WARCParser.parse([bytes]);
  assert.ok(record !== null);
  return { record, body: Buffer.from(await record.readFully(true)), block: gunzipSync(bytes) };
}

test("names each of its files with its digest", () => {
  const description = JSON.parse(String(file("datapackage.json"))) as {
    wacz_version: string;
    resources: { path: string; hash: string; bytes: number }[];
  };
  assert.equal(description.wacz_version, "1.1.1");
  assert.deepEqual(description.resources.map(({ path }) => path).toSorted(), [
    "archive/data.warc.gz",
    "indexes/index.cdx",
    "pages/pages.jsonl",
  ]);
  for (const { path, hash, bytes } of description.resources) {
    assert.equal(file(path).byteLength, bytes);
    assert.equal(hash, sha256(file(path)));
  }
  const digest = { path: "datapackage.json", hash: sha256(file("datapackage.json")) };
  assert.deepEqual(JSON.parse(String(file("datapackage-digest.json"))), digest);
});

test("finds each response in its index, with the digest of its content", async () => {
  const seen: string[] = [];
  for (const entry of index) {
    const { record, block } = await recordAt(entry);
    assert.equal(record.warcTargetURI, entry.url);
    const [, content = ""] = /\r\n\r\n(.*)\r\n\r\n$/s.exec(block.toString("latin1")) ?? [];
    const digest = createHash("sha256").update(content, "latin1").digest("hex");
    assert.equal(record.warcBlockDigest, `sha256:${digest}`, entry.url);
    seen.push(`${entry.method ?? "GET"} ${new URL(entry.url).pathname} ${entry.status ?? record.warcType}`);
  }
  for (const expected of ["GET / 200", "GET / resource", "GET /look.css 200", "GET /session 200", "POST /answer 200"])
    assert.ok(seen.includes(expected), `${expected} in ${seen.join(", ")}`);
  const answer = index.find(({ url }) => url.endsWith("/answer"));
  assert.ok(answer !== undefined);
  assert.equal(String((await recordAt(answer)).body), "Schöne Grüße.");
});

test("contains no secret of the session, in any form", async () => {
  const texts = [...files].map(([name, bytes]) => (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  for (const [name, secret] of Object.entries(secrets))
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      for (const text of texts)
        assert.ok(
          !text.includes(form),
          `${name} in ${text.slice(Math.max(0, text.indexOf(form) - 300), text.indexOf(form) + 50)}`,
        );
  assert.doesNotMatch(texts.join("\n"), /^(set-cookie|cookie|authorization|x-csrf-token|x-auth-token):/im);
});

test("replays as the page looked, without the page's server", async () => {
  const lines = String(file("pages/pages.jsonl")).trim().split("\n");
  const [, answered] = lines.map((line) => JSON.parse(line) as { url: string; ts: string; title: string });
  assert.ok(answered !== undefined);
  assert.equal(answered.title, "An assistant");
  const needs = { reach: { hosts: [] }, context: {} };
  const { text, colour, images, picture } = await pool.withContext(
    new AbortController().signal,
    needs,
    async ({ context }) => {
      const page = await context.newPage();
      await replayFrom(page, answered.ts);
      await page.goto(answered.url);
      await page.addStyleTag({ content: "form { visibility: hidden }" });
      return {
        text: await page.locator(".text").innerText(),
        colour: await page.evaluate('getComputedStyle(document.querySelector(".text p")).color'),
        images: await page.evaluate('document.querySelector("img").naturalWidth'),
        picture: await page.screenshot({ fullPage: true, animations: "disabled" }),
      };
    },
  );
  assert.equal(text, "Schöne Grüße.");
  assert.equal(colour, "rgb(1, 2, 3)");
  assert.equal(images, 50);
  const then = captured.get("page.png");
  assert.ok(then !== undefined);
  assert.ok((await difference(then, picture)) < 0.02, "the pictures are alike");
});

test("states why there is none if it cannot be written", async () => {
  const at = new Date();
  const exchange = { at, method: "GET", requestHeaders: {}, requestBody: null, status: 200, statusText: "OK" };
  const exchanges = [{ ...exchange, url: "not an address", responseHeaders: [], body: Buffer.alloc(0) }];
  const archive = await archiveOf({
    taken: {
      traffic: { exchanges, sockets: [], leftOut: 0 },
      session: { cookies: [], storage: [] },
      page: { url: entry, title: "", html: "", at },
    },
  });
  assert.ok("missing" in archive);
  assert.equal(archive.missing, "The archive could not be written.");
  assert.ok(archive.cause instanceof TypeError);
});

/** Answers every request of a page from the archive: the record of its address that is nearest to a time. */
async function replayFrom(page: Page, time: string): Promise<void> {
  const wanted = Number(time.replaceAll(/\D/g, "").slice(0, 14));
  await page.route("**/*", async (route) => {
    const distance = (entry: { time: string }) => Math.abs(Number(entry.time.slice(0, 14)) - wanted);
    const [found] = index
      .filter(({ url }) => url === route.request().url())
      .toSorted((a, b) => distance(a) - distance(b) || (a.status ?? "").localeCompare(b.status ?? ""));
    if (found === undefined) return route.abort();
    const { record, body } = await recordAt(found);
    await route.fulfill({
      status: Number(record.httpHeaders?.statusCode ?? 200),
      contentType: record.httpHeaders?.headers.get("content-type") ?? record.warcContentType ?? "",
      body,
    });
  });
}

/** The part of pixels that differ between two pictures, of the area that both have. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const needs = { reach: { hosts: [] }, context: {} };
  return pool.withContext(new AbortController().signal, needs, async ({ context }) => {
    const blank = await context.newPage();
    const compare = `async ([one, other]) => {
      const read = async (base64) => createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const [a, b] = [await read(one), await read(other)];
      const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
      const pixels = [a, b].map((bitmap) => {
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(bitmap, 0, 0);
        return canvas.getImageData(0, 0, width, height).data;
      });
      let differing = 0;
      for (let at = 0; at < pixels[0].length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs(pixels[0][at + channel] - pixels[1][at + channel]) > 32)) differing++;
      return differing / (width * height);
    }`;
    const value: unknown = await blank.evaluate(
      `(${compare})(${JSON.stringify([one.toString("base64"), other.toString("base64")])})`,
    );
    return Number(value);
  });
}

const sha256 = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
