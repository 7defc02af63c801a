/** The cost of sending alone: signed POST requests as fast as the connections allow. Nothing is read, claimed or recorded. */
import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { signedHeaders } from "../contenders/answer.ts";
import { answerParent, machineMs } from "./child.ts";

export interface PosterInput {
  readonly receiverUrl: string;
  readonly ca: string;
  readonly connections: number;
}

let pool: Pool | null = null;

answerParent({
  start: ({ receiverUrl, ca, connections }: PosterInput) => {
    pool = new Pool(new URL(receiverUrl).origin, { connections, connect: { ca } });
  },
  post: async ({
    count,
    path,
    body,
    connections,
  }: {
    count: number;
    path: string;
    body: string;
    connections: number;
  }) => {
    const receiver = pool;
    if (receiver === null) throw new Error("not started");
    const bytes = Buffer.from(body);
    let left = count;
    const startMs = machineMs();
    const post = async () => {
      while (left-- > 0) {
        const response = await receiver.request({
          method: "POST",
          path,
          headers: signedHeaders(randomUUID(), bytes),
          body: bytes,
        });
        await response.body.dump();
      }
    };
    await Promise.all(Array.from({ length: connections }, post));
    return { startMs };
  },
});
