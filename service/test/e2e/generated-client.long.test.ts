/** Clients generated from the OpenAPI document compile, narrow tasks by their state, and work. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { openapiDocument, TaskRecord } from "@querent/contract";
import { cleanEnvironment } from "../harness/process.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";

const run = promisify(execFile);
const service = await startTestService();
const root = join(import.meta.dirname, "../../..");
const example = join(root, "examples/generated-client");
// In the example's folder, so that its packages are found.
const folder = mkdtempSync(join(example, "made-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("every task is of exactly one of the document's types, that of its state", async () => {
  const account = await service.account();
  const document = openapiDocument({ version: "1" });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "api");
  const validate = ajv.compile({ $ref: "api#/components/schemas/TaskRecord" });
  const pending = await account.ask("delay=30m");
  const records: TaskRecord[] = [
    await account.task(pending),
    await account.answerTo("cards=product,video,image sources=3 html=1", { options: { deepAnalysis: true } }),
    await account.answerTo("empty=1"),
    await account.answerTo("fail=platform_refused"),
    (await account.call<TaskRecord>("POST", `/v1/tasks/${pending}/cancellation`)).body,
  ];
  const completed = records[1]?.taskId ?? "";
  await service.database.query("update tasks set expires_at = now() where id = $1", [completed]);
  records.push(await account.task(completed));
  for (const record of records) assert.ok(validate(record), `${record.state} ${JSON.stringify(validate.errors)}`);
});

test("a generated TypeScript client compiles, and submits the batch of the README to a running service", async () => {
  const account = await service.account();
  copyFileSync(join(example, "client.ts"), join(folder, "client.ts"));
  writeFileSync(join(folder, "openapi.json"), (await service.call("GET", "/openapi.json")).text);
  const generator = join(example, "node_modules/openapi-typescript/bin/cli.js");
  await run(process.execPath, [generator, "openapi.json", "-o", "schema.d.ts"], { cwd: folder });
  const compiler = realpathSync(join(root, "node_modules/.bin/tsc"));
  const options =
    "--ignoreConfig --noEmit --strict --module nodenext --allowImportingTsExtensions --types node --skipLibCheck";
  await run(process.execPath, [compiler, ...options.split(" "), "client.ts"], { cwd: folder }).catch(
    (error: { stdout?: string }) => assert.fail(error.stdout ?? "it does not compile"),
  );
  const { stdout } = await run(process.execPath, ["client.ts", service.address, account.token], { cwd: folder });
  assert.equal(stdout.match(/^completed /gm)?.length, 2, stdout);
  assert.deepEqual(await submittedItems(account), readmeItems());
});

test("a program with generated types reads every member of a task, in any state and after it was narrowed", async () => {
  writeFileSync(join(folder, "openapi.json"), (await service.call("GET", "/openapi.json")).text);
  const generator = join(example, "node_modules/openapi-typescript/bin/cli.js");
  await run(process.execPath, [generator, "openapi.json", "-o", "schema.d.ts"], { cwd: folder });
  const members = Object.keys(TaskRecord.properties);
  const reads = (condition: string) =>
    `if (${condition}) { ${members.map((member) => `use(task.${member});`).join(" ")} }`;
  const states = ["pending", "completed", "failed", "canceled"];
  writeFileSync(
    join(folder, "reads.ts"),
    `import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";
const use = (value: unknown) => void value;
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:9" });
const { data: task } = await client.GET("/v1/tasks/{task_id}", { params: { path: { task_id: "x" } } });
if (task === undefined) throw new Error("none");
${["true", 'task.state !== "pending"', ...states.map((state) => `task.state === "${state}"`)].map(reads).join("\n")}
if (task.state === "failed") { const code: string = task.failure.code; use(code); }
if (task.state !== "pending") { const content: string | null = task.content; use(content?.length); }
if (task.state === "completed") { const at: string = task.completedAt; use(at); }
const sites: (string | undefined)[] = task.sources.map(({ domain, site }) => domain ?? site);
use(sites);
`,
  );
  const compiler = realpathSync(join(root, "node_modules/.bin/tsc"));
  const options =
    "--ignoreConfig --noEmit --strict --module nodenext --allowImportingTsExtensions --types node --skipLibCheck";
  await run(process.execPath, [compiler, ...options.split(" "), "reads.ts"], { cwd: folder }).catch(
    (error: { stdout?: string }) => assert.fail(error.stdout ?? "it does not compile"),
  );
});

const skip = spawnSync("python3", ["--version"]).status !== 0 && "python3 is not installed";

test(
  "generated Python classes compile, and submit the batch of the README to a running service",
  { skip },
  async () => {
    const account = await service.account();
    const env = cleanEnvironment({ PYTHONDONTWRITEBYTECODE: "1" });
    copyFileSync(join(example, "client.py"), join(folder, "client.py"));
    writeFileSync(join(folder, "openapi.json"), (await service.call("GET", "/openapi.json")).text);
    await run(process.execPath, [join(example, "generate-python.mjs"), "openapi.json", "models.py"], { cwd: folder });
    // With the standard library alone: -S leaves out the packages that this machine has.
    const python = (token: string) => run("python3", ["-S", "client.py", service.address, token], { cwd: folder, env });
    const { stdout } = await python(account.token);
    assert.equal(
      stdout,
      "completed 0 products, 0 videos: How fine should I grind for espresso?\n" +
        "completed 1 products, 1 videos: delay=2s cards=product,video sources=1\n",
    );
    assert.deepEqual(await submittedItems(account), readmeItems());
    await assert.rejects(python("qrt_wrong"), /\nNo valid access token: /);
  },
);

/** The batch that the README submits, with absent members as null. */
function readmeItems(): unknown[] {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const text = /QUESTIONS='(\[[^']*\])'/.exec(readme)?.[1] ?? assert.fail("README.md has no QUESTIONS");
  return (JSON.parse(text) as Partial<TaskRecord>[]).map(({ question, platformCode, clientReference }) => ({
    question,
    platformCode,
    clientReference: clientReference ?? null,
  }));
}

/** What the account has submitted, in the order of the batch. */
async function submittedItems(account: TestAccount): Promise<unknown[]> {
  const { tasks } = (await account.call<{ tasks: TaskRecord[] }>("GET", "/v1/tasks")).body;
  return tasks
    .toReversed()
    .map(({ question, platformCode, clientReference }) => ({ question, platformCode, clientReference }));
}
