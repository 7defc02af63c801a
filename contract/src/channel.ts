import { Type, type Static } from "typebox";
import { channelKindNames, channelKinds } from "./channel-kinds.ts";
import { DeliveryFault } from "./delivery.ts";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";

/** The most channels of an account. */
export const channelsMax = 50;

const kind = Type.Enum(channelKindNames, {
  description: Object.entries(channelKinds)
    .map(([name, about]) => `\`${name}\`: ${about}.`)
    .join(" "),
});
const name = StorableText({ minLength: 1, maxLength: 100, description: "For people, such as `#ai-visibility`." });
const secret = StorableText({
  minLength: 1,
  maxLength: 2048,
  description:
    "The address that Slack, Teams or your endpoint gave, or the integration key of PagerDuty. Stored encrypted, and never shown again.",
});
const region = Type.Enum(["us", "eu"], {
  description: "Of `pagerduty`: the service region of the PagerDuty account. Default: `us`.",
});

export const ChannelRequest = Closed(
  { kind, name, secret, region: OptionalOrNull(region) },
  { examples: [{ kind: "slack", name: "#ai-visibility", secret: "https://hooks.slack.com/services/T0/B0/example" }] },
);
export type ChannelRequest = Static<typeof ChannelRequest>;

export const ChannelChange = Closed({
  name,
  secret: Type.Optional(
    Nullable(secret, { description: "In place of the stored one. Absent or null: the stored one stays." }),
  ),
  region: OptionalOrNull(region),
});
export type ChannelChange = Static<typeof ChannelChange>;

export const Channel = Type.Object({
  channelId: Uuid,
  kind,
  name,
  address: Type.String({
    description: "The host and the end of the secret, by which people recognize it: `hooks.slack.com/…mple`.",
  }),
  region: Nullable(region, { description: "Null unless `kind` is `pagerduty`." }),
  state: Type.Enum(["active", "gone"], {
    description:
      "`gone`: the service behind it has said that the address does not exist any more. Nothing is sent until a new one is stored, or a test passes.",
  }),
  goneSince: Nullable(Timestamp),
  problem: Nullable(Type.String(), { description: "Why it is gone, or what the last failed attempt met. For people." }),
  lastSuccessAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Channel = Static<typeof Channel>;

export const Channels = Type.Object({ channels: Type.Array(Channel, { description: "Oldest first." }) });
export type Channels = Static<typeof Channels>;

export const ChannelTest = Type.Object({
  passed: Type.Boolean({ description: "The service behind the channel has accepted the message." }),
  detail: Type.String({ description: "What happened and what to do, for people." }),
  status: Nullable(Type.Integer(), { description: "The HTTP status of the reply. Null: there was none." }),
  fault: Nullable(DeliveryFault),
  durationMs: Type.Integer({ minimum: 0 }),
});
export type ChannelTest = Static<typeof ChannelTest>;
