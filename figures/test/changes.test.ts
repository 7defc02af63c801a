/** From answers to verdicts: segments of instruments, series of days, and what is judged a change. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  collectSeries,
  findSegments,
  judgeChanges,
  type Answer,
  type FormerChange,
  type InstrumentDay,
} from "../src/index.ts";
import { answer, brand, panelOf, source } from "./answers.ts";
import { randomFrom } from "./simulated-panels.ts";

const dayName = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

suite("segments of instruments", () => {
  /** One text for each day: a letter for each answer's instrument. */
  const daysOf = (texts: readonly string[]): InstrumentDay[] =>
    texts.map((text, index) => {
      const answers = new Map<string, number>();
      for (const letter of text) answers.set(letter, (answers.get(letter) ?? 0) + 1);
      return { day: dayName(index), runId: `r${index}`, answers };
    });
  const segments = (texts: readonly string[]) =>
    findSegments(daysOf(texts)).map(({ from, instruments }) => `${Number(from.slice(8)) - 1}:${instruments.join("")}`);
  const times = (count: number, text: string) => Array.from({ length: count }, () => text);

  test("a new instrument begins a segment on its first day", () => {
    assert.deepEqual(segments([...times(5, "aaaa"), ...times(5, "bbbb")]), ["0:a", "5:b"]);
  });

  test("a change in the middle of a day is one change, and what was before goes quietly", () => {
    assert.deepEqual(segments([...times(5, "aaaa"), "aabb", ...times(8, "bbbb")]), ["0:a", "5:b"]);
  });

  test("instruments that alternate, from answer to answer or from day to day, are one segment", () => {
    assert.deepEqual(segments(["ab", "aa", "bb", "bb", "aa", "bb", "ba", "aa", "aa"]), ["0:ab"]);
    assert.deepEqual(segments(["a", "a", "b", "b", "b", "a", "b", "b", "b", "a", "b"]), ["0:ab"]);
  });

  test("few answers of another instrument are an exception", () => {
    const rare = `${"a".repeat(19)}x`;
    assert.deepEqual(segments([...times(5, rare), ...times(5, "aaaa")]), ["0:a"]);
  });

  test("when one of those that alternated stays away, a segment begins on its first day without it", () => {
    assert.deepEqual(segments([...times(5, "ab"), ...times(8, "bb")]), ["0:ab", "5:b"]);
    assert.deepEqual(segments([...times(5, "ab"), ...times(6, "bb")]), ["0:ab"]);
  });

  test("an instrument that comes back much later makes a segment again", () => {
    assert.deepEqual(segments([...times(4, "a"), ...times(8, "b"), ...times(2, "a")]), ["0:a", "4:b", "12:a"]);
  });

  test("a seam says what was before and after, and the run with which it began", () => {
    assert.deepEqual(findSegments(daysOf([...times(4, "a"), "b"]))[1]?.seam, {
      day: dayName(4),
      runId: "r4",
      before: ["a"],
      after: ["b"],
    });
  });
});

suite("verdicts on the series of a panel", () => {
  const [acme, globex] = ["11111111-1111-7111-8111-111111111111", "22222222-2222-7222-8222-222222222222"];
  const prompts = Array.from({ length: 40 }, (_, index) => `p${index}`);
  const panel = panelOf({ prompts, entities: [brand(acme, "own"), brand(globex, "competitor")] });

  interface Given {
    readonly days: number;
    readonly rate: (day: number, prompt: number) => number;
    readonly model?: (day: number) => string;
    readonly asked?: (day: number, prompt: number) => boolean;
  }
  function answersOf({ days, rate, model = () => "m", asked = () => true }: Given): Answer[] {
    const random = randomFrom(5);
    return Array.from({ length: days }, (_, day) =>
      prompts.flatMap((promptId, prompt) => {
        const mentions = [...(random() < rate(day, prompt) ? [acme] : []), ...(random() < 0.3 ? [globex] : [])];
        const observedAt = `${dayName(day)}T06:00:00.000Z`;
        return asked(day, prompt)
          ? [answer({ promptId, observedAt, runId: `r${day}`, modelVersion: model(day), mentions })]
          : [];
      }),
    ).flat();
  }
  const verdictsOf = (given: Given, former: FormerChange | null = null) =>
    judgeChanges(collectSeries(panel, answersOf(given)), () => former);
  const presenceOf = (given: Given, former: FormerChange | null = null) => {
    const found = verdictsOf(given, former).find(
      ({ series }) => series.measure === "presence" && series.entityId === acme,
    );
    assert.ok(found !== undefined);
    return found;
  };

  test("a fall is found, with its direction and the day with which it began; competitors are left alone", () => {
    const found = presenceOf({ days: 24, rate: (day) => (day < 12 ? 0.6 : 0.25) });
    assert.ok(found.verdict === "changed");
    assert.deepEqual([found.change.direction, found.change.since], ["down", dayName(12)]);
    assert.ok(found.change.difference < -0.2 && found.evidence > found.threshold);
    assert.ok(found.change.earliest <= dayName(12) && found.change.latest >= dayName(12));
    assert.equal(found.change.continues, false);
    const others = verdictsOf({ days: 24, rate: (day) => (day < 12 ? 0.6 : 0.25) });
    assert.equal(others.find(({ series }) => series.entityId === globex)?.verdict, "not_distinguishable");
  });

  test("no change that could be told from chance says what would have been found", () => {
    const found = presenceOf({ days: 24, rate: () => 0.5 });
    assert.ok(found.verdict === "not_distinguishable" && found.smallest !== null);
    assert.ok(found.smallest.difference > 0.05 && found.smallest.difference < 0.4);
    assert.equal(found.smallest.since, dayName(17));
  });

  test("below the floor it says how many days are needed", () => {
    const found = presenceOf({ days: 4, rate: () => 0.5 });
    assert.ok(found.verdict === "not_enough_data");
    assert.deepEqual([found.days, found.needed], [4, 5]);
    assert.equal(presenceOf({ days: 5, rate: () => 0.5 }).verdict, "not_distinguishable");
  });

  test("when the model changes with the rate, it is the instrument that changed", () => {
    const found = presenceOf({
      days: 18,
      rate: (day) => (day < 14 ? 0.3 : 0.7),
      model: (day) => (day < 14 ? "alpha" : "beta"),
    });
    assert.ok(found.verdict === "instrument_changed");
    assert.deepEqual([found.days, found.needed, found.segment.seam?.day], [4, 5, dayName(14)]);
    assert.notEqual(
      presenceOf({ days: 26, rate: (day) => (day < 14 ? 0.3 : 0.7), model: (day) => (day < 14 ? "a" : "b") }).verdict,
      "changed",
    );
  });

  test("prompts that a revision replaced are not compared with those that came: only those that stayed are", () => {
    // The new prompts name the brand always, the ones that go never, and those that stay do not change.
    const found = presenceOf({
      days: 24,
      rate: (_, prompt) => (prompt < 10 ? 0 : prompt < 20 ? 1 : 0.5),
      asked: (day, prompt) => (prompt < 10 ? day < 12 : prompt < 20 ? day >= 12 : true),
    });
    assert.equal(found.verdict, "not_distinguishable");
    assert.equal(found.prompts.size, 20);
  });

  test("after a panel was largely replaced, the evidence starts again", () => {
    const found = presenceOf({
      days: 24,
      rate: (_, prompt) => (prompt < 30 ? 0 : 1),
      asked: (day, prompt) => (prompt < 30 ? day < 12 : day >= 12),
    });
    assert.equal(found.verdict, "not_distinguishable");
    assert.equal(found.prompts.size, 10);
  });

  test("a day that has just begun does not count before it has nearly as many answers as others", () => {
    const given: Given = {
      days: 20,
      rate: (day) => (day < 19 ? 0.5 : 1),
      asked: (day, prompt) => day < 19 || prompt < 6,
    };
    assert.equal(presenceOf(given).to, dayName(18));
    assert.equal(presenceOf({ ...given, asked: () => true }).to, dayName(19));
    // Once another day has begun, it is what there was, unless it was next to nothing.
    assert.equal(presenceOf({ ...given, days: 21, asked: (day, prompt) => day !== 19 || prompt < 12 }).to, dayName(20));
  });

  test("after a change that was found, the evidence starts again", () => {
    const found = presenceOf(
      { days: 24, rate: (day) => (day < 12 ? 0.6 : 0.25) },
      { day: dayName(20), direction: "down" },
    );
    assert.ok(found.verdict === "not_enough_data");
    assert.equal(found.days, 3);
  });

  test("sites that enough answers cite are series of their own, but not those of own entities", () => {
    const owner = { ...panel, entities: [brand(acme, "own", ["acme.example"]), brand(globex, "competitor")] };
    const answers = answersOf({ days: 20, rate: () => 0.5 }).map((one, index) => ({
      ...one,
      sources: [
        ...(Number(one.observedAt.slice(8, 10)) <= 12 ? ["https://gone.example/a", "https://gone.example/b"] : []),
        ...(index % 2 === 0 ? ["https://acme.example/", "https://www.globex.example/"] : []),
        // 29 answers are too few, and 30 are enough.
        ...(index < 29 ? ["https://rare.example/"] : []),
        ...(index < 30 ? ["https://seldom.example/"] : []),
      ].map((url) => source(url)),
    }));
    const verdicts = judgeChanges(collectSeries(owner, answers));
    const ofSites = verdicts.filter(({ series }) => series.domain !== null);
    assert.deepEqual(
      ofSites.map(({ series: { measure, entityId, domain } }) => [measure, entityId, domain]),
      ["gone", "globex", "seldom"].map((name) => ["citation_rate", null, `${name}.example`]),
    );
    const [gone] = ofSites;
    assert.ok(gone?.verdict === "changed");
    assert.deepEqual([gone.change.direction, gone.change.since], ["down", dayName(12)]);
    assert.ok(Math.abs(gone.change.difference + 1) < 1e-9);
    assert.equal(ofSites[1]?.verdict, "not_distinguishable");
  });

  test("an answer whose sources are not known counts neither for nor against a site", () => {
    const answers = answersOf({ days: 10, rate: () => 0.5 }).map((one, index) => ({
      ...one,
      sources: index % 4 === 0 ? [source("https://known.example/")] : [],
      flags: index % 4 > 1 ? ["parse_failed:sources"] : [],
    }));
    const { series } = collectSeries(panel, answers);
    const sums = series.find(({ domain }) => domain === "known.example")?.sums ?? [];
    const sum = (of: (one: (typeof sums)[number]) => number) => sums.reduce((total, one) => total + of(one), 0);
    assert.deepEqual([sum(({ value }) => value), sum(({ of }) => of)], [100, 200]);
  });

  test("one mention after weeks without any is no change", () => {
    assert.equal(
      presenceOf({ days: 24, rate: (day, prompt) => Number(day === 23 && prompt === 0) }).verdict,
      "not_distinguishable",
    );
  });

  test("a rise that goes on after it was found is the same change, and is told since its beginning", () => {
    const given: Given = { days: 36, rate: (day) => 0.05 + 0.9 * Math.min(1, Math.max(0, (day - 7) / 24)) };
    const found = presenceOf(given);
    assert.ok(found.verdict === "changed" && found.change.shape === "gradual" && !found.change.continues);
    const later = presenceOf(given, { day: dayName(14), direction: "up" });
    assert.ok(later.verdict === "changed" && later.change.continues);
    assert.ok(later.change.since < dayName(14) && later.change.afterFrom === dayName(15));
    assert.ok(later.change.earliest <= dayName(8) && later.change.latest >= dayName(8));
    const opposite = presenceOf(given, { day: dayName(14), direction: "down" });
    assert.ok(opposite.verdict === "changed" && !opposite.change.continues);
  });

  test("prompts that name the entity are left out", () => {
    const branded = { ...panel, prompts: panel.prompts.map((prompt) => ({ ...prompt, branded: [acme] })) };
    const { series } = collectSeries(branded, answersOf({ days: 2, rate: () => 1 }));
    assert.deepEqual(
      series.map(({ measure, entityId }) => [measure, entityId]),
      [["presence", globex]],
    );
  });
});
