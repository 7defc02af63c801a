/** Imported answers: which of their members names the site of a redirect. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { startTestService } from "../harness/service.ts";
import { imported, redirect, sendAnswers, sourcesOf } from "./answers-from-elsewhere.ts";

suite("redirects in imported answers", async () => {
  const service = await startTestService();
  after(() => service.stop());
  test("the forms of others name the site beside an opaque address; free text is none", async () => {
    const account = await service.account();
    const goto = "https://www.google.com/goto?url=CAESiwEB7keqTabc";
    const reference = (more: object) => ({
      title: "Best grinders",
      link: `${goto}${JSON.stringify(more).length}`,
      index: 0,
      ...more,
    });
    const serpApi = {
      search_metadata: { id: "g1", status: "Success", created_at: "2026-11-20 10:00:00 UTC" },
      search_parameters: { engine: "google", q: "best grinder" },
      ai_overview: {
        text_blocks: [{ type: "paragraph", snippet: "Acme is fine." }],
        references: [reference({ source: "Example" }), reference({ source: "www.example.org" })],
      },
    };
    await sendAnswers(account, [serpApi], "name=s&format=serpapi");
    assert.deepEqual(
      (await sourcesOf(account)).map(({ domain, type, opaque, host }) => [domain, type, opaque, host]),
      [
        ["", null, true, ""],
        ["example.org", "other", true, "example.org"],
      ],
    );
    const other = await service.account();
    const dataForSeo = {
      tasks: [
        {
          id: "d-1",
          path: ["v3", "serp", "google", "ai_mode", "live", "advanced"],
          data: { keyword: "best grinder", se: "google" },
          result: [
            {
              keyword: "best grinder",
              datetime: "2026-11-20 10:00:00 +00:00",
              items: [
                {
                  type: "ai_overview",
                  markdown: "Acme is fine.",
                  references: [{ source: "Wikipedia", domain: "en.wikipedia.org", url: goto, title: "Grinder" }],
                },
              ],
            },
          ],
        },
      ],
    };
    await sendAnswers(other, [dataForSeo], "name=d&format=dataforseo");
    const [source] = await sourcesOf(other);
    assert.deepEqual(
      [source?.domain, source?.type, source?.host],
      ["wikipedia.org", "encyclopedia", "en.wikipedia.org"],
    );
  });

  test("a redirect of Gemini's has the site in its title, whoever passes it on; other redirects do not", async () => {
    const account = await service.account();
    await sendAnswers(
      account,
      [
        imported("1", [
          { url: redirect("1"), title: "example.org" },
          { url: redirect("2"), title: "example.net", site: "vertexaisearch.cloud.google.com" },
          { url: redirect("3"), title: "Booking.com", site: "docs.example.com" },
          { url: "https://www.google.com/goto?url=CAES", title: "example.org" },
          { url: redirect("4"), title: "Best grinders" },
        ]),
      ],
      "name=t",
    );
    assert.deepEqual(
      (await sourcesOf(account)).map(({ host }) => host),
      ["example.org", "example.net", "docs.example.com", "", ""],
    );
  });
});
