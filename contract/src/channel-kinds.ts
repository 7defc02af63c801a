import { Type } from "typebox";
import { Uuid } from "./scalars.ts";

/** Where reports and alerts go beside mail addresses, with what each kind needs. */
export const channelKinds = {
  slack: "an incoming webhook of Slack",
  teams: "a workflow webhook of Microsoft Teams, which gets an Adaptive Card",
  pagerduty: "an integration key of PagerDuty’s Events API v2",
  webhook: "an endpoint of your own, which gets the event with the account's signature",
} as const;
export type ChannelKind = keyof typeof channelKinds;
export const channelKindNames = Object.keys(channelKinds) as ChannelKind[];

/** A channel that something is sent to. */
export const NamedChannel = Type.Object({
  channelId: Uuid,
  kind: Type.Enum([...channelKindNames]),
  name: Type.String(),
});
