import { Type, type Static } from "typebox";
import { NamedChannel } from "./channel-kinds.ts";
import { reportLanguages, type ReportLanguage } from "./report.ts";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";

/** What an alert may be of. `panel`: it is found in a panel. Otherwise it is a condition, which also ends. */
export const alertKinds = {
  figure_changed: {
    of: "panel",
    about: "a figure of a panel has changed by more than chance explains, a cited site included",
  },
  source_gone: { of: "panel", about: "a site that answers of a panel cited is cited no more" },
  instrument_changed: {
    of: "panel",
    about: "what a panel is measured with has changed, such as the version of a model",
  },
  endpoint_failing: {
    of: "operations",
    about: "the account's webhook endpoint fails or is suspended, or a channel is gone",
  },
  points_short: { of: "operations", about: "the account has no points left, or less than it takes in a day" },
  platform_failing: {
    of: "operations",
    about: "a platform fails or is paused, no worker can ask it, or no worker has a browser",
  },
  session_attention: {
    of: "operations",
    needsAdmin: true,
    about: "a session of a web platform is signed out, or needs a person; for operators (`admin`)",
  },
} as const satisfies Record<string, { of: "panel" | "operations"; about: string; needsAdmin?: true }>;
export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as AlertKind[];
/** Whether only operators choose it: it tells what is theirs. */
export const alertNeedsAdmin = (kind: AlertKind): boolean => "needsAdmin" in alertKinds[kind];
export const isOfPanel = (kind: AlertKind): boolean => alertKinds[kind].of === "panel";

/** The most alerts of an account. */
export const alertsMax = 50;
export const alertRecipientsMax = 50;
export const alertPanelsMax = 100;
/** The most findings that one message lists. */
export const alertFindingsMax = 50;

const kinds = Type.Array(Type.Enum(alertKindNames), {
  minItems: 1,
  maxItems: alertKindNames.length,
  uniqueItems: true,
  description: Object.entries(alertKinds)
    .map(([name, { about }]) => `\`${name}\`: ${about}.`)
    .join(" "),
});
const name = StorableText({ minLength: 1, maxLength: 100, description: "For people." });
const time = (description: string) => Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", description });
const quietHours = Closed(
  {
    from: time("Hours and minutes."),
    to: time("Hours and minutes. Earlier than `from`: on the next day."),
    timeZone: StorableText({
      minLength: 1,
      maxLength: 64,
      description: "A name of the IANA database, such as `Europe/Berlin`.",
    }),
  },
  { description: "What is found in them is told in one message when they end." },
);
const language = Type.Enum([...reportLanguages], { description: "Of the messages. Default: `en`." });
const paused = Type.Boolean({
  description: "True: nothing is told, and what is found meanwhile is not told later. Default: false.",
});
const email = StorableText({ minLength: 3, maxLength: 254, description: "A mail address. Case does not matter." });

export const AlertRequest = Closed(
  {
    name,
    kinds,
    panels: OptionalOrNull(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: alertPanelsMax,
        uniqueItems: true,
        description: "Only of these panels. Null: of all, those to come included. Conditions are of the account.",
      }),
    ),
    channels: Type.Optional(
      Type.Array(Uuid, {
        maxItems: alertRecipientsMax,
        uniqueItems: true,
        description: "A channel of PagerDuty gets conditions, and not what is found in panels.",
      }),
    ),
    recipients: Type.Optional(
      Type.Array(email, { maxItems: alertRecipientsMax, description: "Each gets a mail alone." }),
    ),
    contactAgain: OptionalOrNull(
      Type.Array(email, {
        maxItems: alertRecipientsMax,
        description: "Recipients who have unsubscribed, and have asked to get mail again. Their next mail says so.",
      }),
    ),
    quietHours: OptionalOrNull(quietHours),
    language: OptionalOrNull(language),
    paused: OptionalOrNull(paused),
  },
  {
    examples: [
      {
        name: "Changes",
        kinds: ["figure_changed", "instrument_changed"],
        channels: ["01a1fe2b-2faa-7230-b56a-51692740303c"],
        quietHours: { from: "20:00", to: "07:00", timeZone: "Europe/Berlin" },
      },
    ],
  },
);
export type AlertRequest = Static<typeof AlertRequest>;

/** What is stored of an alert beside its destinations. */
export interface AlertSettings {
  readonly name: string;
  readonly kinds: readonly AlertKind[];
  readonly panels: readonly string[] | null;
  readonly quietHours: Static<typeof quietHours> | null;
  readonly language: ReportLanguage;
  readonly paused: boolean;
}

export const Alert = Type.Object({
  alertId: Uuid,
  name,
  kinds,
  panels: Nullable(Type.Array(Uuid), { description: "Null: all." }),
  channels: Type.Array(NamedChannel, { description: "Without those that were deleted." }),
  recipients: Type.Array(
    Type.Object({
      email: Type.String(),
      unsubscribedAt: Nullable(Timestamp, { description: "Since then, no mail goes there. Null: it does." }),
    }),
  ),
  quietHours: Nullable(quietHours),
  language,
  paused,
  waiting: Type.Integer({ minimum: 0, description: "Findings that are told when the quiet hours end, or soon." }),
  lastToldAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Alert = Static<typeof Alert>;

export const Alerts = Type.Object({
  alerts: Type.Array(Alert, { description: "Oldest first." }),
  mail: Type.Object({
    from: Nullable(Type.String()),
    missing: Nullable(Type.String(), { description: "Why no mail can be sent, for people. Null: it can be tried." }),
  }),
});
export type Alerts = Static<typeof Alerts>;

/** One matter of an alert. */
export const AlertFinding = Type.Object({
  subject: Type.String({ description: "What it is about, once for each alert: `change <id>`, or a condition." }),
  kind: Type.Enum(alertKindNames),
  severity: Type.Enum(["error", "warning", "info"]),
  text: Type.String({ description: "For people, in the language of the alert." }),
  panelId: Nullable(Uuid),
  panelName: Nullable(Type.String()),
  changeId: Nullable(Uuid, { description: "Of `GET /v1/panels/{panel_id}/changes`. Null for a condition." }),
  platformCode: Nullable(Type.String()),
  foundAt: Timestamp,
  overAt: Nullable(Timestamp, { description: "Since when a condition is over. Null: it is not, or cannot be." }),
});
export type AlertFinding = Static<typeof AlertFinding>;

export const AlertRaised = Type.Object({
  alertId: Uuid,
  alertName: Type.String(),
  messageId: Uuid,
  state: Type.Enum(["raised", "over"], {
    description: "`over`: the conditions have ended. Sent to channels of PagerDuty, and to nobody else.",
  }),
  language,
  accountName: Type.String(),
  findings: Type.Array(AlertFinding, { description: `At most ${alertFindingsMax}.` }),
  moreFindings: Type.Integer({ minimum: 0, description: "How many more there are." }),
  url: Nullable(Type.String(), { description: "The page of the console about it. Null: the URL is not known." }),
  mail: Type.Optional(
    Type.Object(
      { unsubscribeUrl: Type.String(), addedAgainBy: Nullable(Type.String()) },
      { description: "Of a delivery that is a mail, what it needs beside the rest." },
    ),
  ),
});
export type AlertRaised = Static<typeof AlertRaised>;

export const ToldFinding = Type.Object({
  subject: Type.String(),
  kind: Type.Enum(alertKindNames),
  panelId: Nullable(Uuid),
  state: Type.Enum(["waiting", "told", "over"], {
    description: "`waiting`: for the end of the quiet hours, or the next message. `over`: told, and ended since.",
  }),
  foundAt: Timestamp,
  toldAt: Nullable(Timestamp),
  overAt: Nullable(Timestamp),
  dueAt: Nullable(Timestamp, { description: "When a waiting one is told." }),
  deliveries: Type.Array(
    Type.Object({
      to: Type.String({ description: "A mail address, or the name of a channel." }),
      state: Type.Enum(["pending", "delivered", "failed", "unsubscribed", "unknown"], {
        description: "`unknown`: the delivery has ended, and is no longer stored.",
      }),
      deliveryId: Nullable(Uuid),
    }),
  ),
});
export type ToldFinding = Static<typeof ToldFinding>;
export const ToldFindings = Type.Object({
  findings: Type.Array(ToldFinding, { description: "Newest first, at most 100." }),
});
export type ToldFindings = Static<typeof ToldFindings>;
