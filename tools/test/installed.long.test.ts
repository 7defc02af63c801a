/** The packed service and command line, each installed by npm alone in an empty folder and used as a stranger would. Needs npm's registry. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, suite, test } from "node:test";
import { packAll } from "../packages.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-installed-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { cli, service } = await packAll(folder, ["cli", "service"]);
/** This Node first: the commands take the first one on PATH, as any installed command does. Colors are on where CI is set. */
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: undefined,
  NO_COLOR: "1",
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
};
const token = "qrt_0f3kQw9ZbTx2VnR7pLcA5uHs8YdJm1Ge4KoWi6NvXtB";

suite("installed into an empty folder", () => {
  test("the service runs, shows its console, and makes a screenshot; the command line asks it; both end", async () => {
    const serviceFolder = install("service", service);
    const cliFolder = install("cli", cli);

    await using running = await serve(serviceFolder);
    const env = { ...environment, QUERENT_URL: running.address, QUERENT_TOKEN: token };
    const asked = spawnSync(join(cliFolder, "node_modules/.bin/querent"), ["ask", "grind", "-p", "sample", "--json"], {
      cwd: cliFolder,
      env,
      encoding: "utf8",
    });
    succeeded(asked);
    assert.equal((JSON.parse(asked.stdout) as { state: string }).state, "completed");

    // The tools for assistants are a package that is loaded when it is needed.
    const tools = await fetch(`${running.address}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    assert.equal(tools.status, 200);
    assert.match(await tools.text(), /"figures"/);

    const page = await fetch(`${running.address}/console`);
    assert.equal(page.status, 200);
    const [, script] = /<script type="module" src="([^"]+)"/.exec(await page.text()) ?? [];
    assert.equal(
      (await fetch(`${running.address}${script}`)).headers.get("content-type"),
      "text/javascript; charset=utf-8",
    );

    const submitted = await fetch(`${running.address}/v1/tasks/batch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "idempotency-key": "screenshot",
        "content-type": "application/json",
      },
      body: JSON.stringify([{ question: "milk", platformCode: "sample", options: { output: "screenshot" } }]),
    });
    assert.equal(submitted.status, 202);
    const { tasks } = (await submitted.json()) as { tasks: { statusUrl: string }[] };
    const record = await finished(`${running.address}${tasks[0]?.statusUrl}`);
    assert.equal(record.state, "completed", JSON.stringify(record.failure));
    const image = await fetch(record.screenshotUrl ?? "");
    assert.equal(image.headers.get("content-type"), "image/png");
  });

  test("its operator's commands work on the data folder, and doctor finds every package", () => {
    const serviceFolder = join(folder, "service");
    const doctor = querentd(serviceFolder, ["doctor", "--json"]);
    const { findings } = JSON.parse(doctor.stdout) as { findings: { about: string; state: string; detail: string }[] };
    assert.deepEqual(
      findings.filter(({ about }) => about === "packages").map(({ state }) => state),
      ["ok"],
    );
    const listed = querentd(serviceFolder, ["account", "list", "--json"]);
    succeeded(listed);
    assert.match(listed.stdout, /default/);
  });
});

test("installed with --global, both have every package that they need, and start", () => {
  const prefix = join(folder, "global");
  succeeded(npmInstall(["--global", "--prefix", prefix, cli, service], folder));
  for (const name of ["cli", "service"]) {
    const installed = join(prefix, "lib/node_modules/@querent", name);
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const missing = Object.keys(dependencies).filter(
      (dependency) => !existsSync(join(installed, "node_modules", dependency, "package.json")),
    );
    assert.deepEqual(missing, [], name);
  }
  const env = { ...environment, QUERENT_DATA_DIR: join(prefix, "data"), DATABASE_URL: "" };
  succeeded(spawnSync(join(prefix, "bin/querentd"), ["migrate"], { env, encoding: "utf8" }));
  succeeded(spawnSync(join(prefix, "bin/querent"), ["--version"], { env, encoding: "utf8" }));
});

function install(name: string, tarball: string): string {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true }));
  succeeded(npmInstall([tarball], project));
  return project;
}

function npmInstall(words: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const always = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  return spawnSync("npm", [...always, ...words], { cwd, env: environment, encoding: "utf8" });
}

function serviceEnvironment(project: string): NodeJS.ProcessEnv {
  return {
    ...environment,
    QUERENT_PORT: "0",
    QUERENT_DATA_DIR: join(project, "data"),
    QUERENT_ACCESS_TOKEN: token,
    DATABASE_URL: "",
  };
}

function querentd(project: string, words: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(join(project, "node_modules/.bin/querentd"), words, {
    cwd: project,
    env: serviceEnvironment(project),
    encoding: "utf8",
  });
}

async function serve(project: string): Promise<AsyncDisposable & { readonly address: string }> {
  const child = spawn(join(project, "node_modules/.bin/querentd"), ["serve"], {
    cwd: project,
    env: serviceEnvironment(project),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[number | null, string | null]>;
  let printed = "";
  const address = await new Promise<string>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, found] = / API +(http:\S+)/.exec(printed) ?? [];
      if (found !== undefined && printed.includes("Stop with Ctrl-C")) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    void ended.then(() => reject(new Error(`querentd ended:\n${printed}`)));
  });
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      assert.deepEqual(await ended, [0, null], printed);
    },
  };
}

async function finished(url: string): Promise<{ state: string; failure: unknown; screenshotUrl: string | null }> {
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, prefer: "wait=30" } });
    const record = (await response.json()) as { state: string; failure: unknown; screenshotUrl: string | null };
    if (record.state !== "pending") return record;
  }
}

function succeeded({ status, stdout, stderr }: SpawnSyncReturns<string>): void {
  assert.equal(status, 0, `${stdout}${stderr}`);
}
