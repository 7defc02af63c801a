/** npm run check: all static checks. Runs all of them and prints a summary. The exit code is 1 if any fails. */
import { spawn } from "node:child_process";
import { basename, join } from "node:path";
import { realpathSync } from "node:fs";

interface Ended {
  readonly code: number | null;
  readonly said: string;
  readonly stdout: string;
}

interface Verdict {
  readonly state: "ok" | "failed" | "skipped";
  readonly detail: string;
}

const root = join(import.meta.dirname, "..");
const registryTimeoutMs = 60_000;

const checks: Readonly<Record<string, () => Promise<Verdict>>> = {
  format: () => tool("oxfmt", ["--check", "."], "npm run format puts it right."),
  lint: () => tool("oxlint", ["--quiet"]),
  types: () => tool("tsc", ["-p", "."]),
  console: () => tool("tsc", ["-p", "console"]),
  "its tests": () => tool("tsc", ["-p", "console/test"]),
  unused: () => tool("knip", ["--no-progress"]),
  generated: () => script("tools/reference.ts", ["--check"]),
  openapi: () => script("tools/lint-openapi.ts", []),
  audit: auditDependencies,
};

const startedAt = performance.now();
const verdicts = await Promise.all(
  Object.entries(checks).map(async ([name, check]) => {
    const from = performance.now();
    const verdict = await check();
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    if (verdict.state === "failed") console.error(`\n── ${name}\n${verdict.detail}`);
    return { name, seconds, ...verdict };
  }),
);
console.log("");
for (const { name, seconds, state, detail } of verdicts) {
  console.log(
    `${state.padEnd(8)} ${name.padEnd(10)} ${seconds.padStart(5)} s${state === "skipped" ? `  ${detail}` : ""}`,
  );
}
const failed = verdicts.filter(({ state }) => state === "failed").length;
console.log(
  `\n${failed === 0 ? "All checks passed" : `${failed} of ${verdicts.length} checks failed`}, ${Math.round((performance.now() - startedAt) / 1000)} s.`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** The path of a program of an installed package. */
async function tool(name: string, args: readonly string[], advice = ""): Promise<Verdict> {
  const program = realpathSync(join(root, "node_modules", ".bin", name));
  return judge(await end([process.execPath, program, ...args]), advice);
}

async function script(path: string, args: readonly string[]): Promise<Verdict> {
  return judge(await end([process.execPath, "--disable-warning=ExperimentalWarning", join(root, path), ...args]), "");
}

function judge({ code, said }: Ended, advice: string): Verdict {
  return code === 0 ? { state: "ok", detail: "" } : { state: "failed", detail: `${said.trim()}\n${advice}`.trim() };
}

/** Known vulnerabilities of the dependencies, from the registry. Skipped if the registry does not respond. */
async function auditDependencies(): Promise<Verdict> {
  const path = process.env["npm_execpath"];
  const npm =
    path !== undefined && basename(path) === "npm-cli.js"
      ? [process.env["npm_node_execpath"] ?? process.execPath, path]
      : ["npm"];
  const { stdout } = await end([...npm, "audit", "--json"]);
  const counts = vulnerabilities(stdout);
  if (counts === null) return { state: "skipped", detail: "the registry does not answer audits" };
  const found = ["moderate", "high", "critical"].filter((severity) => (counts[severity] ?? 0) > 0);
  if (found.length === 0) return { state: "ok", detail: "" };
  const list = found.map((severity) => `${counts[severity]} ${severity}`).join(", ");
  return { state: "failed", detail: `Known vulnerabilities in dependencies: ${list}. Run \`npm audit\` for details.` };
}

function vulnerabilities(text: string): Record<string, number> | null {
  try {
    const report = JSON.parse(text) as { metadata?: { vulnerabilities?: Record<string, number> } };
    return report.metadata?.vulnerabilities ?? null;
  } catch {
    return null;
  }
}

function end([file = "", ...args]: readonly string[]): Promise<Ended> {
  const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], timeout: 5 * registryTimeoutMs });
  let said = "";
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 1, said: error.message, stdout }));
    child.once("close", (code) => resolve({ code, said, stdout }));
  });
}
