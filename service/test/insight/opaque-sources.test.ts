/** A redirect may hide the page that it leads to, and its site may be known all the same: the answer counts for the site. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { SourceCounts, StoredResult } from "@querent/contract";
import { answerOf, readings, sitesIn, subjectOf, type CitedSite } from "@querent/figures";
import { composeResult } from "../../src/answers/index.ts";
import { describeAnswer, citedSitesText } from "../../src/observations/records/describe-answer.ts";
import { apiPlatform, options } from "../answers/answers.ts";
import { startTestService } from "../harness/service.ts";
import { observedAt, platformAt, question } from "../platforms/api/ask-api.ts";
import { imported, redirect, sendAnswers, sourcesOf } from "./answers-from-elsewhere.ts";

/** What becomes of Gemini's answer that is grounded in these pages. */
function groundedIn(...web: readonly object[]): StoredResult {
  const document = {
    candidates: [
      {
        content: { parts: [{ text: "Ist gut." }] },
        finishReason: "STOP",
        groundingMetadata: { groundingChunks: web.map((page) => ({ web: page })) },
      },
    ],
  };
  const raw = { mediaType: "application/json; api=gemini", body: JSON.stringify(document) };
  const outcome = platformAt("gemini", "http://127.0.0.1:9").reread(raw, question("?", false), observedAt);
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  return composeResult(outcome.answer, apiPlatform, options);
}

/** The account has no entities. */
const searched = { entities: null, found: { mentions: [], observed: [], isComplete: true } };

test("Gemini's grounded pages have the site that it names, in the source and in the observation", () => {
  const result = groundedIn(
    { uri: redirect("A"), title: "example.org" },
    { uri: redirect("B"), title: "Best grinders", domain: "www.Docs.Example.com" },
    { uri: "https://example.net/a?utm_source=x", title: "A page" },
  );
  assert.deepEqual(
    result.sources.map(({ url, canonicalUrl, site, opaque, domain }) => [url, canonicalUrl, site, opaque, domain]),
    [
      [redirect("A"), undefined, "example.org", true, "example.org"],
      [redirect("B"), undefined, "www.Docs.Example.com", true, "example.com"],
      ["https://example.net/a?utm_source=x", "https://example.net/a", "example.net", undefined, undefined],
    ],
  );
  const described = describeAnswer(result, searched);
  assert.deepEqual(described.flags.includes("opaque_sources"), false);
  assert.deepEqual(described.sources, [
    {
      url: redirect("A"),
      canonicalUrl: redirect("A"),
      domain: "example.org",
      type: "other",
      opaque: true,
      host: "example.org",
    },
    {
      url: redirect("B"),
      canonicalUrl: redirect("B"),
      domain: "example.com",
      type: "other",
      opaque: true,
      host: "docs.example.com",
    },
    {
      url: "https://example.net/a?utm_source=x",
      canonicalUrl: "https://example.net/a",
      domain: "example.net",
      type: "other",
    },
  ]);
});

test("a title that is no host name is no site: the source is hidden, and so is the answer's list of sites", () => {
  for (const title of ["Best grinders of 2026", "Node.js", "", "10.0.0.1", "vertexaisearch.cloud.google.com"]) {
    const result = groundedIn({ uri: redirect("A"), title });
    assert.deepEqual([result.sources[0]?.opaque, result.sources[0]?.domain], [true, ""], title);
    const { sources, flags } = describeAnswer(result, searched);
    assert.deepEqual([sources[0]?.domain, sources[0]?.type, sources[0]?.host], ["", null, ""], title);
    assert.ok(flags.includes("opaque_sources"), title);
  }
});

test("figures by domain count a source whose page is hidden, by its site and below an entity's own domain", () => {
  const { sources, flags } = describeAnswer(
    groundedIn({ uri: redirect("A"), title: "docs.acme.example" }, { uri: redirect("B"), title: "news.example" }),
    searched,
  );
  const answer = answerOf({
    observationId: "o",
    taskId: null,
    observedAt: "2026-11-20T10:00:00.000Z",
    recordedAt: "2026-11-20T10:00:00.000Z",
    cell: { panelRevision: 1, runId: "r", promptId: "p", platformCode: "gemini", locale: "", persona: "", repeat: 1 },
    instrument: { kind: "api", modelVersion: "m", recipe: null, reader: 1, matcher: "2", sourceRules: "2/1" },
    contentLength: 8,
    searchCount: 1,
    durationMs: 1,
    chargedPoints: 1,
    flags,
    sources,
    mentions: [],
    cards: [],
  });
  const entity = {
    entityId: "e",
    name: "Acme",
    kind: "brand",
    relation: "own",
    domains: ["acme.example"],
    createdAt: "",
  } as const;
  const panel = {
    panelId: "p",
    name: "P",
    revision: 1,
    digest: "",
    prompts: [],
    platforms: [],
    locales: [],
    personas: [],
    repeats: 1,
    entities: [entity],
  };
  const subject = (domain: string) => subjectOf(panel, { entityId: "e", domain });
  assert.deepEqual(readings.citation_rate(answer, subject("acme.example")), { value: 1 });
  assert.deepEqual(readings.citation_share(answer, subject("news.example")), { value: 1, of: 2 });
  assert.deepEqual(readings.citation_rate(answer, subject("google.com")), { value: 0 });
  assert.deepEqual(readings.own_citation_rate(answer, subject("x.example")), { value: 1 });
  const sites: CitedSite[] = sitesIn(sources);
  assert.deepEqual(
    sites.map(({ host }) => host),
    ["docs.acme.example", "news.example"],
  );
  assert.equal(
    citedSitesText(sources),
    '[["docs.acme.example","acme.example","other",1],["news.example","news.example","other",1]]',
  );
});

suite("observations of hidden pages", async () => {
  const service = await startTestService();
  after(() => service.stop());
  test("counts by domain have the hidden pages, and counts by address have them in one row without an address", async () => {
    const account = await service.account();
    await sendAnswers(
      account,
      [
        imported("1", [
          { url: redirect("1"), site: "example.org" },
          { url: redirect("2"), site: "example.org" },
          { url: "https://example.org/a" },
        ]),
        imported("2", [{ url: redirect("3"), site: "Example" }, { url: "example.org/a?utm_source=x" }]),
      ],
      "name=q",
    );
    const count = async (by: string) =>
      (await account.get<SourceCounts>(`/v1/sources?by=${by}&observedFrom=2026-11-01T00:00:00Z`)).body;
    const byDomain = await count("domain");
    assert.deepEqual(
      byDomain.sources.map(({ domain, canonicalUrl, answers, citations }) => [
        domain,
        canonicalUrl,
        answers,
        citations,
      ]),
      [
        ["example.org", null, 2, 4],
        ["", null, 1, 1],
      ],
    );
    const byAddress = await count("address");
    assert.deepEqual(
      byAddress.sources.map(({ domain, canonicalUrl, answers, citations }) => [
        domain,
        canonicalUrl,
        answers,
        citations,
      ]),
      [
        ["example.org", "https://example.org/a", 2, 2],
        ["example.org", null, 1, 2],
        ["", null, 1, 1],
      ],
    );
    assert.deepEqual(
      [byAddress.citations, byAddress.answersWithSources],
      [byDomain.citations, byDomain.answersWithSources],
    );
    const csv = await account.call("GET", "/v1/observations", { headers: { accept: "text/csv" } });
    assert.match(csv.text, /example\.org/);
  });

  test("rows of earlier rules are told apart by what they lack; an address that cannot be read is no redirect", async () => {
    const account = await service.account();
    await sendAnswers(account, [imported("1", [{ url: "https://exa mple.com/b" }])], "name=v");
    const states = async () => {
      const { rows } = await service.database.query<{ url: string; opaque: boolean }>(
        "select url, opaque from bi_sources where account_id = $1",
        [account.accountId],
      );
      const { body } = await account.get<SourceCounts>("/v1/sources?by=address&observedFrom=2026-11-01T00:00:00Z");
      return {
        records: (await sourcesOf(account)).map(({ opaque, host }) => [opaque, host]),
        view: rows.map(({ opaque }) => opaque),
        counted: body.sources.map(({ canonicalUrl }) => canonicalUrl),
      };
    };
    assert.deepEqual(await states(), {
      records: [[undefined, undefined]],
      view: [false],
      counted: ["https://exa mple.com/b"],
    });
    const before = [{ url: "https://t.co/x", canonicalUrl: "https://t.co/x", domain: "", type: null }];
    for (const rules of ["1/1", null]) {
      await service.database.query(
        "update observations set source_rules = $2, sources = $3::jsonb where account_id = $1",
        [account.accountId, rules, JSON.stringify(before)],
      );
      assert.deepEqual(await states(), { records: [[true, ""]], view: [true], counted: [null] });
    }
  });
});
