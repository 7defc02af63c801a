/** Proposals of prompts over the API, and the frame that a panel and its report keep of them. Imports `service/src/proposals` by way of the service. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type {
  EntityRecord,
  PanelInput,
  PanelRecord,
  PanelReport,
  Problem,
  ProjectRecord,
  PromptOrigin,
  PromptProposalRequest,
  PromptProposals,
} from "@querent/contract";
import { EgressGuard } from "../../src/egress/index.ts";
import { frameSentence } from "../../src/reports/report/page/change-sections.ts";
import { languages } from "../../src/reports/languages/languages.ts";
import { newId } from "../../src/kernel/ids.ts";
import { day, march, send } from "../insight/imported-answers.ts";
import { createPanel } from "../insight/fixture.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { tokenWith } from "../projects/fixture.ts";

suite("proposals of prompts", async () => {
  const site = await startReceiver(({ path }, response) => {
    if (path === "/")
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<h1>Burr grinder guide</h1><h2>Is Acme Mills quiet?</h2>");
    else response.writeHead(404).end();
  });
  const service = await startTestService({ siteGuard: new EgressGuard({ allow: "127.0.0.0/8", caFile: site.caFile }) });
  after(async () => {
    await service.stop();
    await site.close();
  });

  const ask = (account: Pick<TestAccount, "call">, body: object, query = "") =>
    account.call<PromptProposals & Problem>("POST", `/v1/prompt-proposals${query}`, { body });
  const proposed = async (account: Pick<TestAccount, "call">, body: PromptProposalRequest, query = "") => {
    const { status, body: reply, text } = await ask(account, body, query);
    assert.equal(status, 200, text);
    return reply;
  };
  const entity = async (account: TestAccount, name: string, relation: string, query = "") => {
    const { status, text, body } = await account.call<EntityRecord>("POST", `/v1/entities${query}`, { body: { name, relation } }); // prettier-ignore
    assert.equal(status, 201, text);
    return body.entityId;
  };
  const importTo = async (account: TestAccount, panel: string, searches: readonly string[]) => {
    const lines = [1, 2].map((n) => ({
      ...{ id: `${panel} ${n}`, question: "Which grinder?", platformCode: "alpha", observedAt: day(n), content: "x" },
      ...{ searches, relatedQuestions: n === 1 ? ["Is a burr grinder worth it?"] : [] },
    }));
    const { status, text, body } = await send(account, lines, `name=${panel}&panel=${panel}`);
    assert.equal(status, 200, text);
    return body.panelId ?? "";
  };
  const window = { from: march.slice(5, 25), to: march.slice(29) };

  test("all sources together, with their evidence, what is branded apart, and what they were drawn from", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme Mills", "own");
    const globex = await entity(account, "Globex", "competitor");
    const panelId = await importTo(account, "Asked", ["best burr grinder 2025", "acme mills review"]);
    const { proposals, draw, sources, more } = await proposed(account, {
      panelId,
      searches: window,
      searchConsole: {
        csv: "Top queries,Clicks,Impressions,CTR,Position\nbest burr grinder 2025,7,90,1%,4\nwhich grinder,1,2,1%,9\n",
      },
      site: { address: site.url("/") },
      templates: { topics: ["burr grinder"] },
      questions: { text: "I like it. Can I grind spices?" },
    });
    const of = (text: string) => proposals.find((one) => one.text === text) ?? assert.fail(text);
    const best = of("best burr grinder 2025");
    assert.deepEqual(best.origins, ["search", "search_console"]);
    assert.equal(best.question, "What is the best burr grinder in 2025?");
    const [searched, clicked] = best.evidence;
    assert.deepEqual(
      [searched?.origin, searched?.kind, searched?.answers, searched?.panelId, searched?.platformCode],
      ["search", "search", 2, panelId, "alpha"],
    );
    assert.deepEqual([clicked?.clicks, clicked?.impressions, clicked?.position, clicked?.line], [7, 90, 4, 2]);
    assert.deepEqual(
      proposals
        .filter(({ branded }) => branded)
        .map(({ text }) => text)
        .toSorted(),
      ["Acme Mills vs Globex: which is better?", "Is Acme Mills quiet?", "What are the best alternatives to Globex?", "acme mills review"], // prettier-ignore
    );
    assert.deepEqual(of("acme mills review").entities, [{ entityId: acme, name: "Acme Mills", relation: "own" }]);
    assert.deepEqual(of("What are the best alternatives to Globex?").evidence[0]?.entityIds, [globex]);
    assert.equal(of("which grinder").inPanel, true);
    assert.equal(of("Is a burr grinder worth it?").evidence[0]?.kind, "related_question");
    assert.equal(of("best burr grinder 2025").topic, "burr grinder");
    assert.equal(more, 0);
    assert.equal(draw.proposals, proposals.length);
    assert.deepEqual(draw.byOrigin, { search: 3, search_console: 2, page: 2, template: 4, pasted: 1 });
    assert.deepEqual(
      { ...draw.settings, site: null },
      {
        panels: 1,
        ...window,
        rows: 2,
        site: null,
        pages: 1,
        topics: ["burr grinder"],
        languages: ["en"],
        questions: 1,
      },
    );
    assert.deepEqual(sources.find(({ origin }) => origin === "page")?.pages?.map(({ outcome }) => outcome), ["read"]); // prettier-ignore
    assert.deepEqual(sources.find(({ origin }) => origin === "pasted")?.leftOut, { no_question: 1 });
    const again = await proposed(account, { panelId, searches: window });
    assert.deepEqual(again.proposals, (await proposed(account, { panelId, searches: window })).proposals);
  });

  test("searches and brands are those of the project that the caller may read", async () => {
    const account = await service.account();
    const project = async (name: string) =>
      (await account.call<ProjectRecord>("POST", "/v1/projects", { body: { name } })).body.projectId;
    const [one, other] = [await project("One"), await project("Other")];
    const oneWord = await importTo(account, "One panel", ["one secretword"]);
    const otherWord = await importTo(account, "Other panel", ["other secretword"]);
    const move = (projectId: string, panelIds: string[]) => account.call("POST", `/v1/projects/${projectId}/contents`, { body: { panelIds } }); // prettier-ignore
    assert.equal((await move(one, [oneWord])).status, 200);
    assert.equal((await move(other, [otherWord])).status, 200);
    await entity(account, "One secretword", "own", `?project=${other}`);
    const limited = await tokenWith(service, account, ["panels:write"], [one]);
    const call = { call: limited.call };
    const texts = async (body: PromptProposalRequest, query = "") =>
      (await proposed(call, body, query)).proposals.map(({ text, branded }) => [text, branded]);
    assert.deepEqual(await texts({ searches: window }), [["one secretword", false], ["Is a burr grinder worth it?", false]]); // prettier-ignore
    assert.deepEqual(await texts({ searches: window }, `?project=${one}`), await texts({ searches: window }));
    assert.equal((await ask(call, { searches: window }, `?project=${other}`)).status, 404);
    assert.equal((await ask(call, { panelId: otherWord, searches: window })).status, 404);
    const foreign = await ask(call, { searches: { ...window, panelIds: [oneWord, otherWord] } });
    assert.deepEqual([foreign.status, foreign.body.errors?.[0]?.pointer], [422, "/searches/panelIds/1"]);
    const stranger = await service.account();
    assert.equal((await ask(stranger, { panelId: oneWord, searches: window })).status, 404);
    assert.deepEqual((await proposed(stranger, { searches: window })).proposals, []);
  });

  test("what can't be done is refused with its place, and nothing is requested of an address that is not public", async () => {
    const account = await service.account();
    const before = site.connections();
    const cases: [object, string][] = [
      [{}, ""],
      [{ searches: null }, ""],
      [{ site: { address: "https://10.0.0.1/" } }, "/site/address"],
      [{ site: { address: "file:///etc/passwd" } }, "/site/address"],
      [{ site: { address: "https://user:secret@example.com/" } }, "/site/address"],
      [{ site: { address: "nowhere" } }, "/site/address"],
      [{ searches: { from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z" } }, "/searches/from"],
      [{ searches: { panelIds: [newId()] } }, "/searches/panelIds/0"],
      [{ templates: { topics: Array.from({ length: 21 }, () => "x") } }, "/templates/topics"],
      [{ templates: { languages: ["tlh"] } }, "/templates/languages/0"],
    ];
    for (const [body, pointer] of cases) {
      const reply = await ask(account, body);
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.pointer], [422, pointer], reply.text);
    }
    const reader = await account.withToken({ scopes: ["panels:read"] });
    assert.equal((await ask(reader, { questions: { text: "Why?" } })).status, 403);
    assert.equal(site.connections(), before);
  });

  test("a large export is computed in a process of its own, and its reply is bounded", async () => {
    const account = await service.account();
    const rows = Array.from(
      { length: 30_000 },
      (_, n) => `coffee grinder model ${n} ${"(".repeat(n % 50)},${n},${2 * n},1%,3`,
    );
    const { proposals, more, draw } = await proposed(account, { searchConsole: { csv: `Top queries,Clicks,Impressions,CTR,Position\n${rows.join("\n")}` } }); // prettier-ignore
    assert.deepEqual([proposals.length, more, draw.settings.rows], [2_000, 28_000, 30_000]);
    assert.equal(proposals[0]?.evidence[0]?.clicks, 29_999);
  });
});

suite("the frame of a panel", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const propose = async (account: TestAccount) => {
    const { status, body, text } = await account.call<PromptProposals>("POST", "/v1/prompt-proposals", {
      body: { templates: { topics: ["grinder", "mill"] }, questions: { text: "Why grind at all? Is it loud?" } },
    });
    assert.equal(status, 200, text);
    return body;
  };
  const panelOf = (prompts: PanelInput["prompts"], more: Partial<PanelInput> = {}): PanelInput => ({
    ...{ name: "Framed", platforms: ["simulator"], prompts },
    ...more,
  });
  const write = (account: TestAccount, body: PanelInput, panelId?: string) =>
    account.call<PanelRecord & Problem>(panelId === undefined ? "POST" : "PUT", `/v1/panels${panelId === undefined ? "" : `/${panelId}`}`, { body }); // prettier-ignore
  const counts = (frame: PanelRecord["frame"]) => frame && [frame.proposals, frame.chosen, frame.written, frame.chosenByOrigin.template, frame.chosenByOrigin.pasted]; // prettier-ignore

  test("is kept with each revision, follows its prompts, and changes nothing of what is asked", async () => {
    const account = await service.account();
    const { proposals, draw } = await propose(account);
    assert.equal(proposals.length, 6);
    const chosen = proposals.slice(0, 3).map(({ text, origins }) => ({ text, origins }));
    const plain = await write(account, panelOf([...chosen.map(({ text }) => ({ text })), { text: "By hand?" }]));
    assert.equal("frame" in plain.body, false);
    const { status, body, text } = await write(account, panelOf([...chosen, { text: "By hand?" }], { frame: { draws: [draw] } })); // prettier-ignore
    assert.equal(status, 201, text);
    assert.equal(body.digest, plain.body.digest);
    assert.equal(body.prompts.some((prompt) => "origins" in prompt), false); // prettier-ignore
    assert.deepEqual(counts(body.frame)?.slice(0, 3), [6, 3, 1]);
    assert.deepEqual(body.frame?.draws, [draw]);
    // A client that knows nothing of it sends the panel as it was told.
    const second = await write(
      account,
      panelOf([...body.prompts.slice(1), { text: "Another by hand?" }]),
      body.panelId,
    );
    assert.deepEqual([second.body.revision, counts(second.body.frame)?.slice(0, 3)], [2, [6, 2, 2]]);
    const first = await account.get<PanelRecord>(`/v1/panels/${body.panelId}?revision=1`);
    assert.deepEqual(counts(first.body.frame)?.slice(0, 3), [6, 3, 1]);
    // It can be told later, and taken back, without another revision.
    const told = await write(account, panelOf([...chosen, { text: "By hand?" }], { frame: { draws: [draw, draw] } }), plain.body.panelId); // prettier-ignore
    assert.deepEqual([told.body.revision, counts(told.body.frame)?.slice(0, 3)], [1, [12, 3, 1]]);
    const forgotten = await write(account, panelOf(plain.body.prompts, { frame: { draws: [] } }), plain.body.panelId);
    assert.deepEqual([forgotten.body.revision, forgotten.body.frame], [1, undefined]);
  });

  test("never says that more was chosen than was proposed, and is bounded", async () => {
    const account = await service.account();
    const { draw } = await propose(account);
    const prompts = (count: number, origins: PromptOrigin[]) => Array.from({ length: count }, (_, n) => ({ text: `Prompt ${n}?`, origins })); // prettier-ignore
    for (const [list, draws] of [
      [prompts(3, ["pasted"]), [draw]],
      [prompts(7, ["template"]), [draw]],
      [prompts(1, ["search"]), [draw]],
    ] as const) {
      const { status, body } = await write(account, panelOf(list, { frame: { draws: [...draws] } }));
      assert.deepEqual([status, body.errors?.[0]?.pointer], [422, "/frame/draws"]);
    }
    const many = await write(account, panelOf([{ text: "x?" }], { frame: { draws: Array.from({ length: 21 }, () => draw) } })); // prettier-ignore
    assert.equal(many.status, 422);
    const strange = await write(account, panelOf([{ text: "x?", origins: ["elsewhere"] as never }]));
    assert.equal(strange.body.errors?.[0]?.pointer, "/prompts/0/origins/0");
  });

  test("stands in the report as numbers and as a sentence; without one, the report says that it is not known", async () => {
    const account = await service.account();
    const { proposals, draw } = await propose(account);
    const framed = await write(account, panelOf([...proposals.slice(0, 2).map(({ text, origins }) => ({ text, origins })), { text: "By hand?" }], { frame: { draws: [draw] } })); // prettier-ignore
    const unframed = await createPanel(account);
    const report = async (panelId: string) =>
      (await account.get<PanelReport>(`/v1/panels/${panelId}/report?${march}`)).body;
    const { frame } = await report(framed.body.panelId);
    assert.deepEqual([frame?.proposals, frame?.chosen, frame?.written, "draws" in (frame ?? {})], [6, 2, 1, false]);
    assert.equal("frame" in (await report(unframed.panelId)), false);
  });
});

test("the sentence of a report names each origin that has proposals, in every language", () => {
  const none = { search: 0, search_console: 0, page: 0, template: 0, pasted: 0 };
  const frame = { proposals: 1_312, byOrigin: { ...none, search_console: 1_180, pasted: 200 }, chosen: 45, chosenByOrigin: { ...none, pasted: 45 }, written: 5 }; // prettier-ignore
  assert.equal(
    frameSentence(frame, languages.en.page),
    "How the prompts were chosen: of 50 prompts, 45 were chosen from 1,312 proposals (1,180 from Search Console, 200 from pasted questions), and 5 were written by hand. A proposal can have several origins.",
  );
  for (const [language, { page }] of Object.entries(languages)) {
    const { count } = page.numbers;
    for (const part of [50, 45, 1_312, 1_180, 200, 5])
      assert.ok(frameSentence(frame, page).includes(count(part)), language);
    assert.notEqual(frameSentence(undefined, page), "");
  }
});
