import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { EgressGuard } from "../../src/egress/index.ts";
import { readSite, siteLimits, type SiteLimits } from "../../src/proposals/sources/read-site.ts";
import { PageReader } from "../../src/proposals/sources/read-page.ts";
import { startReceiver, type Receiver } from "../harness/receiver.ts";

const read = (html: string, chunk = html.length) => {
  const reader = new PageReader();
  for (let at = 0; at < html.length; at += Math.max(1, chunk)) reader.push(html.slice(at, at + Math.max(1, chunk)));
  return { ...reader.end(), isTooDeep: reader.isTooDeep };
};

test("titles, headings, details and schema.org questions are read of a page, in whatever chunks it comes", () => {
  const html = `<!doctype html><title>Grinders &amp; mills</title><script>document.title = "<h1>run</h1>"</script>
    <script type="application/ld+json">{"@graph":[{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"How <b>loud</b> is it?"}]}]}</script>
    <script type="application/ld+json">{"@type":"Question","name":</script>
    <h1>Coffee <em>grinders</em></h1><details><summary>Can I <a href="/wash">wash</a> it?</summary>No.</details>
    <noscript><h2>Hidden</h2></noscript><h2>Never closed <a href="https://x.example/">x</a><a rel="nofollow" href="/no">n</a>`;
  for (const chunk of [html.length, 7, 1]) {
    const { texts, links } = read(html, chunk);
    assert.deepEqual(
      texts.map(({ place, text }) => [place, text.replaceAll(/\s+/gu, " ").trim()]),
      [
        ["title", "Grinders & mills"],
        ["faq", "How loud is it?"],
        ["heading", "Coffee grinders"],
        ["details", "Can I wash it?"],
        ["heading", "Never closed xn"],
      ],
    );
    assert.deepEqual(links, ["/wash", "https://x.example/"]);
  }
});

test("pages that are made to cost much are read within bounds", () => {
  assert.ok(read("<b>".repeat(200_000) + "</i>".repeat(200_000), 64 * 1024).isTooDeep);
  assert.equal(read(`<h1>${"x".repeat(900_000)}`).texts[0]?.text.length, 600);
  assert.equal(read("<h1>a</h1>".repeat(50_000)).texts.length, 300);
  assert.equal(read(`<a href="/x">`.repeat(1) + `<a href="/x"></a>`.repeat(30_000)).links.length, 2_000);
  const deep = `<script type="application/ld+json">${"[".repeat(100_000)}${"]".repeat(100_000)}</script><h1>after</h1>`;
  assert.deepEqual(read(deep).texts.map(({ text }) => text), ["after"]); // prettier-ignore
  assert.deepEqual(read(`<script type="application/ld+json">${"x".repeat(900_000)}</script>`).texts, []);
  assert.equal(read(`<h1 ${"a ".repeat(300_000)}>many attributes</h1>`).texts.length, 1);
});

suite("a site", () => {
  let site: Receiver;
  let guard: EgressGuard;
  const pages = new Map<
    string,
    { status?: number; type?: string; location?: string; body?: string; encoding?: string }
  >();
  before(async () => {
    site = await startReceiver(({ path }, response) => {
      const page = pages.get(path);
      if (path === "/endless") {
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<h1>Why does it never end?</h1>");
        const more = () => void response.write(" ".repeat(64 * 1024), () => response.destroyed || setImmediate(more));
        return more();
      }
      if (path === "/silent")
        return void response.writeHead(200, { "content-type": "text/html" }).write("<h1>Why so slow?</h1>");
      if (page === undefined) return void response.writeHead(404).end();
      const { status = 200, type = "text/html; charset=utf-8", location, body = "", encoding } = page;
      response.writeHead(status, {
        "content-type": type,
        ...(location === undefined ? {} : { location }),
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      });
      response.end(body);
    });
    guard = new EgressGuard({ allow: "127.0.0.0/8", caFile: site.caFile });
  });
  after(() => site.close());

  const visit = async (
    given: Record<
      string,
      string | { status?: number; type?: string; location?: string; body?: string; encoding?: string }
    >,
    { start = "/", limits = {}, by = guard }: { start?: string; limits?: Partial<SiteLimits>; by?: EgressGuard } = {},
  ) => {
    // prettier-ignore
    pages.clear();
    site.requests.length = 0;
    for (const [path, page] of Object.entries(given)) pages.set(path, typeof page === "string" ? { body: page } : page);
    const result = await readSite(by, new URL(site.url(start)), { signal: new AbortController().signal, version: "0", limits: { ...siteLimits, ...limits } }); // prettier-ignore
    return {
      ...result,
      outcomes: Object.fromEntries(
        result.pages.map(({ address, outcome }) => [address.replace(site.url(""), ""), outcome]),
      ),
      asked: site.requests.map(({ path }) => path),
    };
  };

  test("its pages are those that its start page and its sitemap name, and its robots.txt allows", async () => {
    const { outcomes, texts, asked } = await visit({
      "/robots.txt": { type: "text/plain", body: "User-agent: *\nDisallow: /private\n" },
      "/": `<h1>Start page of it</h1><a href="/a#x">a</a><a href="/private/1">p</a><a href="https://other.example/">o</a><a href="/file.pdf">f</a><a href="mailto:x@y.example">m</a>`,
      "/a": "<h2>How long does it last?</h2>",
      "/faq": "<h2>What is in the box?</h2>",
      "/sitemap.xml": { type: "application/xml", body: `<urlset><url><loc>${site.url("/faq")}</loc></url><url><loc>https://10.0.0.1/x</loc></url><url><loc>${site.url("/a")}</loc></url></urlset>` }, // prettier-ignore
    });
    assert.deepEqual(outcomes, { "/": "read", "/faq": "read", "/a": "read", "/private/1": "disallowed" });
    assert.deepEqual(texts.map(({ text }) => text), ["Start page of it", "What is in the box?", "How long does it last?"]); // prettier-ignore
    assert.deepEqual(asked, ["/robots.txt", "/", "/sitemap.xml", "/faq", "/a"]);
    assert.match(site.requests[0]?.headers["user-agent"] ?? "", /^Querent\/0 /);
  });

  test("nothing is read where robots.txt forbids all, or can't be read", async () => {
    const forbidden = await visit({ "/robots.txt": "User-agent: Querent\nDisallow: /", "/": "<h1>Not for us</h1>" });
    assert.deepEqual(
      [forbidden.outcomes, forbidden.asked, forbidden.texts],
      [{ "/": "disallowed" }, ["/robots.txt"], []],
    );
    const broken = await visit({ "/robots.txt": { status: 503 }, "/": "<h1>Not for us</h1>" });
    assert.deepEqual([broken.outcomes, broken.asked], [{ "/": "robots_unavailable" }, ["/robots.txt"]]);
  });

  test("redirects are followed within the site alone, and each hop is checked", async () => {
    const { outcomes, asked } = await visit({
      "/robots.txt": "User-agent: *\nDisallow: /private",
      "/": `<a href="/meta">1</a><a href="/out">2</a><a href="/secret">3</a><a href="/round">4</a><a href="/inner">5</a><a href="/port">6</a><a href="/file">7</a>`,
      "/meta": { status: 302, location: "https://169.254.169.254/latest" },
      "/out": { status: 301, location: "https://elsewhere.example/" },
      "/secret": { status: 307, location: "/private/x" },
      "/round": { status: 302, location: "/round" },
      "/inner": { status: 302, location: "/end" },
      "/port": { status: 302, location: "https://localhost:1/" },
      "/file": { status: 302, location: "file:///etc/passwd" },
      "/end": "<h1>At its end</h1>",
      "/private/x": "<h1>Secret</h1>",
    });
    assert.deepEqual(outcomes, {
      ...{ "/": "read", "/meta": "elsewhere", "/out": "elsewhere", "/secret": "disallowed" },
      ...{ "/round": "failed", "/inner": "read", "/port": "elsewhere", "/file": "elsewhere" },
    });
    assert.ok(!asked.includes("/private/x"));
  });

  test("an address that is not public is not connected to, whatever its name", async () => {
    const before = site.connections();
    const strict = new EgressGuard({ caFile: site.caFile });
    const { outcomes } = await visit({ "/": "<h1>Internal</h1>" }, { by: strict });
    assert.deepEqual(outcomes, { "/": "not_allowed" });
    const { hostname, port } = new URL(site.url(""));
    assert.equal(hostname, "localhost");
    for (const host of ["127.0.0.1", "[::1]", "169.254.169.254", "[::ffff:127.0.0.1]", "0x7f000001"]) {
      const { pages: facts } = await readSite(strict, new URL(`https://${host}:${port}/`), { signal: new AbortController().signal, version: "0" }); // prettier-ignore
      assert.deepEqual(facts.map(({ outcome }) => outcome), ["not_allowed"], host); // prettier-ignore
    }
    assert.equal(site.connections(), before);
  });

  test("pages, bytes and time are bounded, and what has arrived of a page that never ends is read", async () => {
    const links = Array.from({ length: 60 }, (_, n) => [
      `/p${n}`,
      `<h1>Page number ${n}</h1><a href="/q${n}">more</a>`,
    ]);
    const start = links.map(([path]) => `<a href="${path}">x</a>`).join("");
    const many = await visit({ "/": start, ...Object.fromEntries(links) });
    assert.equal(many.pages.length, siteLimits.pagesMax);
    const endless = await visit({ "/": `<a href="/endless">x</a>` });
    assert.deepEqual(endless.outcomes, { "/": "read", "/endless": "cut" });
    assert.ok(endless.texts.some(({ text }) => text === "Why does it never end?"));
    const silent = await visit({ "/": `<a href="/silent">x</a>` }, { limits: { requestMs: 300 } });
    assert.deepEqual(silent.outcomes, { "/": "read", "/silent": "cut" });
    const late = await visit({ "/": `<a href="/silent">x</a><a href="/a">y</a>`, "/a": "<h1>Never asked for</h1>" }, { limits: { siteMs: 1_000 } }); // prettier-ignore
    assert.deepEqual(Object.values(late.outcomes), ["read", "cut", "too_late"]);
    const full = await visit({ "/": `${" ".repeat(50_000)}<a href="/a">x</a>`, "/a": "<h1>No room</h1>" }, { limits: { siteBytesMax: 40_000 } }); // prettier-ignore
    assert.deepEqual(full.outcomes, { "/": "cut" });
  });

  test("what is no page, or is compressed, is not read", async () => {
    const { outcomes } = await visit({
      "/": `<a href="/json">1</a><a href="/gzip">2</a><a href="/gone">3</a>`,
      "/json": { type: "application/json", body: "{}" },
      "/gzip": { encoding: "gzip", body: "bomb" },
    });
    assert.deepEqual(outcomes, { "/": "read", "/json": "not_html", "/gzip": "not_html", "/gone": "failed" });
  });
});
