// A platform whose responses have 16 MiB, the most that is stored of one: a text of 1 MiB, and the response that it was read from.
import { setTimeout as sleep } from "node:timers/promises";

const MiB = 1024 * 1024;
const line = '{"text":"A platform wrote this line, and it is here to make the response as long as it may be."},\n';
const chunkBytes = MiB / 4;
/** A fast network delivers so many responses in this time. */
const perSecond = 20;

export function createPlatform() {
  const markdown = line.repeat(Math.floor(MiB / line.length));
  let waiting = 0;
  return {
    name: "Long responses",
    async ask(question, { signal }) {
      await sleep((++waiting * 1000) / perSecond, undefined, { signal }).catch(() => undefined);
      waiting--;
      if (signal.aborted) return { kind: "canceled" };
      return {
        kind: "answered",
        answer: {
          parts: [{ type: "markdown", markdown }],
          sources: [],
          reasoning: null,
          search: null,
          pageHtml: null,
          modelVersion: null,
          observedAt: new Date(),
          endpoint: null,
          region: null,
          unreadable: [],
        },
        raw: { mediaType: "application/json", body: await receive() },
        consumption: null,
      };
    },
  };
}

/** A text of its own, decoded from chunks as from the network: not one that all responses share. */
async function receive() {
  const chunks = [];
  for (let received = 0; received < 16 * MiB; received += chunkBytes) {
    chunks.push(Buffer.alloc(chunkBytes, line).toString("utf8"));
    await sleep(1);
  }
  return chunks.join("");
}
