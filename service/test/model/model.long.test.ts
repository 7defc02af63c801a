/**
 * Random histories of the engine, checked against a model. SOAK_SECONDS says how long (20); SOAK_SEED and SOAK_PATH, which a
 * failure prints, repeat one history. `npm run soak` runs this for ten minutes.
 */
import { test } from "node:test";
import fc from "fast-check";
import { answered, testEngine } from "../harness/engine.ts";
import { assertSame, commands, newModel, newReal } from "./engine-model.ts";

const seconds = Number(process.env["SOAK_SECONDS"] ?? 20);
/** `npm test` goes the same ways each time; a soak goes new ones. */
const seed = Number(process.env["SOAK_SEED"] ?? (process.env["SOAK_SECONDS"] === undefined ? 1 : Date.now() % 2 ** 31));
const path = process.env["SOAK_PATH"];

const parameters = (share: number) => ({
  seed,
  ...(path === undefined ? {} : { path }),
  numRuns: 1_000_000,
  interruptAfterTimeLimit: seconds * share * 1000,
});

test("every history of submissions, claims, ends, deaths and cancellations goes as in the model", async (t) => {
  const engine = await testEngine();
  let histories = 0;
  t.diagnostic(`SOAK_SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: "max" }), async (history) => {
      const model = newModel();
      const real = await newReal(engine);
      await fc.asyncModelRun(() => ({ model, real }), history);
      await assertSame(model, real);
      histories++;
    }),
    parameters(0.6),
  );
  t.diagnostic(`${histories} histories`);
});

test("histories whose commands come at once keep every invariant, and every task ends", async (t) => {
  const engine = await testEngine();
  let histories = 0;
  t.diagnostic(`SOAK_SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.oneof(...commands), { maxLength: 6 }), { maxLength: 10 }), async (turns) => {
      const model = newModel();
      const real = await newReal(engine);
      for (const turn of turns) {
        // Beside each other nobody can say what a command must find: only what must hold whatever it found.
        await Promise.allSettled(
          turn.map(async (command) => {
            if (command.check(model)) await command.run(model, real);
          }),
        );
        await engine.assertSound();
      }
      await engine.limiter({ runningMax: 100 });
      await engine.database.query(
        "update platforms set held_until = null, rate_interval = null; update account_lanes set running_max = 100; update nodes set lease_until = now() - interval '1 second'; update dispatch set run_at = now() where state = 'waiting'",
      );
      const { dispatcher } = await engine.node(async () => answered);
      await engine.allEnded();
      await dispatcher.stop(0);
      await engine.assertSound();
      histories++;
    }),
    parameters(0.4),
  );
  t.diagnostic(`${histories} histories`);
});
