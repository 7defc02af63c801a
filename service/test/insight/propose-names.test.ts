import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { compileEntities, type EntityDefinition } from "../../src/observations/entities/compile-entities.ts";
import {
  definitionOf,
  type EntityContent,
  type EntityNameChange,
} from "../../src/observations/entities/entity-content.ts";
import { findMentions } from "../../src/observations/entities/find-mentions.ts";
import {
  inOtherChineseScript,
  proposeNames,
  type ProposalOptions,
  type SearchedAnswer,
} from "../../src/observations/entities/propose-names.ts";
import { keyOf, withChange } from "../../src/observations/entities/change-entities.ts";
import { readHeldout, type LabelledSet } from "./labelled/read-labelled.ts";

const content = (name: string, more: Partial<EntityContent> = {}): EntityContent => ({
  ...{ name, kind: "brand", relation: "own", caseSensitive: false, aliases: [], negativeContexts: [], domains: [] },
  ...more,
});

const answersOf = (...texts: string[]): SearchedAnswer[] =>
  texts.map((text, index) => ({ observationId: String(index), text, others: [] }));

const proposedFor = (of: EntityContent, answers: readonly SearchedAnswer[], options: ProposalOptions = {}) =>
  proposeNames(of, answers, options).proposals.map(({ kind, reason, text, mentions, answers: in_ }) =>
    [kind, reason, text, mentions, in_].join(" "),
  );

for (const set of [1, 2] as const)
  test(`with what a person approves, names in texts that were labelled without regard to the rules are found: set ${set}`, (t) => {
    const labelled = readHeldout(set);
    const alone = measure(labelled, labelled.entities.map(contentOf), t, "without proposals");
    assert.ok(alone.precision < 0.75 && alone.recall < 0.7, "the set is hard");
    for (const withNeighbours of [false, true]) {
      const { contents, counts } = approveByLabels(labelled, { withNeighbours });
      const what = withNeighbours ? "with neighbours" : "without neighbours";
      for (const [reason, { right, wrong }] of counts)
        t.diagnostic(`${what}, ${reason}: ${right} right, ${wrong} wrong`);
      const { precision, recall } = measure(labelled, contents, t, what);
      assert.ok(precision >= (withNeighbours ? 0.97 : 0.92), `precision ${precision}`);
      assert.ok(recall >= 0.95, `recall ${recall}`);
      if (withNeighbours) continue;
      const sum = { right: 0, wrong: 0 };
      for (const { right, wrong } of counts.values()) {
        sum.right += right;
        sum.wrong += wrong;
      }
      assert.ok(sum.right / (sum.right + sum.wrong) >= 0.95, "proposals without neighbours are right");
    }
  });

const contentOf = ({ variants, negativeContexts }: EntityDefinition): EntityContent => {
  const [name, ...aliases] = variants.map(({ text, isCaseSensitive }) => ({ text, caseSensitive: isCaseSensitive }));
  return content(name?.text ?? "", {
    caseSensitive: name?.caseSensitive ?? false,
    aliases,
    negativeContexts: [...negativeContexts],
  });
};

/** A person who approves a proposal if each of the places that it shows is right: an alias's are mentions, a context's are none. */
function approveByLabels({ entities, texts }: LabelledSet, options: ProposalOptions) {
  const all = compileEntities(entities.map((entity) => definitionOf(entity.entityId, contentOf(entity))));
  const mentions = texts.map(({ text }) => findMentions(text, all).mentions);
  const counts = new Map<string, { right: number; wrong: number }>();
  const contents = entities.map((entity) => {
    const answers = texts.map(({ text }, index) => ({
      observationId: String(index),
      text,
      others: (mentions[index] ?? []).filter(({ entityId }) => entityId !== entity.entityId),
    }));
    return proposeNames(contentOf(entity), answers, options).proposals.reduce((before, proposal) => {
      const isRight = proposal.evidence.every(({ observationId, snippet, start, end }) => {
        const { text = "", spans = [] } = texts[Number(observationId)] ?? {};
        const from = text.indexOf(snippet);
        const isMention = spans.some(
          (span) =>
            span.isMention &&
            span.entityId === entity.entityId &&
            span.start === from + start &&
            span.end === from + end,
        );
        return isMention === (proposal.kind === "alias");
      });
      const count = counts.get(proposal.reason) ?? { right: 0, wrong: 0 };
      counts.set(proposal.reason, count);
      count[isRight ? "right" : "wrong"]++;
      const after = isRight ? withChange(before, proposal) : null;
      return after === null || after === "no_room" ? before : after;
    }, contentOf(entity));
  });
  return { contents, counts };
}

function measure({ entities, texts }: LabelledSet, contents: readonly EntityContent[], t: TestContext, what: string) {
  const compiled = compileEntities(
    entities.map(({ entityId }, index) => definitionOf(entityId, contents[index] ?? content("x"))),
  );
  let [labelled, mentions, found, right] = [0, 0, 0, 0];
  for (const { text, spans } of texts) {
    labelled += spans.length;
    const expected = new Set(
      spans.filter(({ isMention }) => isMention).map(({ entityId, start, end }) => `${entityId} ${start}-${end}`),
    );
    mentions += expected.size;
    for (const { entityId, start, end } of findMentions(text, compiled).mentions) {
      found++;
      if (expected.has(`${entityId} ${start}-${end}`)) right++;
    }
  }
  const [precision, recall] = [right / found, right / mentions];
  t.diagnostic(
    `${labelled} spans, ${mentions} of them mentions; ${what}: ${found} found, precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
  );
  return { precision, recall };
}

test("a name in the other Chinese script is proposed in the form that stands in answers", () => {
  assert.ok(inOtherChineseScript("台积电").includes("台積電"));
  assert.ok(inOtherChineseScript("台积电").includes("臺積電"));
  assert.deepEqual(inOtherChineseScript("キリン"), []);
  const answers = answersOf("台積電的股價", "台积电的股价，台積電");
  assert.deepEqual(proposedFor(content("台积电"), answers), ["alias script 台積電 2 2"]);
  assert.deepEqual(proposedFor(content("海爾"), answersOf("海尔冰箱")), ["alias script 海尔 1 1"]);
});

test("the forms of a name are proposed as they are written, and only in that case", () => {
  const answers = answersOf("В Магните дешевле, у Магнита карта.", "Полюс магнита, сила магните.", "Bahlsens Kekse");
  assert.deepEqual(proposedFor(content("Магнит"), answers), [
    "alias inflected Магните 1 1",
    "alias inflected Магнита 1 1",
  ]);
  const [proposal] = proposeNames(content("Bahlsen"), answers).proposals;
  assert.deepEqual([proposal?.text, proposal?.caseSensitive], ["Bahlsens", true]);
  assert.deepEqual(proposal?.evidence, [{ observationId: "2", snippet: "Bahlsens Kekse", start: 0, end: 8 }]);
});

test("each proposal says what it adds or takes alone, and approving it does just that", () => {
  const answers = answersOf(
    "Apple juice, apple pie and Apple phones.",
    "The app has 3M users; 3M spoons were sold; 3M tape holds.",
    "喝苹果汁，用苹果手机。PUMA, Puma, a puma and pumas",
  );
  const apple = content("Apple", { aliases: [{ text: "苹果", caseSensitive: false }] });
  assert.deepEqual(proposedFor(apple, answers), [
    "own_case own_case Apple 1 1",
    "negative_context sense Apple juice 1 1",
    "negative_context sense apple pie 1 1",
  ]);
  assert.deepEqual(proposedFor(content("3M"), answers), ["negative_context quantity 3M spoons 1 1"]);
  const puma = content("Puma");
  const { proposals, mentions } = proposeNames(puma, answers);
  assert.equal(mentions, 3);
  const [ownCase] = proposals;
  assert.ok(ownCase !== undefined);
  assert.deepEqual(
    [ownCase.kind, ownCase.text, ownCase.alsoAliases, ownCase.mentions],
    ["own_case", "Puma", ["PUMA"], 1],
  );
  const changed = withChange(puma, ownCase);
  assert.ok(changed !== null && changed !== "no_room");
  assert.equal(proposeNames(changed, answers).mentions, 2);
  assert.deepEqual(withChange(changed, ownCase), changed);
});

test("what was declined, what another entity is named, and what stands in code is not proposed", () => {
  const answers = answersOf("An apple pie", "`apple juice`", "Apple Pie Studio");
  const declined = new Set([
    keyOf({ kind: "own_case", text: "APPLE" }),
    keyOf({ kind: "negative_context", text: "apple-pie" }),
  ]);
  assert.deepEqual(proposedFor(content("Apple"), answers, { declined }), []);
  const others = answers.map((answer) => ({
    ...answer,
    others: answer.text.startsWith("Apple") ? [{ start: 0, end: 16 }] : [],
  }));
  assert.deepEqual(proposedFor(content("Apple"), others), [
    "own_case own_case Apple 1 1",
    "negative_context sense apple pie 1 1",
  ]);
  const form = { observationId: "0", text: "Die Bahlsens Kekswelt", others: [{ start: 4, end: 21 }] };
  assert.deepEqual(proposedFor(content("Bahlsen"), [form]), []);
});

test("phrases in lower case are proposed once a person has said that the name may be in lower case", () => {
  const answers = answersOf("a hard shell and the shell script, one hard shell", "Shell");
  assert.deepEqual(proposedFor(content("Shell"), answers), ["own_case own_case Shell 3 1"]);
  const declined = new Set([keyOf({ kind: "own_case", text: "Shell" })]);
  assert.deepEqual(proposedFor(content("Shell"), answers, { declined }), [
    "negative_context lower_case hard shell 2 1",
  ]);
});

test("words that stand mostly beside a name are proposed only if they are asked for", () => {
  const answers = answersOf("爬长城", "长城汽车", "他的理想", "理想汽车很大");
  assert.deepEqual(proposedFor(content("理想"), answers), []);
  assert.deepEqual(proposedFor(content("理想"), answers, { withNeighbours: true }), [
    "negative_context neighbour 他的理想 1 1",
  ]);
});

test("an entity without room for more, and one with as much as it may have, are changed as far as that", () => {
  const aliases = Array.from({ length: 50 }, (_, index) => ({ text: `Alias ${index}`, caseSensitive: false }));
  const change = { kind: "alias", text: "Acmes", caseSensitive: true, alsoAliases: [] } satisfies EntityNameChange;
  assert.equal(withChange(content("Acme", { aliases }), change), "no_room");
  assert.equal(withChange(content("Acme", { aliases: [{ text: "Acmes", caseSensitive: true }] }), change), null);
});

test("proposals for hostile texts and entities take a bounded time", (t) => {
  const units = [
    "Apple ",
    "apple juice ",
    "Apples Appleen Applete ",
    "苹果汁",
    "苹果果汁苹 果",
    "3M users ",
    "(Apple) ",
    "[apple](",
    "Apple\u0301 ",
    "中",
    "a Apple b ",
  ];
  const aliases = Array.from({ length: 49 }, (_, index) => ({
    text: "Apple ".repeat(2 + index),
    caseSensitive: false,
  }));
  const entity = content("Apple", {
    aliases: [...aliases.slice(2), { text: "苹果", caseSensitive: false }, { text: "3M", caseSensitive: false }],
    negativeContexts: Array.from({ length: 100 }, (_, index) => "Apple ".repeat(100 + (index % 30))),
  });
  for (const length of [2 * 1024, 256 * 1024])
    for (const unit of units) {
      // A word of each text is another, so that there are many to count.
      const texts = Array.from({ length: Math.floor((512 * 1024) / length) }, (_, nth) => {
        const word = `w${String.fromCodePoint(0x61 + (nth % 26), 0x61 + (Math.floor(nth / 26) % 26))}`;
        return `${unit}${word} `.repeat(Math.ceil(length / (unit.length + word.length + 1)));
      });
      const startedAt = process.cpuUsage();
      const { proposals, mentions, notSearched } = proposeNames(entity, answersOf(...texts), { withNeighbours: true });
      const { user, system } = process.cpuUsage(startedAt);
      t.diagnostic(
        `${texts.length} x ${JSON.stringify(unit)}: ${proposals.length} proposals, ${mentions} mentions, ${notSearched} not searched, ${Math.round((user + system) / 1000)} ms`,
      );
      // A process may take 8 s for it on a machine with other work.
      assert.ok(user + system < 6_000_000);
    }
});
