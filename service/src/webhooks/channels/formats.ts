/**
 * A notice as Slack, Teams and PagerDuty take it, within their limits. Names in it are chosen by whoever defines a brand or a panel, and
 * by what models answer, so all text is made inert: it pings nobody, and links nowhere.
 *
 * Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and the reference of blocks. Teams:
 * https://learn.microsoft.com/connectors/teams and https://adaptivecards.io/explorer. PagerDuty:
 * https://developer.pagerduty.com/docs/events-api-v2-overview.
 */
import type { Incident, Notice, NoticePart } from "./channels.ts";

/** Of a message of Slack. */
const slackBlocksMax = 50;
const slackTextMax = 3000;
const slackHeaderMax = 150;
/** Teams refuses messages from about 28 KB on, and counts what it makes of them. */
const teamsBytesMax = 24 * 1024;
const pagerDutySummaryMax = 1024;
const pagerDutyKeyMax = 255;
/** PagerDuty refuses more than 512 KB; a page of an incident is read by people. */
const pagerDutyDetailsMax = 50;
const itemCharsMax = 600;

/**
 * One line without what a reader can't see: control characters, line breaks of any kind, and marks that turn the direction of what
 * follows.
 */
function oneLine(text: string, charsMax: number): string {
  const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
  const chars = [...clean];
  return chars.length <= charsMax ? clean : `${chars.slice(0, charsMax - 1).join("")}…`;
}

/** With these three characters written as entities, nothing in a text of Slack is a mention, a link or a command. */
const slackText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The longest beginning of a text that has at most so many characters when it is escaped. */
function slackCut(text: string, charsMax: number): string {
  const whole = slackText(oneLine(text, charsMax));
  if (whole.length <= charsMax) return whole;
  let cut = "";
  for (const char of oneLine(text, charsMax)) {
    const next = slackText(char);
    if (cut.length + next.length > charsMax - 1) break;
    cut += next;
  }
  return `${cut}…`;
}

const slackLink = ({ words, url }: Notice["links"][number]) =>
  `<${slackText(url.replace(/[<>|]/g, encodeURIComponent))}|${slackCut(words, 200).replaceAll("|", "¦")}>`;

/** `verbatim`: Slack looks for no addresses and names in the text. */
const slackSection = (text: string) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });

export function slackMessage({ title, paragraphs, links, more }: Notice): Buffer {
  const end = links.length === 0 ? [] : [slackSection(links.slice(0, 10).map(slackLink).join("\n"))];
  const room = slackBlocksMax - 1 - end.length;
  const sections = paragraphs.flatMap((paragraph): string[] =>
    typeof paragraph === "string"
      ? [slackCut(paragraph, slackTextMax)]
      : inParts(
          paragraph.list.map((item) => `• ${slackCut(item, itemCharsMax)}`),
          slackTextMax,
        ),
  );
  const shown = sections.length <= room ? sections : sections.slice(0, room - 1);
  const left = sections.slice(shown.length).reduce((sum, text) => sum + text.split("\n").length, 0);
  // The header knows no markup; `text` is what notifications show.
  return bytesOf({
    text: slackCut(title, slackTextMax),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: slackCut(title, slackHeaderMax), emoji: false } },
      ...shown.map(slackSection),
      ...(left === 0 ? [] : [slackSection(slackCut(more(left), slackTextMax))]),
      ...end,
    ],
  });
}

/** Lines joined into as few texts as the limit allows. */
function inParts(lines: readonly string[], charsMax: number): string[] {
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= charsMax) parts[parts.length - 1] = `${last}\n${line}`;
    else parts.push(line);
  }
  return parts;
}

/** Two braces would begin a function of dates. */
const teamsText = (text: string) => text.replaceAll("{{", "{\u200B{");

/** A text run knows no Markdown. */
const teamsRun = (text: string, look: object = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text: teamsText(text), ...look }],
});

export function teamsMessage(notice: Notice): Buffer {
  const lines = notice.paragraphs.flatMap((paragraph) =>
    typeof paragraph === "string"
      ? [oneLine(paragraph, slackTextMax)]
      : paragraph.list.map((item) => `• ${oneLine(item, itemCharsMax)}`),
  );
  for (let shown = lines.length; ; shown = Math.floor(shown * 0.8)) {
    const left = lines.length - shown;
    const message = bytesOf(teamsCard(notice, [...lines.slice(0, shown), ...(left === 0 ? [] : [notice.more(left)])]));
    if (message.length <= teamsBytesMax || shown === 0) return message;
  }
}

function teamsCard({ title, links }: Notice, lines: readonly string[]): object {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            teamsRun(oneLine(title, itemCharsMax), { weight: "Bolder", size: "Medium" }),
            ...lines.map((line) => teamsRun(line)),
          ],
          actions: links.slice(0, 5).map(({ words, url }) => ({
            type: "Action.OpenUrl",
            title: teamsText(oneLine(words, 100)),
            url,
          })),
        },
      },
    ],
  };
}

export function pagerDutyEvent(notice: Notice, routingKey: string): Buffer {
  const { title, paragraphs, links, at, incident } = notice;
  const about = { routing_key: routingKey, dedup_key: keyOf(incident) };
  if (incident.isOver) return bytesOf({ ...about, event_action: "resolve" });
  const details = paragraphs.flatMap((paragraph: NoticePart) =>
    typeof paragraph === "string" ? [paragraph] : paragraph.list,
  );
  return bytesOf({
    ...about,
    event_action: "trigger",
    client: "Querent",
    payload: {
      summary: oneLine(title, pagerDutySummaryMax),
      source: oneLine(incident.source, pagerDutyKeyMax) || "Querent",
      severity: incident.severity,
      timestamp: at.toISOString(),
      custom_details: {
        details: details.slice(0, pagerDutyDetailsMax).map((text) => oneLine(text, slackTextMax)),
      },
    },
    links: links.map(({ words, url }) => ({ href: url, text: oneLine(words, pagerDutyKeyMax) })),
  });
}

const keyOf = ({ key }: Incident) => key.slice(0, pagerDutyKeyMax);

const bytesOf = (message: object): Buffer => Buffer.from(JSON.stringify(message), "utf8");
