/** For each vendor and each option: what the platform states, and what the request then holds. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askedAsMembers, type AskedAs, type AskedAsMember } from "@querent/contract";
import { vendors } from "../../../src/platforms/api/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { platformAt, question } from "./ask-api.ts";

/** Also one of Groq's systems that search with settings: a platform supports what all its models do. */
const otherModel = "other/compound";
const values = {
  country: "DE",
  language: "de",
  location: { city: "Munich" },
  persona: "I am a nurse.",
  model: otherModel,
  searchDepth: "high" as const,
  domains: { allow: ["example.com"] },
  since: "2026-01-31",
} satisfies Required<Omit<AskedAs, "onUnsupported">>;

/** Each place, as documented: the path in the body, and the value there. What is not listed is prompted or unsupported. */
const places: Readonly<Record<string, Partial<Record<AskedAsMember, readonly [string, unknown]>>>> = {
  openai: {
    country: ["tools.0.user_location", { type: "approximate", country: "DE" }],
    location: ["tools.0.user_location", { type: "approximate", city: "Munich" }],
    searchDepth: ["tools.0.search_context_size", "high"],
    domains: ["tools.0.filters.allowed_domains", ["example.com"]],
  },
  anthropic: {
    country: ["tools.0.user_location", { type: "approximate", country: "DE" }],
    location: ["tools.0.user_location", { type: "approximate", city: "Munich" }],
    domains: ["tools.0.allowed_domains", ["example.com"]],
  },
  gemini: {
    since: [
      "tools.0.googleSearch.timeRangeFilter",
      { startTime: "2026-01-31T00:00:00Z", endTime: "2026-11-21T09:30:00.000Z" },
    ],
  },
  perplexity: {
    country: ["tools.0.user_location", { country: "DE" }],
    location: ["tools.0.user_location", { city: "Munich" }],
    domains: ["tools.0.filters.search_domain_filter", ["example.com"]],
    since: ["tools.0.filters.search_after_date_filter", "1/30/2026"],
  },
  xai: {
    country: ["tools.0.user_location", { type: "approximate", country: "DE" }],
    location: ["tools.0.user_location", { type: "approximate", city: "Munich" }],
    domains: ["tools.0.allowed_domains", ["example.com"]],
  },
  groq: { domains: ["search_settings.include_domains", ["example.com"]] },
  glm: { domains: ["tools.0.web_search.search_domain_filter", "example.com"] },
  openrouter: {
    searchDepth: ["tools.0.parameters.search_context_size", "high"],
    domains: ["tools.0.parameters.allowed_domains", ["example.com"]],
  },
};
const sentences: Partial<Record<AskedAsMember, string>> = {
  country: "The user is in Germany (DE). Answer for a user in that country.",
  language: "Answer in this language: German (de).",
  location: "The user's location is Munich.",
  persona: "I am a nurse.",
};

let server: ReplayServer;
before(async () => {
  server = await startReplayServer({ body: "{}" });
});
after(() => server.close());

async function requestOf(api: string, asked: AskedAs, search = true) {
  const platform = platformAt(api, server.url, { models: [otherModel], search });
  server.requests.length = 0;
  const plain = question("How fine?", false);
  await platform.ask({ ...plain, options: { ...plain.options, ...asked } }, { signal: new AbortController().signal });
  const { path, body } = server.requests[0] ?? assert.fail("no request");
  return { platform, path, body: body as object };
}

for (const { code, options: facts } of vendors) {
  for (const member of askedAsMembers) {
    test(`${code}: \`${member}\` is in the request as the platform states`, async () => {
      const before = await requestOf(code, {});
      const made = await requestOf(code, { [member]: values[member], onUnsupported: "ignore" });
      const { how } = made.platform.options;
      const [path, value] = places[code]?.[member] ?? [];
      if (path !== undefined) {
        assert.equal(how[member], "native");
        assert.deepEqual(at(made.body, path), value);
        assert.ok(!textOf(made.body).includes(sentences[member] ?? "\0"));
      } else if (member === "model") {
        assert.equal(how.model, "native");
        assert.ok(JSON.stringify([made.path, made.body]).includes(otherModel));
      } else if (sentences[member] !== undefined) {
        assert.equal(how[member], member === "persona" ? "native" : "prompted");
        assert.ok(textOf(made.body).includes(sentences[member]));
        assert.deepEqual(withoutSystem(made.body), before.body, "nothing but the system text differs");
      } else {
        assert.equal(how[member], "unsupported");
        assert.deepEqual(made.body, before.body);
      }
    });
  }

  test(`${code}: without search, what only a search can do is unsupported`, async () => {
    const { platform } = await requestOf(code, {}, false);
    const { country, location, searchDepth, domains, since } = platform.options.how;
    assert.deepEqual([searchDepth, domains, since], ["unsupported", "unsupported", "unsupported"]);
    assert.deepEqual([country, location], ["prompted", "prompted"]);
  });

  test(`${code}: the table of places has a page for what is native, and the day on which it was looked up`, () => {
    assert.equal(facts.page === null, facts.native === undefined);
    assert.ok(facts.page === null || URL.canParse(facts.page));
    assert.match(facts.checked, /^\d{4}-\d{2}-\d{2}$/);
  });
}

test("several options of one tool do not replace one another", async () => {
  const { model: _model, ...others } = values;
  const { body } = await requestOf("openai", others);
  assert.deepEqual(at(body, "tools.0"), {
    type: "web_search",
    user_location: { type: "approximate", country: "DE", city: "Munich" },
    search_context_size: "high",
    filters: { allowed_domains: ["example.com"] },
  });
});

test("denied domains are named as the vendor names them, and grok does not search X for a list of domains", async () => {
  const deny = { domains: { deny: ["example.com"] } };
  assert.deepEqual(at((await requestOf("anthropic", deny)).body, "tools.0.blocked_domains"), ["example.com"]);
  assert.deepEqual(at((await requestOf("perplexity", deny)).body, "tools.0.filters.search_domain_filter"), [
    "-example.com",
  ]);
  assert.deepEqual(at((await requestOf("openai", deny)).body, "tools.0.filters"), { blocked_domains: ["example.com"] });
  assert.deepEqual(at((await requestOf("xai", deny)).body, "tools"), [
    { type: "web_search", excluded_domains: ["example.com"] },
  ]);
});

test("what OpenRouter drops for a model is not stated as supported, and not sent", async () => {
  const allow = { allow: ["example.com"] };
  const deny = { deny: ["example.com"] };
  /** By model: how many domains may be allowed and denied, and whether a depth is in force. */
  const documented: readonly (readonly [string, number, number, boolean])[] = [
    ["anthropic/claude-sonnet-5.5", 100, 100, false],
    ["openai/gpt-6-astra", 100, 0, false],
    ["x-ai/grok-5", 5, 5, false],
    ["perplexity/sonar", 0, 0, false],
    ["google/gemini-4-argon", 0, 0, false],
    ["deepseek/deepseek-v4", 100, 100, true],
    ["openrouter/auto", 100, 100, true],
  ];
  for (const [model, allowMax, denyMax, hasDepth] of documented) {
    const platform = platformAt("openrouter", server.url, { model, models: [model] });
    const { how, values } = platform.options;
    assert.equal(how.searchDepth, hasDepth ? "native" : "unsupported", model);
    assert.deepEqual([values.domains?.allowMax ?? 0, values.domains?.denyMax ?? 0], [allowMax, denyMax], model);
    for (const [domains, max] of [
      [allow, allowMax],
      [deny, denyMax],
    ] as const) {
      server.requests.length = 0;
      const plain = question("How fine?", false);
      const options = { ...plain.options, domains, onUnsupported: "ignore" as const };
      await platform.ask({ ...plain, options }, { signal: new AbortController().signal });
      const { body } = server.requests[0] ?? assert.fail("no request");
      const sent = at(body as object, "tools.0.parameters") as Record<string, unknown> | undefined;
      assert.equal(sent !== undefined, max > 0, `${model} ${JSON.stringify(domains)}`);
      // Which model it will be is not known, so the search is one that heeds the domains.
      assert.equal(sent?.["engine"], model === "openrouter/auto" ? "exa" : undefined);
    }
  }
  const searchBody = { tools: [{ type: "openrouter:web_search", parameters: { engine: "exa" } }] };
  const exa = platformAt("openrouter", server.url, { model: "perplexity/sonar", searchBody }).options;
  assert.deepEqual([exa.how.searchDepth, exa.values.domains?.denyMax], ["native", 100]);
});

test("a place that the operator's additions replace is not stated as supported", () => {
  const without = platformAt("openai", server.url, { body: { tools: [] } }).options.how;
  assert.deepEqual([without.country, without.domains], ["prompted", "unsupported"]);
  const fixed = platformAt("openai", server.url, { body: { model: "fixed" } }).options.how;
  assert.equal(fixed.model, "unsupported");
});

test("the answer tells what was in force", async () => {
  const answer = {
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text: "Fine." }] }],
  };
  await using replay = await startReplayServer({ body: JSON.stringify(answer) });
  const platform = platformAt("openai", replay.url);
  const plain = question("How fine?", false);
  const outcome = await platform.ask(
    {
      ...plain,
      options: { ...plain.options, country: "DE", language: "de", since: "2026-01-31", onUnsupported: "ignore" },
    },
    { signal: new AbortController().signal },
  );
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  assert.deepEqual(outcome.answer.effective, {
    country: { value: "DE", how: "native" },
    language: { value: "de", how: "prompted" },
    since: { value: null, how: "unsupported" },
  });
});

/** What follows a path such as `tools.0.type` in a body. */
function at(body: object, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], body);
}

const textOf = (body: object) => JSON.stringify(body);

function withoutSystem(body: object): object {
  const {
    system: _system,
    instructions: _instructions,
    systemInstruction: _instruction,
    ...rest
  } = body as Record<string, unknown>;
  for (const list of ["messages", "input"]) {
    const items = rest[list];
    if (Array.isArray(items)) rest[list] = items.filter((item: { role?: string }) => item.role !== "system");
  }
  return rest;
}
