import { fontPath } from "../../answers/index.ts";
import { screenshotter } from "../../artifacts/index.ts";
import { Dispatcher, type RunEnd, type Work } from "../../dispatch/index.ts";
import type { Consumption } from "../../kernel/consumption.ts";
import { sealTask } from "../../evidence/index.ts";
import type { AskContext, Question } from "../../platforms/index.ts";
import { costOf, PlatformHealth } from "../../statistics/index.ts";
import {
  endTasks,
  LargeAnswers,
  loadQuestions,
  runTask,
  type ArtifactMaking,
  type RunResult,
} from "../../tasks/index.ts";
import { ServiceStack, type Service } from "../../runtime/service.ts";
import { closing } from "../closing.ts";
import type { Parts } from "../parts.ts";
import { webPlatforms } from "../platform-catalogue.ts";
import { version } from "../version.ts";
import { RunTraces } from "./trace-runs.ts";
import type { WakeUps } from "../wake-ups.ts";

export interface Worker extends Service {
  readonly dispatcher: Dispatcher<Question, RunResult>;
}

/** The role `worker`: claims tasks, asks the platforms and writes the ends. */
export function workerRole(parts: Parts, wakeUps: WakeUps): Worker {
  const { config, database, log, platforms, browserPool, workerBrowser, workerPlatforms, drift } = parts;
  const health = new PlatformHealth(database, parts.fault("platform health"));
  const largeAnswers = new LargeAnswers(() => dispatcher.roomForLargeResult());
  const dispatcher: Dispatcher<Question, RunResult> = new Dispatcher<Question, RunResult>(
    { database, log, work: workOf(parts, { wakeUps, health, largeAnswers }) },
    {
      platforms: workerPlatforms.codes,
      mayClaim: (platform) => workerPlatforms.canAsk(platform),
      slotsMax: config.workerSlots,
      accountSlotsMax: config.accountSlots ?? Math.ceil(config.workerSlots / 2),
      shared: { platforms: webPlatforms(platforms), slotsMax: browserPool.contextsMax },
      leavesBrowserTasks: (platform) => workerBrowser.areLeft(platform),
      name: `${process.pid}`,
      version,
      alone: parts.alone,
      peerPort: config.peerAddress ?? {},
    },
  );
  const node = {
    nodeId: () => dispatcher.nodeId,
    onChange: () => {
      workerPlatforms.changed();
      dispatcher.wake(workerPlatforms.codes);
    },
  };
  const stack = new ServiceStack();
  stack.add(closing(() => drift.flush()));
  stack.add(closing(() => health.flush()));
  stack.add(closing(() => browserPool.close()));
  stack.add({ start: () => workerBrowser.look(node), stop: () => workerBrowser.stop() });
  stack.add({ start: () => dispatcher.start(), stop: () => dispatcher.stop(config.drainSeconds * 1000) });
  stack.add({ start: () => workerBrowser.start(), stop: async () => undefined });
  stack.add(parts.sessions);
  stack.add(workerPlatforms.of(node.nodeId));
  return { dispatcher, start: () => stack.start(), stop: () => stack.stop() };
}

/** How the engine reads, runs and ends a task. */
function workOf(
  parts: Parts,
  {
    wakeUps,
    health,
    largeAnswers,
  }: { readonly wakeUps: WakeUps; readonly health: PlatformHealth; readonly largeAnswers: LargeAnswers },
): Work<Question, RunResult> {
  const { database, platforms, metrics, tracer, vendorPrices } = parts;
  const traces = tracer === null ? null : new RunTraces(parts, tracer);
  const making = artifactMaking(parts);
  return {
    load: async (claimed) => {
      const [questions] = await Promise.all([loadQuestions(database, claimed), traces?.read(claimed)]);
      return questions;
    },
    run: async (question, claimed, signal, waiting, leaveShared) => {
      let started = performance.now();
      const { accountId, runBudgetMs } = claimed;
      // Waiting for a browser says nothing about a platform's run time.
      const waitingFor: typeof waiting = async (turn) => {
        const from = performance.now();
        return waiting(turn).finally(() => (started += performance.now() - from));
      };
      const context = { signal, runBudgetMs, requester: { accountId, whileQueued: waitingFor, onLeft: leaveShared } };
      const platform = platforms.get(claimed.platform);
      const run = (traced: Pick<AskContext, "onModelCall">) =>
        runTask(platform, question, { ...context, ...traced }, making, largeAnswers);
      const end = await (traces === null ? run({}) : traces.run(claimed, (onModelCall) => run({ onModelCall })));
      const seconds = (performance.now() - started) / 1000;
      metrics.observe("querent_ask_seconds", { platform: claimed.platform, outcome: end.kind }, seconds);
      const consumption = consumptionOf(end);
      if (consumption !== null) {
        const cost = costOf({ ...consumption, attempts: 1 }, vendorPrices.get(claimed.platform) ?? null);
        metrics.consumed(claimed.platform, consumption, cost);
      }
      if (end.kind === "completed" || end.kind === "failed")
        health.note(claimed.platform, end.kind === "completed", seconds);
      if (end.kind !== "completed") return end;
      // Here, and not where the end is written: looking for brands takes time, and that transaction holds locks.
      const { stored, json = JSON.stringify(stored) } = end.result;
      const observed = await waiting(parts.ends.observe.describe({ accountId, result: stored, json }, signal));
      return { ...end, result: { ...end.result, json: Buffer.isBuffer(json) ? json : Buffer.from(json), observed } };
    },
    end: async (tx, taskEnds) => {
      const finish = await endTasks(tx, taskEnds, parts.ends);
      return () => wakeUps.ended(finish);
    },
  };
}

/** Of an answer, or in vain. */
function consumptionOf(end: RunEnd<RunResult>): Consumption | null {
  if (end.kind === "aborted") return null;
  return (end.kind === "completed" ? end.result.consumption : end.consumption) ?? null;
}

/** How the pages and screenshots of answers are made. */
function artifactMaking(parts: Parts): ArtifactMaking {
  const { database, masterKey, metrics } = parts;
  const screenshot = screenshotter(parts.browserPool, fontPath);
  return {
    database,
    store: parts.store,
    drawPage: parts.drawPage,
    screenshot: (html, signal, requester) => metrics.artifact("screenshot", screenshot(html, signal, requester)),
    browser: parts.workerBrowser,
    publicAddresses: parts.publicAddresses,
    seal: (input) => sealTask({ database, encrypter: masterKey }, input),
    onFault: parts.onArtifactFault,
  };
}
