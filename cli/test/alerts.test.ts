import assert from "node:assert/strict";
import { test } from "node:test";
import type { Alert, Channel } from "@querent/client";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { place } from "./place.ts";

const receiver = await startReceiver(
  ({ path }, response) =>
    void response.writeHead(path === "/gone" ? 404 : 200).end(path === "/gone" ? "no_service" : "ok"),
);
test.after(() => receiver.close());
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1", QUERENT_EGRESS_CA: receiver.caFile },
});

test("channels and alerts are made, tested, listed and removed from a terminal, and the address is not shown", async () => {
  using at = await place(service);
  const add = (path: string) => at.run(["channel", "add", "#ai", "--kind", "slack"], `${receiver.url(path)}\n`);
  const made = await add("/services/SECRETSECRET/end1");
  assert.equal(made.code, 0, made.stderr);
  const { channelId } = JSON.parse(made.stdout) as Channel;
  const tested = await at.run(["channel", "test", channelId, "--text"]);
  assert.deepEqual([tested.code, tested.stdout.trim()], [0, "Slack has posted the message."]);
  const gone = JSON.parse((await add("/gone")).stdout) as Channel;
  const failed = await at.run(["channel", "test", gone.channelId, "--text"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /no_service/);
  const listed = await at.run(["channel", "list", "--text"]);
  assert.match(listed.stdout, /#ai \(slack, localhost:\d+\/…end1\)/);
  assert.doesNotMatch(listed.stdout + made.stdout, /SECRET/);
  const flags = ["--kind", "figure_changed", "points_short", "--channel", channelId, "--quiet", "20:00-07:00"];
  const alert = await at.run(["alert", "add", "Changes", ...flags, "--time-zone", "Europe/Berlin"]);
  assert.equal(alert.code, 0, alert.stderr);
  const { alertId } = JSON.parse(alert.stdout) as Alert;
  assert.match(
    (await at.run(["alert", "list", "--text"])).stdout,
    /Changes: figure_changed, points_short to #ai, quiet 20:00-07:00 \(Europe\/Berlin\)/,
  );
  assert.match((await at.run(["alert", "log", alertId, "--text"])).stdout, /^nothing was found/);
  assert.equal((await at.run(["alert", "remove", alertId])).code, 0);
  assert.equal((await at.run(["channel", "remove", channelId])).code, 0);
  assert.notEqual((await at.run(["alert", "add", "x", "--kind", "nothing", "--to", "a@b.example"])).code, 0);
});
