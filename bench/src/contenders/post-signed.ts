/** Sends signed POST requests over a fixed number of connections. */
import { Pool } from "undici";
import { signedHeaders } from "./answer.ts";
import type { ContenderInput } from "./contender.ts";

/** Throws unless the response has a 2xx status. */
export type PostSigned = (deliveryId: string, body: Buffer) => Promise<void>;

export function openReceiver({ receiverUrl, receiverConnections, ca }: ContenderInput): PostSigned {
  const url = new URL(receiverUrl);
  const receiver = new Pool(url.origin, { connections: receiverConnections, connect: { ca } });
  return async (deliveryId, body) => {
    const headers = signedHeaders(deliveryId, body);
    const response = await receiver.request({
      method: "POST",
      path: url.pathname,
      headers,
      body,
      headersTimeout: 15_000,
    });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`receiver answered ${response.statusCode}`);
  };
}
