/** A file that is not what was stored is a failure of the service, which its operator must be told. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Problem } from "@querent/contract";
import { startTestService } from "../harness/service.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-damaged-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const service = await startTestService({ environment: { QUERENT_DATA_DIR: folder }, faultsExpected: true });

test("evidence of which the first file is damaged in the store is an internal error, which the log explains", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?", { options: { output: "share_link" } });
  const stored = readdirSync(join(folder, "artifacts"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  assert.ok(stored.length > 0);
  for (const { parentPath, name } of stored) {
    const file = join(parentPath, name);
    writeFileSync(file, Buffer.alloc(statSync(file).size));
  }
  const response = await fetch(`${service.address}/v1/tasks/${taskId}/evidence`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  assert.equal(response.status, 500);
  const problem = (await response.json()) as Problem;
  assert.equal(problem.code, "internal");
  const fault = service.events.find((event) => event.event === "http.fault");
  assert.equal(fault?.requestId, problem.requestId);
  assert.match(String(fault?.error), /is not what was stored/);
});
