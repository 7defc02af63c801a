/** Channels: where reports and alerts reach people beside mail. */
import { Channel, ChannelChange, ChannelRequest, Channels, channelsMax, ChannelTest } from "./channel.ts";
import { json, operation, usual, withBody, withStorage } from "./operation.ts";
import { Closed, Uuid } from "./scalars.ts";

const tag = "Alerts";
const params = Closed({ channel_id: Uuid });
const bytesMax = 16 * 1024;

export const listChannels = operation({
  id: "listChannels",
  method: "GET",
  path: "/v1/channels",
  tag,
  summary: "List the channels",
  description: "Where reports and alerts may go beside mail addresses. Their secrets are never shown.",
  scope: "panels:read",
  replies: { 200: { description: "The channels.", content: json(Channels) } },
  problems: usual,
});

export const createChannel = operation({
  id: "createChannel",
  method: "POST",
  path: "/v1/channels",
  tag,
  summary: "Create a channel",
  description: `An account has at most ${channelsMax} channels. Addresses are those of public hosts, with HTTPS. A message to a channel is a delivery like those of webhooks, with the same attempts, log and redelivery.`,
  scope: "panels:write",
  free: true,
  stores: "free",
  body: { schema: ChannelRequest, required: true, bytesMax },
  replies: { 201: { description: "The channel.", content: json(Channel) } },
  problems: [...usual, ...withBody, ...withStorage, "state_conflict"],
});

export const putChannel = operation({
  id: "putChannel",
  method: "PUT",
  path: "/v1/channels/{channel_id}",
  tag,
  summary: "Change a channel",
  description: "Messages that wait are sent to its new address.",
  scope: "panels:write",
  free: true,
  params,
  body: { schema: ChannelChange, required: true, bytesMax },
  replies: { 200: { description: "The channel.", content: json(Channel) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const deleteChannel = operation({
  id: "deleteChannel",
  method: "DELETE",
  path: "/v1/channels/{channel_id}",
  tag,
  summary: "Delete a channel",
  description:
    "Its secret is deleted with it. Messages that wait are not sent. Schedules and alerts keep their others.",
  scope: "panels:write",
  free: true,
  params,
  replies: { 204: { description: "Nothing is sent there any more." } },
  problems: [...usual, "not_found"],
});

export const testChannel = operation({
  id: "testChannel",
  method: "POST",
  path: "/v1/channels/{channel_id}/test",
  tag,
  summary: "Send a test to a channel",
  description:
    "At once and without another attempt, in the same way as other messages, and says what happened. With PagerDuty, the test opens an incident of severity `info`, and resolves it. A passed test ends the state `gone`. The request has no body.",
  scope: "panels:write",
  free: "rate",
  params,
  replies: { 200: { description: "What happened, whether it passed or not.", content: json(ChannelTest) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});
