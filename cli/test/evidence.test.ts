import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { pageArchive, pagePicture, picturedPlatform } from "../../service/test/harness/pictured-platform.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import { runCli, type CliOptions } from "./run-cli.ts";

const pictured = picturedPlatform();
const service = await startTestService({ environment: { QUERENT_CONFIG: pictured.config } });
test.after(() => pictured[Symbol.dispose]());
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());
const as = ({ token }: TestAccount): CliOptions => ({ url: service.address, token, home: home.path });

suite("evidence", () => {
  test("evidence is checked without a service, against keys to trust, and one changed byte is told", async () => {
    const account = await service.account();
    const { tasks } = await account.submit([{ question: "Why?", platformCode: "simulator", options: {} }]);
    const taskId = tasks[0]?.taskId ?? "";
    await account.get(`/v1/tasks/${taskId}`, { prefer: "wait=20" });
    const headers = { authorization: `Bearer ${account.token}` };
    const zip = Buffer.from(
      await (await fetch(`${service.address}/v1/tasks/${taskId}/evidence`, { headers })).arrayBuffer(),
    );
    const [file, keys] = [join(home.path, "evidence.zip"), join(home.path, "keys.json")];
    writeFileSync(file, zip);
    writeFileSync(keys, await (await fetch(`${service.address}/.well-known/querent-evidence-keys`)).text());
    const alone = { home: home.path };
    const right = await runCli(["--text", "verify", file, "--key", keys], alone);
    assert.deepEqual(
      [right.code, right.stdout.startsWith(`Authentic: the evidence of task ${taskId}`)],
      [0, true],
      right.stdout + right.stderr,
    );
    assert.match((await runCli(["--text", "verify", file], alone)).stdout, /^Intact: /);
    zip[200] = (zip[200] ?? 0) ^ 1;
    writeFileSync(file, zip);
    const changed = await runCli(["--json", "verify", file, "--key", keys], alone);
    assert.deepEqual(
      [changed.code, JSON.parse(changed.stdout).verdict],
      [9, "refused"],
      changed.stdout + changed.stderr,
    );
  });

  test("the picture and the archive of a page are saved alone, and one that is missing is said to be", async () => {
    const account = await service.account();
    const { taskId } = await account.answerTo("Why?", { platformCode: "pictured" });
    const path = (name: string) => join(home.path, name);
    const save = (only: string, name: string, id = taskId) =>
      runCli(["--text", "evidence", id, "--only", only, "-o", path(name)], as(account));
    const picture = await save("picture", "page.png");
    assert.deepEqual([picture.code, readFileSync(path("page.png"))], [0, pagePicture], picture.stderr);
    assert.match(picture.stdout, /page\.png, 70 bytes\. Its SHA-256 is that of the task's record\./);
    const archive = await save("archive", "page.wacz");
    assert.deepEqual([archive.code, readFileSync(path("page.wacz"))], [0, pageArchive], archive.stderr);
    const wrong = await save("archive", "page.zip");
    assert.deepEqual([wrong.code, /must end with \.wacz/.test(wrong.stderr)], [2, true], wrong.stderr);
    const other = await account.answerTo("Why without archive?", { platformCode: "pictured" });
    const none = await save("archive", "none.wacz", other.taskId);
    assert.notEqual(none.code, 0);
    assert.match(none.stderr, /The archive is missing: The archive could not be written\./);
  });
});
