import { fontPath } from "../../answers/index.ts";
import { screenshotter } from "../../artifacts/index.ts";
import { Dispatcher } from "../../dispatch/index.ts";
import { sealTask } from "../../evidence/index.ts";
import type { PlatformQuestion } from "../../platforms/index.ts";
import { costOf, PlatformHealth } from "../../statistics/index.ts";
import { taskWork, type ArtifactMaking, type Ran, type RunResult } from "../../tasks/index.ts";
import { ServiceStack, closing, type Service } from "../../runtime/service.ts";
import type { Parts } from "../parts.ts";
import { webPlatforms } from "../platform-settings.ts";
import { version } from "../version.ts";
import type { WakeUps } from "../wake-ups.ts";

export interface Worker extends Service {
  readonly dispatcher: Dispatcher<PlatformQuestion, RunResult>;
}

/** The role `worker`: claims tasks, asks the platforms and writes the ends. */
export function workerRole(parts: Parts, wakeUps: WakeUps): Worker {
  const { config, database, log, platforms, browserPool, workerBrowser, workerPlatforms, drift } = parts;
  const health = new PlatformHealth(database, parts.fault("platform health"));
  const work = taskWork({
    ...{ database, platforms, ends: parts.ends, making: artifactMaking(parts) },
    ...{ tracer: parts.tracer, traceContents: config.traceContents, onTraceFault: parts.fault("read traces") },
    roomForLargeResult: () => dispatcher.roomForLargeResult(),
    onRun: counter(parts, health),
    announce: (finish) => wakeUps.announce(finish),
  });
  const dispatcher: Dispatcher<PlatformQuestion, RunResult> = new Dispatcher<PlatformQuestion, RunResult>(
    { database, log, work },
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
  // A platform may have got its key, or another one.
  parts.setups.onChange(node.onChange);
  const stack = new ServiceStack();
  stack.add(closing(() => drift.flush()));
  stack.add(closing(() => health.flush()));
  stack.add(closing(() => browserPool.close()));
  stack.add({ start: () => workerBrowser.look(node), stop: () => workerBrowser.stop() });
  stack.add({ start: () => dispatcher.start(), stop: () => dispatcher.stop(config.drainSeconds * 1000) });
  stack.add({ start: () => workerBrowser.start(), stop: async () => undefined });
  stack.add(parts.sessions);
  stack.add(parts.setups);
  stack.add(workerPlatforms.of(node.nodeId));
  return { dispatcher, start: () => stack.start(), stop: () => stack.stop() };
}

/** Counts a run in the metrics, and in its platform's health. */
function counter({ metrics, vendorPrices }: Parts, health: PlatformHealth): (ran: Ran) => void {
  return ({ platform, end, seconds, consumption }) => {
    metrics.observe("querent_ask_seconds", { platform, outcome: end }, seconds);
    if (consumption !== null)
      metrics.consumed(
        platform,
        consumption,
        costOf({ ...consumption, attempts: 1 }, vendorPrices.get(platform) ?? null),
      );
    if (end === "completed" || end === "failed") health.note(platform, end === "completed", seconds);
  };
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
