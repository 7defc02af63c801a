/**
 * Writes a web archive: WACZ 1.1.1, a zip with the recorded responses as WARC, their index, and the pages. Two pages where the
 * page's address has a response of its own: as it was delivered, and as it was when the answer was complete.
 */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { writeZip } from "@querent/evidence";
import { CDXIndexer, WARCParser, WARCRecord, WARCSerializer, type WARCRecordOpts } from "warcio";
import type { Exchange, Socket, Traffic } from "./record-traffic.ts";
import { findSecrets, redaction, type Redaction, type SessionValues } from "./secrets.ts";

export interface Recording {
  readonly traffic: Traffic;
  readonly session: SessionValues;
  readonly page: { readonly url: string; readonly title: string; readonly html: string; readonly at: Date };
}

export const waczMediaType = "application/wacz";
const warcName = "data.warc.gz";

export async function writeWacz(recording: Recording): Promise<Buffer> {
  const { traffic, session, page } = recording;
  const hide = redaction(findSecrets(traffic, session, [page.html, ...traffic.sockets.flatMap(textsOf)]));
  const url = hide.text(page.url.replace(/#.*$/s, ""));
  const title = hide.text(page.title);
  const records = [await warcInfo(traffic)];
  for (const exchange of traffic.exchanges) {
    await nextTurn();
    records.push(...(await Promise.all(recordsOf(exchange, hide))));
  }
  for (const socket of traffic.sockets) {
    await nextTurn();
    records.push(await socketRecord(socket, hide));
  }
  records.push(await domRecord(url, Buffer.from(hide.text(page.html)), page.at));
  const warc = Buffer.concat(records);
  const delivered = traffic.exchanges.find((each) => each.method === "GET" && hide.text(each.url) === url);
  const pages = [
    { format: "json-pages-1.0", id: "pages", title: "All Pages" },
    { id: "answered", url, ts: page.at.toISOString(), title },
    ...(delivered === undefined ? [] : [{ id: "delivered", url, ts: delivered.at.toISOString(), title }]),
  ];
  const files = [
    { path: `archive/${warcName}`, bytes: warc },
    { path: "indexes/index.cdx", bytes: await indexOf(warc) },
    { path: "pages/pages.jsonl", bytes: Buffer.from(pages.map((each) => `${JSON.stringify(each)}\n`).join("")) },
  ];
  const description = json({
    profile: "data-package",
    wacz_version: "1.1.1",
    title,
    created: page.at.toISOString(),
    software: "Querent",
    mainPageUrl: url,
    mainPageDate: page.at.toISOString(),
    resources: files.map(({ path, bytes }) => ({
      name: path.split("/").at(-1),
      path,
      hash: digest(bytes),
      bytes: bytes.byteLength,
    })),
  });
  const digests = json({ path: "datapackage.json", hash: digest(description) });
  const all = [
    ...files,
    { path: "datapackage.json", bytes: description },
    { path: "datapackage-digest.json", bytes: digests },
  ];
  const zipped = all.map(({ path, bytes }) => ({ name: path, read: async () => bytes, stored: true }));
  return Buffer.concat(await Array.fromAsync(writeZip(zipped, page.at)));
}

const json = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
const digest = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Headers that say nothing about the session. */
const requestHeadersKept = new Set(["accept", "accept-language", "content-type", "range", "user-agent"]);
const responseHeadersKept =
  /^(accept-ranges|access-control-.*|age|cache-control|content-(disposition|language|range|type)|date|etag|expires|last-modified|location|vary|cross-origin-.*|timing-allow-origin)$/;

async function serialize(options: WARCRecordOpts, body: Buffer): Promise<{ bytes: Buffer; id: string }> {
  const record = WARCRecord.create({ warcVersion: "WARC/1.1", ...options }, [body]);
  const bytes = Buffer.from(await WARCSerializer.serialize(record, { gzip: true }));
  return { bytes, id: record.warcHeader("WARC-Record-ID") ?? "" };
}

const textsOf = ({ messages }: Socket): string[] =>
  messages.flatMap(({ data }) => (typeof data === "string" ? [data] : []));

/** WARC has no form for a WebSocket, so its messages are a resource of lines: when, from whom, and the text, or bytes in Base64. */
async function socketRecord({ at, url, messages }: Socket, hide: Redaction): Promise<Buffer> {
  const lines = messages.map(({ at: sent, from, data }) =>
    JSON.stringify({
      at: sent.toISOString(),
      from,
      ...(typeof data === "string" ? { text: hide.text(data) } : { base64: hide.bytes(data).toString("base64") }),
    }),
  );
  const { bytes } = await serialize(
    {
      url: hide.text(url),
      date: at.toISOString(),
      type: "resource",
      warcHeaders: { "Content-Type": "application/x-ndjson" },
    },
    Buffer.from(`${lines.join("\n")}\n`),
  );
  return bytes;
}

async function warcInfo({ exchanges, leftOut }: Traffic): Promise<Buffer> {
  const description = `The responses that a browser received for a page. Bodies are without their content encodings, and secrets of the session are replaced. ${exchanges.length} responses are recorded, ${leftOut} are left out.`;
  const info = WARCRecord.createWARCInfo(
    { filename: warcName, warcVersion: "WARC/1.1" },
    { software: "Querent", format: "WARC File Format 1.1", description },
  );
  return Buffer.from(await WARCSerializer.serialize(info, { gzip: true }));
}

/** The response, then its request, which the index needs in this order. */
function recordsOf(exchange: Exchange, hide: Redaction): Promise<Buffer>[] {
  const { at, method, status, statusText, body, requestBody } = exchange;
  const url = hide.text(exchange.url);
  const { host, pathname, search } = new URL(url);
  const shared = { url, date: at.toISOString() };
  const kept = exchange.responseHeaders.filter(({ name }) => responseHeadersKept.test(name.toLowerCase()));
  const response = serialize(
    {
      ...shared,
      type: "response",
      statusline: `HTTP/1.1 ${status} ${statusText}`.trim(),
      httpHeaders: cleaned(kept, hide),
    },
    hide.bytes(body),
  );
  const sent = Object.entries(exchange.requestHeaders).map(([name, value]) => ({ name, value }));
  const request = response.then(({ id }) =>
    serialize(
      {
        ...shared,
        type: "request",
        statusline: `${method} ${pathname}${search} HTTP/1.1`,
        httpHeaders: [
          ["host", host],
          ...cleaned(
            sent.filter(({ name }) => requestHeadersKept.has(name.toLowerCase())),
            hide,
          ),
        ],
        warcHeaders: { "WARC-Concurrent-To": id },
      },
      requestBody === null ? Buffer.alloc(0) : hide.bytes(requestBody),
    ),
  );
  return [response.then(({ bytes }) => bytes), request.then(({ bytes }) => bytes)];
}

/** A header of several lines is several headers; what could end a line is no part of a value. */
function cleaned(
  headers: readonly { readonly name: string; readonly value: string }[],
  hide: Redaction,
): [string, string][] {
  const merged = new Map<string, string>();
  for (const { name, value } of headers) {
    const clean = hide.text(value).replaceAll(/[^\t\x20-\x7e]/g, " ");
    merged.set(
      name.toLowerCase(),
      merged.has(name.toLowerCase()) ? `${merged.get(name.toLowerCase())}, ${clean}` : clean,
    );
  }
  return [...merged];
}

/** The page as it looked, at its own address: a replay shows it with the recorded styles and images. */
async function domRecord(url: string, html: Buffer, at: Date): Promise<Buffer> {
  const { bytes } = await serialize(
    {
      url,
      date: at.toISOString(),
      type: "resource",
      warcHeaders: { "Content-Type": "text/html; charset=utf-8" },
    },
    html,
  );
  return bytes;
}

async function indexOf(warc: Buffer): Promise<Buffer> {
  const indexer = new CDXIndexer({ format: "cdxj" });
  const lines: string[] = [];
  for await (const entry of indexer.iterRecords(new WARCParser([warc]), warcName)) {
    lines.push(indexer.serialize(entry));
    if (lines.length % 50 === 0) await nextTurn();
  }
  return Buffer.from(lines.sort().join(""));
}
