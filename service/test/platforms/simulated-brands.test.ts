/** The simulator's brands: what is drawn must be what was directed, since figures are checked against it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { composeResult } from "../../src/answers/index.ts";
import { simulatorPlatform } from "../../src/platforms/index.ts";

const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;
const observedAt = new Date("2026-11-01T09:30:00Z");
const platform = simulatorPlatform({ clock: { now: () => observedAt } });
const ask = (text: string, taskId = "task-1") =>
  platform.ask({ taskId, text, options, attempt: 1 }, { signal: new AbortController().signal });

describe("brands with known rates", () => {
  const question =
    "Which? brands=Acme:0.6@1,Globex_Corp:0.25@2,Initech:0.5 cites=example.com:0.4,news.example/acme:1 seed=7 change=2026-12-01:Acme:0.9,2026-12-15:example.com:0 model=alpha,2026-12-10:beta";
  const runs = 2_000;
  const answersOn = async (day: string, { text = question, count = runs } = {}) => {
    const simulator = simulatorPlatform({ clock: { now: () => new Date(`${day}T12:00:00Z`) } });
    const all = Array.from({ length: count }, async (_, index) => {
      const { signal } = new AbortController();
      const outcome = await simulator.ask({ taskId: `${day}-${index}`, text, options, attempt: 1 }, { signal });
      assert.ok(outcome.kind === "answered");
      const { content, sources, modelVersion } = composeResult(outcome.answer, simulator, options);
      const brands = [...(content ?? "").matchAll(/^\d+\. \*\*(.+?)\*\*/gmu)].map(([, name = ""]) => name);
      return { brands, cited: sources.map(({ url }) => url), modelVersion };
    });
    return Promise.all(all);
  };
  const contentOf = async (text: string, taskId: string) => {
    const outcome = await ask(text, taskId);
    assert.ok(outcome.kind === "answered");
    return composeResult(outcome.answer, platform, options).content ?? "";
  };
  type Answers = Awaited<ReturnType<typeof answersOn>>;
  const share = (answers: Answers, has: (answer: Answers[number]) => boolean) =>
    answers.filter(has).length / answers.length;
  /** Four standard errors: the draws are the same in every run, so this either holds or not. */
  const near = (found: number, rate: number) => {
    const tolerance = 4 * Math.sqrt((rate * (1 - rate)) / runs);
    assert.ok(Math.abs(found - rate) <= tolerance, `${found} instead of ${rate}`);
  };

  test("are named, placed first and cited as often as directed, and change on their day", async () => {
    const before = await answersOn("2026-11-30");
    near(
      share(before, ({ brands }) => brands.includes("Acme")),
      0.6,
    );
    near(
      share(before, ({ brands }) => brands.includes("Globex Corp")),
      0.25,
    );
    near(
      share(before, ({ brands }) => brands.includes("Initech")),
      0.5,
    );
    near(
      share(before, ({ brands }) => brands[0] === "Acme"),
      0.6,
    );
    near(
      share(before, ({ brands }) => brands[0] === "Globex Corp"),
      0.4 * 0.25,
    );
    near(
      share(before, ({ brands }) => brands[0] === "Initech"),
      0.4 * 0.75 * 0.5,
    );
    near(
      share(before, ({ cited }) => cited.includes("https://example.com/")),
      0.4,
    );
    near(
      share(before, ({ cited }) => cited.includes("https://news.example/acme")),
      1,
    );
    assert.ok(before.every(({ modelVersion }) => modelVersion === "alpha"));
    const after = await answersOn("2026-12-15");
    near(
      share(after, ({ brands }) => brands.includes("Acme")),
      0.9,
    );
    near(
      share(after, ({ brands }) => brands.includes("Initech")),
      0.5,
    );
    near(
      share(after, ({ cited }) => cited.includes("https://example.com/")),
      0,
    );
    assert.ok(after.every(({ modelVersion }) => modelVersion === "beta"));
  });

  test("are the same for the same task and seed, and others for another seed", async () => {
    const few = await answersOn("2026-11-30", { count: 50 });
    assert.deepEqual(await answersOn("2026-11-30", { count: 50 }), few);
    const text = question.replace("seed=7", "seed=8");
    assert.notDeepEqual(await answersOn("2026-11-30", { text, count: 50 }), few);
  });

  test("correlate between the answers of a day as directed", async () => {
    // Over many questions: within a day, pairs of answers; the correlation of indicators is (P(both) - p²) / (p - p²).
    let [both, named, pairs] = [0, 0, 0];
    for (let index = 0; index < runs; index++) {
      const text = `Which ${index}? brands=Acme:0.5 correlation=0.3`;
      const draw = async (taskId: string) => (await contentOf(text, taskId)).includes("**Acme**");
      const [one, other] = [await draw(`a${index}`), await draw(`b${index}`)];
      both += Number(one && other);
      named += Number(one) + Number(other);
      pairs++;
    }
    const rate = named / (2 * pairs);
    near(rate, 0.5);
    const correlation = (both / pairs - rate ** 2) / (rate - rate ** 2);
    assert.ok(Math.abs(correlation - 0.3) < 0.07, `${correlation}`);
  });

  test("are refused with the syntax if a directive is malformed", async () => {
    for (const text of [
      "brands=Acme",
      "brands=Acme:1.5",
      "brands=Acme:0.5,Acme:0.6",
      `brands=${Array.from({ length: 51 }, (_, index) => `b${index}:1`).join(",")}`,
      "cites=exa mple:0.5",
      "cites=:0.5",
      "change=2026-13-01:Acme:0.5",
      "change=Acme:0.5",
      "model=,",
      "correlation=2",
      "seed=",
    ]) {
      const outcome = await ask(text);
      assert.ok(outcome.kind === "permanent" && outcome.code === "platform_refused", text);
    }
  });
});
