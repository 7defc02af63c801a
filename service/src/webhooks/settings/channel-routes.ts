import { api } from "@querent/contract";
import { AccountSemaphore } from "../../api/account-semaphore.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import type { EgressGuard } from "../../egress/index.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { MasterKeyError, type MasterKey } from "../../vault/index.ts";
import {
  createChannel,
  deleteChannel,
  listChannels,
  readChannels,
  replaceChannel,
  type Notice,
} from "../channels/channels.ts";
import type { ChannelSender } from "../send/send-channel.ts";
import { readSigning } from "../signing/signing-secrets.ts";

interface ChannelRoutesDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly guard: EgressGuard;
  readonly channels: ChannelSender;
}

/** Concurrent tests of one account in this process. */
const testsMax = 4;
const noSuchChannel = () => new ProblemError("not_found", "There is no such channel.");

export function channelRoutes(deps: ChannelRoutesDeps): Route[] {
  const { database, masterKey } = deps;
  const tests = new AccountSemaphore({
    what: "tests of channels",
    perAccount: testsMax,
    inAll: Number.POSITIVE_INFINITY,
    waitMs: 0,
    waitingMax: 0,
  });
  return [
    route(api.listChannels, async ({ caller }) => ({
      status: 200,
      body: { channels: await listChannels(database, caller.accountId) },
    })),
    route(api.createChannel, async ({ caller, body, signal }) => ({
      status: 201,
      body: await createChannel(deps, caller.accountId, body, signal),
    })),
    route(api.putChannel, async ({ caller: { accountId }, params, body, signal }) => {
      const channel = await replaceChannel(deps, { accountId, channelId: params.channel_id }, body, signal);
      if (channel === null) throw noSuchChannel();
      return { status: 200, body: channel };
    }),
    route(api.deleteChannel, async ({ caller: { accountId }, params }) => {
      if (!(await deleteChannel(database, { accountId, channelId: params.channel_id }))) throw noSuchChannel();
      return { status: 204 };
    }),
    route(api.testChannel, async ({ caller: { accountId, accountName }, params, headers, signal }) => {
      const release = tests.tryAcquire(accountId);
      if (release === null) {
        throw new ProblemError("state_conflict", `${testsMax} tests are under way. Wait until one has ended.`, {
          headers: { "retry-after": "5" },
        });
      }
      try {
        const channelId = params.channel_id;
        const channel = (await readChannels(database, accountId, [channelId])).get(channelId);
        if (channel === undefined) throw noSuchChannel();
        noteAudit({ target: { type: "channel", id: channelId } });
        const notice = testNotice({ ...channel, accountName }, headers["accept-language"]);
        const signing = async () => {
          const found = (await readSigning(database, masterKey, [accountId])).get(accountId)?.signing;
          if (found instanceof MasterKeyError) throw found;
          return found;
        };
        const tested = await testOnce(deps.channels, { accountId, channelId }, notice, signing, signal);
        if (tested === null) throw noSuchChannel();
        return { status: 200, body: tested };
      } finally {
        release();
      }
    }),
  ];
}

async function testOnce(channels: ChannelSender, ...test: Parameters<ChannelSender["test"]>) {
  try {
    return await channels.test(...test);
  } catch (error) {
    if (error instanceof ProblemError || error instanceof MasterKeyError) throw error;
    throw new ProblemError("unavailable", "The test could not be sent. Try again.", {
      cause: error,
      headers: { "retry-after": "2" },
    });
  }
}

/** In the language of whoever tests it. */
function testNotice(
  { id, name, accountName }: { readonly id: string; readonly name: string; readonly accountName: string },
  accepted: string | undefined,
): Notice {
  const isChinese = /^\s*zh\b/i.test(accepted ?? "");
  return {
    title: isChinese
      ? `这是 Querent 的测试消息：渠道“${name}”可用`
      : `This is a test: Querent reaches the channel “${name}”`,
    paragraphs: [
      isChinese
        ? `账户 ${accountName} 的报告和提醒会发到这里。`
        : `Reports and alerts of ${accountName} that are sent to this channel arrive here.`,
    ],
    links: [],
    more: String,
    at: new Date(),
    incident: { key: `querent test ${id}`, severity: "info", isOver: false, source: accountName },
  };
}
