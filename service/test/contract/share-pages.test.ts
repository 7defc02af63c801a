/** docs/reference/api.md#open-a-shared-answer. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { PlatformList } from "@querent/contract";
import { maintainResults } from "../../src/tasks/index.ts";
import { refused, startTestService, type ServiceAnswer } from "../harness/service.ts";
import { s3Keys, startS3 } from "../harness/s3.ts";

const service = await startTestService();
const account = await service.account();

const shareOf = (question = "cards=product,video sources=2", more: object = {}) =>
  account.answerTo(question, { options: { output: "share_link" }, ...more });
/** The path of an address of this service. */
const pathOf = (address: string | null) => {
  assert.ok(address !== null && address.startsWith(`${service.address}/`), String(address));
  return address.slice(service.address.length);
};
const open = (path: string, headers: Record<string, string> = {}): Promise<ServiceAnswer<unknown>> =>
  service.call("GET", path, { headers });

describe("a shared answer", () => {
  test("comes with the record, and is opened by anybody who has its address", async () => {
    const task = await shareOf();
    assert.equal(task.state, "completed");
    assert.equal(task.availability?.share, "present");
    assert.equal(task.availability?.screenshot, "not_requested");
    const page = await open(pathOf(task.shareUrl));
    assert.equal(page.status, 200);
    assert.match(page.text, /cards=product,video sources=2/);
    assert.match(page.text, /Simulated product 1/);
    assert.match(page.text, /recorded by Querent/);
  });

  test("runs no script, is indexed by nobody, sets no cookie, and has no hold on the API's origin", async () => {
    const { headers } = await open(pathOf((await shareOf()).shareUrl));
    const policy = headers["content-security-policy"] ?? "";
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
      assert.ok(policy.includes(rule), policy);
    assert.match(policy, /sandbox(?! [^;]*allow-(scripts|same-origin))/);
    assert.doesNotMatch(policy, /script-src|https?:/);
    assert.match(headers["x-robots-tag"] ?? "", /noindex/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["set-cookie"], undefined);
  });

  test("leaves its address out of the log", async () => {
    const path = pathOf((await shareOf()).shareUrl);
    await open(path);
    await open(`${path}?more`);
    const told = JSON.stringify(service.events);
    assert.ok(told.includes('"path":"/s/{token}"'));
    assert.ok(!told.includes(path.split("/").at(-1) ?? ""));
  });

  test("has an address of its own, with 256 bits that nobody can guess", async () => {
    const [one, two] = await Promise.all([shareOf("a"), shareOf("a")]);
    const tokens = [one, two].map(({ shareUrl }) => Buffer.from((shareUrl ?? "").split("/").at(-1) ?? "", "base64url"));
    for (const token of tokens) assert.equal(token.length, 16 + 32);
    assert.notDeepEqual(tokens[0]?.subarray(16), tokens[1]?.subarray(16));
  });

  test("is found by no address but its own: not by a changed one, nor by one for something else", async () => {
    const path = pathOf((await shareOf()).shareUrl);
    const token = path.split("/").at(-1) ?? "";
    const changed = `${token.slice(0, 30)}${token[30] === "A" ? "B" : "A"}${token.slice(31)}`;
    for (const other of [changed, token.slice(1), `${token}A`, "a", "%00", "..%2f..%2fetc", token.toLowerCase()])
      refused(await open(`/s/${other}`), "not_found");
    refused(await open(`/screenshots/${token}`), "not_found");
    refused(await open("/s/"), "not_found");
  });

  test("is gone once the result has expired, also when its day has been dropped; the record says so too", async () => {
    const task = await shareOf();
    const path = pathOf(task.shareUrl);
    for (const table of ["tasks", "task_results", "artifacts"])
      await service.database.query(
        `update ${table} set expires_at = now() - interval '1 second' where ${table === "tasks" ? "id" : "task_id"} = $1`,
        [task.taskId],
      );
    refused(await open(path), "gone");
    assert.equal((await account.task(task.taskId)).shareUrl, null);
    await service.database.query("delete from artifacts where task_id = $1", [task.taskId]);
    await maintainResults(service.database);
    refused(await open(path), "gone");
  });

  test("refuses people in a page, with the same status", async () => {
    const answer = await fetch(`${service.address}/s/nothing`, { headers: { accept: "text/html,*/*" } });
    assert.equal(answer.status, 404);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(answer.headers.get("x-robots-tag") ?? "", /noindex/);
    assert.match(await answer.text(), /There is nothing at this address/);
  });

  test("asks for fonts that are there, for a year, and for anybody", async () => {
    const task = await shareOf("研磨度 ☕ قهوة");
    const { text } = await open(pathOf(task.shareUrl));
    const files = [...text.matchAll(/url\(\.\.\/fonts\/([^)]+)\)/g)].map(([, file = ""]) => file);
    assert.ok(files.length >= 4);
    for (const file of files) {
      const font = await open(`/fonts/${file}`);
      assert.equal(font.status, 200);
      assert.equal(font.headers["content-type"], "font/woff2");
      assert.equal(font.headers["access-control-allow-origin"], "*");
      assert.match(font.headers["cache-control"] ?? "", /immutable/);
    }
    for (const file of ["index.css", "..%2fpackage.json", "nothing.woff2"])
      refused(await open(`/fonts/${file}`), "not_found");
  });

  test("costs what the platform's settings say, and is listed as an output", async () => {
    const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
    for (const platform of platforms) {
      if (platform.kind !== "web") assert.ok(platform.outputs.includes("share_link"), platform.platformCode);
    }
    const task = await account.answerTo("How fine for espresso?", {
      platformCode: "sample",
      options: { output: "share_link" },
    });
    assert.equal(task.chargedPoints, 3);
    assert.ok(task.shareUrl);
  });

  test("is in the notification, as in the record", async () => {
    const task = await shareOf();
    const { body } = await account.get<{ events: { payload: { task: { taskId: string; shareUrl: string } } }[] }>(
      "/v1/events?limit=100",
    );
    const told = JSON.stringify(body);
    assert.ok(told.includes(task.shareUrl ?? "?"));
  });
});

test("an address may open so many pages a minute, whatever it tries", async () => {
  const limited = await startTestService({ environment: { QUERENT_PAGE_REQUESTS_PER_MINUTE: "5" } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => limited.call("GET", "/s/guess")));
  assert.equal(answers.filter(({ status }) => status === 404).length, 5);
  for (const answer of answers.filter(({ status }) => status !== 404)) refused(answer, "rate_limited");
  await limited.stop();
});

test("the public address is the operator's, with its path", async () => {
  const other = await startTestService({ environment: { QUERENT_PUBLIC_URL: "https://answers.example.com/querent/" } });
  const task = await (await other.account()).answerTo("a", { options: { output: "share_link" } });
  assert.match(task.shareUrl ?? "", /^https:\/\/answers\.example\.com\/querent\/s\/[\w-]{64}$/);
  await other.stop();
});

test("a page that can't be kept fails the task, which costs nothing and is not asked again", async () => {
  const broken = await startTestService({
    environment: {
      QUERENT_ARTIFACTS_S3_BUCKET: "b",
      QUERENT_ARTIFACTS_S3_ENDPOINT: "http://127.0.0.1:9",
      QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID: "a",
      QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY: "very-secret",
    },
  });
  const caller = await broken.account();
  const task = await caller.answerTo("a", { options: { output: "share_link" } });
  assert.equal(task.state, "failed");
  assert.equal(task.failure?.code, "output_unavailable");
  assert.equal(task.failure?.stage, "artifact");
  assert.equal(task.failure?.attempts, 1);
  assert.equal(task.chargedPoints, 0);
  assert.doesNotMatch(JSON.stringify([task, broken.events]), /very-secret/);
  assert.ok(broken.events.some(({ event }) => event === "artifact.failed"));
  assert.equal((await caller.answerTo("a")).state, "completed");
  await broken.stop();
});

test("pages are kept in a bucket just as well", async () => {
  const s3 = await startS3("pages");
  after(() => s3.stop());
  const { endpoint, bucket, region } = s3.settings;
  const { accessKeyId, secretAccessKey } = s3Keys;
  const other = await startTestService({
    environment: {
      QUERENT_ARTIFACTS_S3_BUCKET: bucket,
      QUERENT_ARTIFACTS_S3_ENDPOINT: endpoint,
      QUERENT_ARTIFACTS_S3_REGION: region,
      QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID: accessKeyId,
      QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  const task = await (await other.account()).answerTo("in a bucket", { options: { output: "share_link" } });
  const page = await other.call("GET", new URL(task.shareUrl ?? "").pathname);
  assert.equal(page.status, 200);
  assert.match(page.text, /in a bucket/);
  await other.stop();
  await s3.stop();
});
