import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, request } from "undici";
import { backoffMs } from "../runtime/backoff.ts";
import { CredentialsError, errorCode, readBounded, type S3Credentials } from "./s3-credentials.ts";
import { ContentFault, type ContentFaultReason, type ContentStore } from "./file-store.ts";

export interface S3Settings {
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket goes into the path, which every S3 server supports. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Prepended to every key: `querent/`. */
  readonly prefix: string;
  readonly credentials: S3Credentials;
}

/** The timeout of a request including its body. */
const requestMs = 60_000;
/** The maximum number of attempts if the server is busy or unavailable. */
const attemptsMax = 3;
const retryBackoff = { firstMs: 400, maxMs: 2000 };
const errorBytesMax = 16 * 1024;

/**
 * Contents as objects of an S3-compatible bucket. Uses three operations of the protocol, signed by a library and sent by our
 * own client, so that we control time limits, sizes and retries. The digest of the bytes is part of the signature.
 */
export class S3Store implements ContentStore {
  readonly place: string;
  readonly #settings: S3Settings;
  readonly #agent = new Agent({ connections: 32, headersTimeout: requestMs, bodyTimeout: requestMs });

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.place = `${settings.endpoint}/${settings.bucket}/${settings.prefix}`;
  }

  async write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#send("PUT", key, { body: bytes, signal, bytesMax: errorBytesMax });
  }

  async read(key: string, bytes: number, signal: AbortSignal): Promise<Buffer> {
    const content = await this.#send("GET", key, { signal, bytesMax: bytes });
    if (content.length !== bytes)
      throw new ContentFault("damaged", `${this.place}${key} has ${content.length} bytes and should have ${bytes}.`);
    return content;
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#send("DELETE", key, { signal, bytesMax: errorBytesMax });
    } catch (error) {
      if (!(error instanceof ContentFault && error.reason === "missing")) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #send(method: "PUT" | "GET" | "DELETE", key: string, options: SendOptions): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendOnce(method, key, options);
      } catch (error) {
        options.signal.throwIfAborted();
        if (error instanceof KeysRefused && attempt < attemptsMax) continue;
        const fault = this.#faultOf(key, error);
        if (fault.reason !== "unavailable" || attempt === attemptsMax) throw fault;
        await pause(backoffMs(attempt, retryBackoff), undefined, { signal: options.signal });
      }
    }
  }

  #faultOf(key: string, error: unknown): ContentFault {
    if (error instanceof ContentFault) return error;
    if (error instanceof CredentialsError)
      return new ContentFault("unavailable", this.#says(key, `there are no keys for it. ${error.message}`), error);
    return new ContentFault("unavailable", this.#says(key, "no answer"), error);
  }

  async #sendOnce(method: "PUT" | "GET" | "DELETE", key: string, options: SendOptions): Promise<Buffer> {
    const { endpoint, bucket, prefix, region, credentials } = this.#settings;
    const keys = await credentials.read(options.signal);
    const { body, bytesMax } = options;
    const url = `${endpoint.replace(/\/+$/, "")}/${encodeURIComponent(bucket)}/${prefix}${key}`;
    const sha256 = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const signed = await new AwsV4Signer({
      method,
      url,
      service: "s3",
      region,
      ...keys,
      headers: { "x-amz-content-sha256": sha256 },
    }).sign();
    const response = await request(signed.url, {
      dispatcher: this.#agent,
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(requestMs)]),
    });
    const ok = response.statusCode >= 200 && response.statusCode < 300;
    const sizeMax = ok ? bytesMax : errorBytesMax;
    const content = await readBounded(response.body, sizeMax);
    if (content === null) throw new ContentFault("damaged", `The artifact store sent more than ${sizeMax} bytes.`);
    if (ok) return content;
    const code = errorCode(content.toString("utf8"));
    const says = this.#says(key, `${method} was answered with ${response.statusCode} ${code}`.trim());
    if (keysRefused.test(code) && credentials.refused(keys)) throw new KeysRefused("refused", says);
    throw new ContentFault(reasonOf(response.statusCode, code), says);
  }

  #says(key: string, what: string): string {
    return `The artifact store ${this.place} failed at ${key}: ${what}.`;
  }
}

/** The keys may have expired meanwhile: the request is sent again with others. */
class KeysRefused extends ContentFault {}
const keysRefused = /^(ExpiredToken|InvalidToken|TokenRefreshRequired|InvalidAccessKeyId)$/;

interface SendOptions {
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
  readonly bytesMax: number;
}

function reasonOf(status: number, code: string): ContentFaultReason {
  if (/Quota|StorageFull|InsufficientStorage|EntityTooLarge/i.test(code) || status === 507) return "full";
  if (status === 404) return code === "NoSuchBucket" ? "refused" : "missing";
  return status >= 500 || status === 429 || status === 408 ? "unavailable" : "refused";
}
