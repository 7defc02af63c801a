import type { TaskOptions } from "@querent/contract";
import { composeResult } from "../../answers/index.ts";
import type { ApiStep, Outcome, Platform } from "../../platforms/index.ts";
import { createBrowserPool, whyNoBrowser } from "../browsers.ts";
import type { PlatformSessions } from "../../sessions/index.ts";
import { withSessions } from "./with-sessions.ts";
import { CommandError } from "./command-error.ts";
import { readConfig, type Config } from "../config.ts";
import { readPlatformSettings, type PlatformSettings } from "../platform-settings.ts";
import { createPlatforms, standInOf } from "../platforms.ts";

/** How much of a body is shown; `--json` shows all of it. */
const shownCharsMax = 4_000;

/** `querentd platform test`: one question, with its request and response. Needs no database, but uses the sessions of one. */
export async function testPlatform(
  code: string,
  text: string,
  { deep = false, json = false }: { deep?: boolean; json?: boolean },
): Promise<void> {
  const config = readConfig(process.env);
  const all = readPlatformSettings(config.config);
  const own = all.get(code);
  if (own === undefined) throw new CommandError(`There is no platform ${code}. Known: ${[...all.keys()].join(", ")}.`);
  const asked = { config, code, own, text, deep, json };
  // Only a web page has sessions.
  await (own.web === null ? askOnce(asked, null) : withSessions(config, (sessions) => askOnce(asked, sessions)));
}

interface Asked {
  readonly config: Config;
  readonly code: string;
  readonly own: PlatformSettings;
  readonly text: string;
  readonly deep: boolean;
  readonly json: boolean;
}

async function askOnce(
  { config, code, own, text, deep, json }: Asked,
  sessions: PlatformSessions | null,
): Promise<void> {
  const steps: ApiStep[] = [];
  const browsers = createBrowserPool(config, { onEvent: () => undefined });
  const standIn = standInOf(config);
  const [platform] = await createPlatforms({
    config,
    settings: new Map([[code, own]]),
    environment: process.env,
    browsers,
    sessions,
    standIn,
    noBrowser: await whyNoBrowser(config),
    onSampleProblem: (problem) => console.error(JSON.stringify(problem)),
    onApiStep: (step) => void steps.push(step),
  });
  if (platform === undefined || platform.missing !== null)
    throw new CommandError(`${code}: ${platform?.missing ?? "missing"}`);
  const options: TaskOptions = { deepAnalysis: deep, output: "answer", resultFormat: "json" };
  const question = { taskId: "00000000-0000-7000-8000-000000000000", text, options, attempt: 1 };
  let outcome: Outcome;
  try {
    outcome = await platform.ask(question, { signal: AbortSignal.timeout(own.runTimeoutSeconds * 1000) });
  } finally {
    await browsers.close();
    await standIn?.close();
  }
  if (outcome.kind !== "answered") process.exitCode = 1;
  const report = outcomeOf(outcome, platform, options);
  process.stdout.write(json ? `${JSON.stringify({ steps, ...report }, null, 2)}\n` : describe(steps, report));
}

function outcomeOf(outcome: Outcome, platform: Platform, options: TaskOptions) {
  if (outcome.kind !== "answered") return { outcome };
  const { kind, consumption } = outcome;
  return { outcome: { kind, consumption }, result: composeResult(outcome.answer, platform, options) };
}

function describe(steps: readonly ApiStep[], report: object): string {
  const lines = steps.flatMap(({ sent, end, durationMs, api, endpoint }) => [
    `--- ${api} at ${endpoint}`,
    `> ${sent.method} ${sent.url}`,
    ...Object.entries(sent.headers).map(([name, value]) => `> ${name}: ${value}`),
    ...(sent.body === null ? [] : ["", indented(sent.body)]),
    "",
    `< ${end.kind === "received" ? end.status : end.kind} after ${durationMs} ms`,
    ...(end.kind === "received" ? Object.entries(end.headers).map(([name, value]) => `< ${name}: ${value}`) : []),
    ...("body" in end ? ["", indented(end.body)] : []),
    "",
  ]);
  const shown = [...lines, "--- what is made of it", JSON.stringify(report, null, 2)].map(printable);
  return `${shown.join("\n")}\n`;
}

/** JSON is indented; anything else is unchanged. */
function indented(body: string): string {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Shown as received.
  }
  const left = text.length - shownCharsMax;
  return left > 0 ? `${text.slice(0, shownCharsMax).toWellFormed()}\n… ${left} more characters` : text;
}

/** Without control characters, which a terminal would interpret. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
