/** A client that knows the interface only asks the two web platforms of a service that nobody has set up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPublicKeys, verifyEvidence } from "@querent/evidence";
import { readZip } from "../../../../evidence/src/read-zip.ts";
import type { PlatformList, PlatformRecord, TaskRecord } from "@querent/contract";
import { loadExampleRecipe } from "../../../src/platforms/index.ts";
import { startTestService, type TestAccount } from "../../harness/service.ts";

const codes = ["chatgpt-web", "gemini-web"] as const;
const browserPath = process.env["QUERENT_BROWSER_PATH"];
const environment = {
  QUERENT_STAND_INS: "on",
  QUERENT_BROWSER_CONTEXTS: "4",
  ...(browserPath === undefined ? {} : { QUERENT_BROWSER_PATH: browserPath }),
};
const service = await startTestService({ environment });

const platformOf = async (account: TestAccount, code: string): Promise<PlatformRecord> => {
  const { body } = await account.get<PlatformList>("/v1/platforms");
  return body.platforms.find(({ platformCode }) => platformCode === code) ?? assert.fail(code);
};

test("both are listed as stand-ins that can be asked, with the command that sets the real page up", async () => {
  const account = await service.account();
  for (const code of codes) {
    const platform = await platformOf(account, code);
    assert.deepEqual(
      [platform.kind, platform.configured, platform.standIn, platform.resultFormats],
      ["web", true, true, ["json", "html", "all"]],
    );
    assert.match(platform.name, /: stand-in$/);
    assert.equal(platform.setUp?.command, `querentd session sign-in ${code}`);
  }
  const other = await platformOf(account, "claude-web");
  assert.deepEqual([other.configured, other.standIn], [false, false]);
});

for (const platformCode of codes) {
  const asked = (options: object): Promise<TaskRecord> =>
    service.account().then((account) => account.answerTo("Which grinder?", { platformCode, options }));

  test(`${platformCode} with resultFormat all returns every field of the specification`, async () => {
    const record = await asked({ deepAnalysis: true, output: "answer", resultFormat: "all" });
    assert.equal(record.state, "completed", JSON.stringify(record.failure));
    assert.equal(record.options.output, "answer");
    assert.match(record.content ?? "", /^\*\*This answer is a stand-in: [a-z]+-web was not asked\.\*\*/);
    assert.match(record.pageHtml ?? "", /Stand-in for [a-z]+-web/);
    const cards = [...record.products, ...record.videos, ...record.media];
    assert.deepEqual(
      cards.map(({ position }) => position).toSorted((a, b) => a - b),
      cards.map((_, index) => index + 1),
    );
    assert.deepEqual([record.products.length, record.videos.length, record.media.length], [1, 1, 1]);
    assert.equal(record.sources.length, 3);
    assert.equal(record.searchProcess?.length, 1);
    assert.equal(record.reasoningProcess?.length, 2);
    assert.equal(record.modelVersion, "stand-in-1-deep");
    assert.ok(record.observedAt !== null);
    assert.ok(record.chargedPoints > 0);
  });

  test(`an answer of ${platformCode} says in its record, its observation and its evidence that a stand-in gave it`, async () => {
    const account = await service.account();
    const record = await account.answerTo("Why?", { platformCode, options: {} });
    const provenance = {
      kind: "sample",
      platform: platformCode,
      endpoint: `http://${platformCode}.stand-in.invalid/`,
      region: null,
      standIn: true,
    };
    assert.deepEqual(record.provenance, provenance);
    const { rows } = await service.database.query<{ platform_kind: string; recipe: string }>(
      "select platform_kind, recipe from observations where account_id = $1",
      [account.accountId],
    );
    assert.deepEqual(rows, [{ platform_kind: "sample", recipe: loadExampleRecipe().sha256 }]);
    const response = await fetch(`${service.address}/v1/tasks/${record.taskId}/evidence`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const keys = readPublicKeys((await service.call("GET", "/.well-known/querent-evidence-keys")).text);
    const bytes = Buffer.from(await response.arrayBuffer());
    const verdict = verifyEvidence(bytes, keys);
    assert.ok(verdict.verdict === "authentic", verdict.sentence);
    const files = new Map([...readZip(bytes).files].map(([name, content]) => [name, String(content)]));
    const kept = JSON.parse(files.get("record.json") ?? "{}") as TaskRecord;
    assert.deepEqual(kept.provenance, provenance);
    assert.match(files.get("page.html") ?? "", /no assistant and no model was asked/);
    assert.match(files.get("captures/page.html") ?? "", /Stand-in for/);
  });

  test(`${platformCode} with resultFormat json has no page, and with html only the page`, async () => {
    const [json, html] = await Promise.all([asked({ resultFormat: "json" }), asked({ resultFormat: "html" })]);
    assert.deepEqual([json.pageHtml, json.availability?.pageHtml], [null, "not_requested"]);
    assert.ok(json.content !== null && json.sources.length === 3);
    assert.deepEqual([html.content, html.sources, html.products], [null, [], []]);
    assert.match(html.pageHtml ?? "", /Stand-in for/);
  });
}
