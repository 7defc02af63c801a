/** Whether the bridge's 95 % are 95 %: pages of which a random tenth was asked, whose truth is known. The seeds are fixed. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { bridge, type BridgeUnit } from "../src/index.ts";
import { meanRate, randomFrom } from "./simulated-panels.ts";

const panels = 1000;
const [topics, promptsOfTopic, runs, share] = [60, 3, 14, 0.1];
const [ofTopics, ofPrompts, logit] = [1.2, 1.2, -0.4];

interface Simulated {
  readonly units: readonly BridgeUnit[];
  /** The rate of these prompts, on the page. */
  readonly rate: number;
}

/** @param correlation of what makes a prompt's rate high on the page with what makes it high at the API */
function simulate(correlation: number, random: () => number): Simulated {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const related = (one: number) => correlation * one + Math.sqrt(1 - correlation ** 2) * normal();
  const units: BridgeUnit[] = [];
  let total = 0;
  for (let topic = 0; topic < topics; topic++) {
    const topicOnPage = normal();
    const topicAtApi = related(topicOnPage);
    for (let prompt = 0; prompt < promptsOfTopic; prompt++) {
      const onPage = normal();
      const pageRate = meanRate(logit + ofTopics * topicOnPage + ofPrompts * onPage, 0);
      const apiRate = meanRate(0.3 + ofTopics * topicAtApi + ofPrompts * related(onPage), 0);
      total += pageRate;
      for (let run = 0; run < runs; run++) {
        // The page and the API agree in a run beyond their rates, as far as they are correlated.
        const draw = random();
        const ofPage = random() < correlation ? draw : random();
        units.push({
          promptId: `p${topic}.${prompt}`,
          topic: `t${topic}`,
          run: `r${run}`,
          predicted: draw < apiRate ? 1 : 0,
          observed: random() < share ? (ofPage < pageRate ? 1 : 0) : null,
        });
      }
    }
  }
  return { units, rate: total / (topics * promptsOfTopic) };
}

suite("bridged intervals of 95 % cover what they should in 93 to 97 % of 1,000 panels", () => {
  for (const [name, correlation] of [
    ["strong correlation", 0.95],
    ["weak correlation", 0.4],
    ["no correlation", 0],
  ] as const)
    test(name, (t) => {
      const random = randomFrom(20_260_401);
      const ofAll = meanRate(logit, Math.hypot(ofTopics, ofPrompts));
      const covered = { these: 0, like: 0, gain: 0, lambda: 0, informs: 0 };
      for (let panel = 0; panel < panels; panel++) {
        const { units, rate } = simulate(correlation, random);
        const these = bridge(units, "rate", "these_prompts");
        const like = bridge(units, "rate", "prompts_like_these");
        assert.ok(these.interval !== null && like.interval !== null);
        if (these.interval.low <= rate && rate <= these.interval.high) covered.these += 1 / panels;
        if (like.interval.low <= ofAll && ofAll <= like.interval.high) covered.like += 1 / panels;
        covered.gain += these.gain / panels;
        covered.lambda += these.lambda / panels;
        if (these.verdict === "informs") covered.informs += 1 / panels;
      }
      const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
      t.diagnostic(
        `these prompts ${percent(covered.these)}, prompts like these ${percent(covered.like)}; mean weight ${covered.lambda.toFixed(2)}, mean gain ${percent(covered.gain)}, "informs" in ${percent(covered.informs)}`,
      );
      for (const coverage of [covered.these, covered.like])
        assert.ok(coverage >= 0.93 && coverage <= 0.97, `${coverage}`);
    });
});
