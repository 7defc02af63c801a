/** Reports of a panel that ran: whatever is changed in one afterwards, verification names it. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { EvidenceKeys, PanelRecord, PanelReport, PanelSeal, ReportShare } from "@querent/client";
import {
  publicKeyOf,
  readPublicKeys,
  verifyPanelSeal,
  writeReportZip,
  type PublicKey,
  type ReportFile,
} from "@querent/evidence";
import fc from "fast-check";
import { readZip } from "../../evidence/src/read-zip.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { createPanel, runPanel } from "../../service/test/insight/fixture.ts";
import { verifyReport } from "../src/verify-report.ts";
import { runCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());
const account = await service.account();

const prompts = [
  { text: "Which grinder? brands=Acme_Mills:1@1,Globex_Corp:1@2 sources=2", promptId: "which", topic: "grinders" },
  { text: "Which kettle? brands=Globex_Corp:1@1 sources=1", promptId: "kettle", topic: "kettles" },
  { text: "Is Acme Mills good? brands=Acme_Mills:1@1", promptId: "branded", topic: "grinders" },
  { text: "Which pan? fail=platform_refused", promptId: "refused", topic: "pans" },
];

async function observedPanel(): Promise<PanelRecord> {
  for (const [name, relation] of [
    ["Acme Mills", "own"],
    ["Globex Corp", "competitor"],
  ])
    assert.equal((await account.call("POST", "/v1/entities", { body: { name, relation } })).status, 201);
  const panel = await createPanel(account, { prompts });
  const sealed = await account.call<PanelSeal>("POST", `/v1/panels/${panel.panelId}/seal`);
  assert.equal(sealed.status, 200, sealed.text);
  for (let run = 0; run < 5; run++) assert.equal((await runPanel(account, panel.panelId)).status, 202);
  await until("every answer is observed, and every failed task recorded", async () => {
    const { rows } = await service.database.query<{ answers: number; failures: number }>(
      `select (select count(*)::int from observations where panel_id = $1) as answers,
              (select count(*)::int from panel_failures where panel_id = $1) as failures`,
      [panel.panelId],
    );
    return rows[0]?.answers === 15 && rows[0].failures === 5;
  });
  return panel;
}

const panel = await observedPanel();
const to = new Date(Date.now() + 3_600_000).toISOString();
const bytesOf = async (format: string) => {
  const response = await fetch(`${service.address}/v1/panels/${panel.panelId}/report?format=${format}&to=${to}`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString("utf8", 0, 500));
  return bytes;
};
const zip = await bytesOf("zip");
const keys = (await service.call<EvidenceKeys>("GET", "/.well-known/querent-evidence-keys")).body;
const published = readPublicKeys(JSON.stringify(keys));

/** The files of the report, changed, and signed with another key: what somebody would send who wants other figures. */
async function forged(change: (files: Map<string, Buffer>) => void): Promise<Buffer> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const files = new Map(readZip(zip).files);
  const manifest = JSON.parse(String(files.get("manifest.json"))) as Parameters<typeof writeReportZip>[0];
  files.delete("manifest.json");
  files.delete("manifest.sig");
  change(files);
  async function* list(): AsyncGenerator<ReportFile> {
    for (const [name, bytes] of files) yield { name, mediaType: "application/json", bytes };
  }
  const facts = { ...manifest, key: publicKeyOf(privateKey) };
  return Buffer.concat(await Array.fromAsync(writeReportZip(facts, list(), privateKey)));
}

const replaceIn = (name: string, replace: (text: string) => string) => (files: Map<string, Buffer>) => {
  const before = String(files.get(name));
  const after = replace(before);
  assert.notEqual(after, before);
  files.set(name, Buffer.from(after));
};
const refusal = (bytes: Buffer, trusted: readonly PublicKey[] | null = null) => {
  const verdict = verifyReport(bytes, trusted);
  assert.equal(verdict.verdict, "refused", "sentence" in verdict ? verdict.sentence : "");
  return verdict;
};

suite("a report as a zip", () => {
  test("is computed again offline, with the same figures as the report over HTTP, and is the same bytes each time", async () => {
    const verdict = verifyReport(zip, published);
    assert.equal(verdict.verdict, "authentic", verdict.sentence);
    assert.deepEqual([verdict.answers, verdict.grade], [15, "exploratory"]);
    assert.ok(verdict.figures > 20);
    assert.ok((await bytesOf("zip")).equals(zip));
    const overHttp = await account.get<PanelReport>(`/v1/panels/${panel.panelId}/report?to=${to}`);
    assert.deepEqual(JSON.parse(String(readZip(zip).files.get("report.json"))), overHttp.body);
    const { body } = overHttp;
    assert.deepEqual(
      body.revisions.map(({ revision, sealed, answers }) => [revision, sealed, answers]),
      [[1, "before_first_run", 15]],
    );
    const own = body.entities.find(({ relation }) => relation === "own")?.entityId;
    const presence = body.summary.find(({ measure, group }) => measure === "presence" && group.entityId === own);
    assert.equal(presence?.thesePrompts.value, 0.5);
    assert.ok(presence.thesePrompts.interval !== null);
  });

  test("is refused with any byte changed", () => {
    fc.assert(
      fc.property(fc.nat(zip.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(zip);
        changed[at] = (changed[at] ?? 0) ^ by;
        refusal(changed, published);
        refusal(changed);
      }),
      { numRuns: 300 },
    );
  });

  test("is refused with a foreign signature, whatever it says, by whoever names the service's keys", async () => {
    assert.equal(refusal(await forged(() => {}), published).reason, "unknown_key");
    assert.equal(verifyReport(await forged(() => {}), null).verdict, "intact");
  });

  test("without any one of its answers is refused, even if somebody signed it again, and the figure is named", async () => {
    const name = "observations/001.jsonl";
    for (let dropped = 0; dropped < 15; dropped++) {
      const without = await forged(replaceIn(name, (text) => text.split("\n").toSpliced(dropped, 1).join("\n")));
      const { reason, sentence } = refusal(without);
      assert.equal(reason, "wrong_figure");
      assert.match(
        sentence,
        /^The figure \w+\/\d+ of .*simulator \(sample\) is wrong .*computed again, it is .* made of 15 answers, and the zip has 14\.$/,
      );
    }
    const twice = await forged(replaceIn(name, (text) => `${text.split("\n")[0] ?? ""}\n${text}`));
    assert.equal(refusal(twice).reason, "wrong_observation");
  });

  test("without any one of its failed tasks, or with one that is none, is refused", async () => {
    const name = "failures/001.jsonl";
    const verdict = verifyReport(zip, published);
    assert.ok(verdict.verdict === "authentic" && verdict.failures === 5);
    for (let dropped = 0; dropped < 5; dropped++) {
      const without = await forged(replaceIn(name, (text) => text.split("\n").toSpliced(dropped, 1).join("\n")));
      assert.match(refusal(without).sentence, /figure \w+\/1 of .*simulator \(sample\) is wrong|\/grade\/rules/);
    }
    assert.match(refusal(await forged((files) => void files.delete(name))).sentence, /failure_rate\/1|\/grade\/rules/);
    const other = await forged(replaceIn(name, (text) => text.replace("platform_refused", "platform_timeout")));
    assert.match(refusal(other).sentence, /figure refusal_rate\/1/);
    const twice = await forged(replaceIn(name, (text) => `${text.split("\n")[0] ?? ""}\n${text}`));
    assert.match(refusal(twice).sentence, /The failed task in line 2 .* is not where it belongs, or there twice/);
    const foreign = await forged(replaceIn(name, (text) => text.replace(panel.panelId, account.accountId)));
    assert.match(refusal(foreign).sentence, /The failed task in line 1 .* is of another panel/);
    assert.match(refusal(await forged((files) => void files.set(name, Buffer.from("{}\n")))).sentence, /can't be read/);
  });

  test("of another version's definitions is not called wrong: it says which version verifies it", async () => {
    const before = await forged(
      replaceIn("report.json", (text) => text.replace('"querent-report/2"', '"querent-report/1"')),
    );
    assert.match(refusal(before).sentence, /with other definitions .* Verify it with Querent \d/);
    assert.equal(refusal(before).reason, "other_definitions");
    // Its facts are those of its version, of which this one can make nothing.
    const facts = await forged((files) => {
      replaceIn("report.json", (text) => text.replace('"querent-report/2"', '"querent-report/1"'))(files);
      files.set("facts.json", Buffer.from("{}"));
    });
    assert.match(refusal(facts).sentence, /with other definitions .* Verify it with Querent \d/);
    const definition = await forged(replaceIn("report.json", (text) => text.replace('"presence/1"', '"presence/0"')));
    assert.equal(refusal(definition).reason, "other_definitions");
  });

  test("with another figure, observation, seal or question is refused, and what is wrong is named", async () => {
    const sentenceOf = async (change: Parameters<typeof forged>[0]) => refusal(await forged(change)).sentence;
    const figure = await sentenceOf(
      replaceIn("report.json", (text) => text.replace('"value": 0.5,', '"value": 0.75,')),
    );
    assert.match(
      figure,
      /presence\/1 of Acme Mills, simulator \(sample\) is wrong .* states 0.75; computed again, it is 0.5/,
    );
    const grade = await sentenceOf(
      replaceIn("report.json", (text) => text.replace('"grade": "exploratory"', '"grade": "decision-grade"')),
    );
    assert.match(grade, /wrong at \/grade\/grade/);
    const observations = "observations/001.jsonl";
    // In all answers: the first may be to a prompt that names the brand, which is in no figure of it.
    assert.match(
      await sentenceOf(replaceIn(observations, (text) => text.replace(/"entityId":"[^"]+"/g, '"entityId":"x"'))),
      /figure|wrong at/,
    );
    assert.match(
      await sentenceOf(replaceIn(observations, (text) => text.replace(panel.panelId, account.accountId))),
      /line 1 of observations\/001.jsonl is of another panel/,
    );
    assert.match(
      await sentenceOf(replaceIn("revisions.json", (text) => text.replace("Which grinder?", "Which mill?"))),
      /revision 1 of the panel asks does not have the digest/,
    );
    assert.match(
      await sentenceOf(replaceIn("facts.json", (text) => text.replace('"runsBefore": 0', '"runsBefore": 1'))),
      /The seal of revision 1/,
    );
    assert.match(await sentenceOf((files) => void files.delete("facts.json")), /facts.json is missing/);
    assert.match(await sentenceOf((files) => void files.set("facts.json", Buffer.from("{}"))), /facts.json|revisions/);
    assert.match(await sentenceOf((files) => void files.set(observations, Buffer.from("{"))), /ends within a line/);
    assert.match(await sentenceOf((files) => void files.set(observations, Buffer.from("null\n"))), /can't be read/);
  });
});

suite("querent verify", () => {
  const querent = (...words: string[]) =>
    runCli(words, { url: service.address, token: account.token, home: home.path });

  test("seals, writes and shares reports on the command line", async () => {
    const sealed = await querent("panel", "seal", panel.panelId, "--text");
    assert.match(sealed.stdout, /^revision 1 was sealed at .*, before its first run/, sealed.stderr);
    const shown = await querent("panel", "report", panel.panelId, "--to", to, "--text");
    assert.match(shown.stdout, /grade: exploratory\n {2}Prompts \(exploratory\): Add prompts/);
    assert.match(shown.stdout, /Acme Mills +presence\/1 +simulator +50\.0 % .*20\.6 % to 79\.4 %/);
    for (const name of ["panel.zip", "panel.html", "panel.json"])
      assert.equal((await querent("panel", "report", panel.panelId, "--to", to, "-o", name)).code, 0);
    assert.ok(readFileSync(join(home.path, "panel.zip")).equals(zip));
    assert.match(readFileSync(join(home.path, "panel.html"), "utf8"), /Grade: Exploratory/);
    assert.equal((JSON.parse(readFileSync(join(home.path, "panel.json"), "utf8")) as PanelReport).counts.answers, 15);
    assert.notEqual((await querent("panel", "report", panel.panelId, "-o", "panel.txt")).code, 0);
    const looks = await querent("project", "looks", "default", "--name", "Northwind", "--color", "#b3261e", "--text");
    assert.equal(looks.stdout, "Northwind, #b3261e, no logo\n", looks.stderr);
    const kept = await querent("project", "looks", "default", "--no-color", "--text");
    assert.equal(kept.stdout, "Northwind, the colour of Querent, no logo\n");
    const file = await querent("project", "looks", "default", "--logo", "panel.html");
    assert.match(file.stderr, /It is not a PNG, JPEG or WebP picture/);
    assert.equal((await querent("project", "looks", "default", "--logo", "nowhere.png")).code, 2);
    assert.ok(readFileSync(join(home.path, "panel.zip")).equals(zip));
    const share = JSON.parse((await querent("panel", "share", panel.panelId, "--days", "1")).stdout) as ReportShare;
    assert.equal((await fetch(share.url ?? "")).status, 200);
    const changed = (...flags: string[]) =>
      querent("panel", "share", panel.panelId, "--change", share.shareId, ...flags);
    assert.equal((await changed()).code, 2);
    const weak = await runCli(["panel", "share", panel.panelId, "--change", share.shareId, "--password"], {
      ...{ url: service.address, token: account.token, home: home.path, input: "short\n" },
    });
    assert.match(weak.stderr, /password/);
    const locked = await runCli(["panel", "share", panel.panelId, "--change", share.shareId, "--password", "--text"], {
      ...{ url: service.address, token: account.token, home: home.path, input: "mule lantern violet 42\n" },
    });
    assert.match(locked.stdout, /, with a password$/m, locked.stderr);
    assert.equal((await fetch(share.url ?? "")).status, 401);
    const authorization = `Basic ${Buffer.from("any:mule lantern violet 42").toString("base64")}`;
    assert.equal((await fetch(share.url ?? "", { headers: { authorization } })).status, 200);
    assert.equal((await changed("--no-password")).code, 0);
    assert.equal((await fetch(share.url ?? "")).status, 200);
    assert.equal((await querent("panel", "share", panel.panelId, "--revoke", share.shareId)).code, 0);
    assert.equal((await fetch(share.url ?? "")).status, 410);
  });

  test("verifies a report, and says no of a changed one", async () => {
    writeFileSync(join(home.path, "report.zip"), zip);
    writeFileSync(join(home.path, "keys.json"), JSON.stringify(keys));
    const verified = await querent("verify", "report.zip", "--key", "keys.json", "--text");
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /^Authentic: .* 15 answers .* exploratory/);
    writeFileSync(join(home.path, "cut.zip"), readFileSync(join(home.path, "report.zip")).subarray(0, -1));
    const refused = await querent("verify", "cut.zip", "--text");
    assert.notEqual(refused.code, 0);
    assert.match(refused.stdout, /cut off/);
  });
});

suite("the seal of a panel", () => {
  test("is made once, can be verified offline, and says how many runs had started", async () => {
    const path = (id: string) => `/v1/panels/${id}/seal`;
    const { body: first } = await account.call<PanelSeal>("POST", path(panel.panelId));
    assert.deepEqual((await account.get<PanelSeal>(path(panel.panelId))).body, first);
    const content = verifyPanelSeal(first, published);
    assert.deepEqual([content?.digest, content?.runsBefore], [panel.digest, 0]);
    assert.equal(verifyPanelSeal({ ...first, seal: first.seal.replace(":0,", ":1,") }, published), null);

    const late = await createPanel(account);
    assert.equal((await account.get(path(late.panelId))).status, 404);
    assert.equal((await runPanel(account, late.panelId)).status, 202);
    const { body: sealed } = await account.call<PanelSeal>("POST", path(late.panelId));
    assert.equal(sealed.runsBefore, 1);
    const edited = { name: "Edited", prompts: [{ text: "Another?" }], platforms: ["simulator"] };
    assert.equal((await account.call("PUT", `/v1/panels/${late.panelId}`, { body: edited })).status, 200);
    assert.equal((await account.get(path(late.panelId))).status, 404);
    assert.equal((await account.get<PanelSeal>(`${path(late.panelId)}?revision=1`)).body.runsBefore, 1);
    const other = await service.account();
    assert.equal((await other.call("POST", path(late.panelId))).status, 404);
    assert.equal((await other.get(`/v1/panels/${panel.panelId}/report`)).status, 404);
  });
});
