import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import fc from "fast-check";
import { pagerDutyEvent, slackMessage, teamsMessage } from "../../src/webhooks/channels/formats.ts";
import type { Notice } from "../../src/webhooks/channels/channels.ts";

// The package's modules are for bundlers; this file of it is whole.
const AdaptiveCards = createRequire(import.meta.url)(
  "adaptivecards/dist/adaptivecards.js",
) as typeof import("adaptivecards");

const notice: Notice = {
  title: "Grinders: report of 2 to 29 November 2026",
  paragraphs: ["It is made from 40 answers.", { list: ["Acme is named in 40 %", "Brix is named in 10 %"] }],
  links: [{ words: "Open the report", url: "https://querent.example/r/abc?x=1&y=2" }],
  more: (count) => `${count} more`,
  at: new Date("2026-11-30T06:00:00Z"),
  incident: { key: "querent a points_low", severity: "warning", isOver: false, source: "Example" },
};
/** Names that would ping, link, format or hide something, if they were not only text. */
const hostile = [
  "<!channel>",
  "<!here|here>",
  "@here",
  "@everyone",
  "<@U024BE7LH>",
  "<!subteam^S012>",
  "<#C024BE7LR|general>",
  "<https://evil.example|Open the report>",
  "https://evil.example",
  "[Open](https://evil.example)",
  "![x](https://evil.example/x.png)",
  "<at>Everyone</at>",
  "{{DATE(2026-11-30T06:00:00Z)}}",
  "&lt;!channel&gt;",
  "a\nb\u2028c\u202Ed\u0000e",
  "*_~`bold`~_*",
];

interface SlackBlock {
  readonly type: string;
  readonly text: {
    readonly type: string;
    readonly text: string;
    readonly verbatim?: boolean;
    readonly emoji?: boolean;
  };
}
interface SlackBody {
  readonly text: string;
  readonly unfurl_links: boolean;
  readonly blocks: readonly SlackBlock[];
}
const slack = (of: Notice) => JSON.parse(slackMessage(of).toString()) as SlackBody;

interface Card {
  readonly body: readonly { readonly type: string; readonly inlines: readonly { readonly text: string }[] }[];
  readonly actions: readonly { readonly type: string; readonly url: string }[];
}
interface TeamsBody {
  readonly type: string;
  readonly attachments: readonly { readonly contentType: string; readonly content: Card }[];
}
const teams = (of: Notice) => JSON.parse(teamsMessage(of).toString()) as TeamsBody;
const cardOf = (of: Notice) => teams(of).attachments[0]?.content ?? assert.fail();

/** What Microsoft's own reader of Adaptive Cards objects to. */
function objections(card: object): string[] {
  const context = new AdaptiveCards.SerializationContext();
  const read = new AdaptiveCards.AdaptiveCard();
  read.parse(card, context);
  const events = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
  return [...events, ...read.validateProperties().validationEvents.map(({ message }) => message)];
}

interface Incident {
  readonly routing_key: string;
  readonly event_action: string;
  readonly dedup_key: string;
  readonly payload?: { readonly summary: string; readonly severity: string; readonly source: string };
}
const incident = (of: Notice) =>
  JSON.parse(pagerDutyEvent(of, "0123456789abcdef0123456789abcdef").toString()) as Incident;

/** As Slack reads a text: what is between angle brackets is a mention, a link or a command. */
const commandsIn = (text: string) => text.match(/<[^>]*>/g) ?? [];

void suite("a message to Slack", () => {
  void test("has a header, the paragraphs, and a link that leads where it says", () => {
    const { text, unfurl_links: unfurls, blocks } = slack(notice);
    assert.equal(text, notice.title);
    assert.equal(unfurls, false);
    assert.deepEqual(
      blocks.map(({ type, text: { type: kind, text: words } }) => [type, kind, words]),
      [
        ["header", "plain_text", notice.title],
        ["section", "mrkdwn", "It is made from 40 answers."],
        ["section", "mrkdwn", "• Acme is named in 40 %\n• Brix is named in 10 %"],
        ["section", "mrkdwn", "<https://querent.example/r/abc?x=1&amp;y=2|Open the report>"],
      ],
    );
  });

  void test("pings nobody and links nowhere by a name, and shows the name", () => {
    for (const name of hostile) {
      const { text, blocks } = slack({ ...notice, title: name, paragraphs: [name, { list: [name] }], links: [] });
      const texts = [text, ...blocks.map((block) => block.text.text)];
      for (const one of texts) assert.deepEqual(commandsIn(one), [], one);
      // Without this, Slack would look for addresses and names in the text.
      for (const block of blocks) assert.ok(block.type === "header" || block.text.verbatim === true);
      assert.equal(blocks[0]?.text.type, "plain_text");
      assert.doesNotMatch(JSON.stringify(blocks), /\\u0000|\u202E|\u2028/);
    }
    const linked = slack({ ...notice, links: [{ words: "a|b>c", url: "https://querent.example/|<>" }] });
    assert.equal(linked.blocks.at(-1)?.text.text, "<https://querent.example/%7C%3C%3E|a¦b&gt;c>");
  });

  void test("stays within Slack's limits, whatever it is about, and says how much it leaves out", () => {
    const long = {
      ...notice,
      paragraphs: [{ list: Array.from({ length: 900 }, (_, nth) => `${nth} ${"&".repeat(700)}`) }],
    };
    const { blocks } = slack(long);
    assert.equal(blocks.length, 50);
    const shown = blocks
      .filter(({ text }) => text.text.startsWith("•"))
      .reduce((sum, { text }) => sum + text.text.split("\n").length, 0);
    assert.equal(blocks.at(-2)?.text.text, `${900 - shown} more`);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 2000 }), { maxLength: 20 }), (texts) => {
        const body = slack({ ...notice, title: texts.join(""), paragraphs: [...texts, { list: texts }] });
        assert.ok(body.blocks.length <= 50);
        for (const { type, text } of body.blocks) {
          assert.ok([...text.text].length <= (type === "header" ? 150 : 3000), type);
          const own = commandsIn(text.text).filter((one) => one.startsWith("<https://querent.example/"));
          assert.deepEqual(commandsIn(text.text), own);
        }
      }),
      { numRuns: 20 },
    );
  });
});

void suite("a message to Teams", () => {
  void test("is an Adaptive Card in a message, which Microsoft's reader takes without objection", () => {
    const { type, attachments } = teams(notice);
    assert.equal(type, "message");
    assert.equal(attachments[0]?.contentType, "application/vnd.microsoft.card.adaptive");
    const card = cardOf(notice);
    assert.deepEqual(objections(card), []);
    assert.deepEqual(objections({ ...card, body: [{ type: "Nothing" }] }).length, 1, "the reader does object");
    assert.deepEqual(
      card.body.map(({ inlines }) => inlines[0]?.text),
      [notice.title, "It is made from 40 answers.", "• Acme is named in 40 %", "• Brix is named in 10 %"],
    );
    assert.deepEqual(card.actions, [
      { type: "Action.OpenUrl", title: "Open the report", url: "https://querent.example/r/abc?x=1&y=2" },
    ]);
  });

  void test("pings nobody and links nowhere by a name, because no element of it reads markup", () => {
    for (const name of hostile) {
      const card = cardOf({ ...notice, title: name, paragraphs: [name, { list: [name] }], links: [] });
      // A TextBlock would read Markdown; a mention needs an entity of `msteams`.
      assert.deepEqual(new Set(card.body.map(({ type }) => type)), new Set(["RichTextBlock"]));
      assert.equal("msteams" in card, false);
      assert.deepEqual(objections(card), []);
      assert.doesNotMatch(JSON.stringify(card), /\{\{/);
    }
  });

  void test("has less than 28 KB, whatever it is about", () => {
    const list = Array.from({ length: 900 }, (_, nth) => `${nth} ${"咖".repeat(500)}`);
    const bytes = teamsMessage({ ...notice, paragraphs: [{ list }] });
    assert.ok(bytes.length < 28 * 1024 && bytes.length > 8 * 1024, String(bytes.length));
    const shown = cardOf({ ...notice, paragraphs: [{ list }] }).body.map(({ inlines }) => inlines[0]?.text ?? "");
    assert.equal(shown.at(-1), `${900 - (shown.length - 2)} more`);
    assert.ok(teamsMessage({ ...notice, title: "咖".repeat(100_000) }).length < 28 * 1024);
  });
});

void suite("an event of PagerDuty", () => {
  void test("opens an incident, and resolves it by the same key", () => {
    const opened = incident(notice);
    assert.deepEqual(
      [
        opened.event_action,
        opened.dedup_key,
        opened.payload?.severity,
        opened.payload?.source,
        opened.payload?.summary,
      ],
      ["trigger", "querent a points_low", "warning", "Example", notice.title],
    );
    const over = incident({ ...notice, incident: { ...notice.incident, isOver: true } });
    assert.deepEqual(over, {
      ...{ routing_key: opened.routing_key, dedup_key: opened.dedup_key, event_action: "resolve" },
    });
  });

  void test("stays within PagerDuty's limits, whatever it is about", () => {
    const long = "x".repeat(5000);
    const { payload, dedup_key: key } = incident({
      ...{ ...notice, title: long, paragraphs: [{ list: Array.from({ length: 900 }, () => long) }] },
      incident: { ...notice.incident, key: long, source: "\n" },
    });
    assert.equal(payload?.summary.length, 1024);
    assert.equal(key.length, 255);
    assert.equal(payload?.source, "Querent");
  });
});
