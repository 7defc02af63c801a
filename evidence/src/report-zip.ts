import { createHash, type KeyObject } from "node:crypto";
import type { PublicKey } from "./keys.ts";
import { isManifestFile, isObject, isSigningKey, isTime, readObject, type ManifestFile } from "./manifest.ts";
import { openZip, ZipError } from "./read-zip.ts";
import { printable, refused, verifySigned, type Refused, type SignedContents } from "./verify-signed.ts";
import { signedEntries, type SignedFile } from "./write-signed.ts";
import { writeZip } from "./write-zip.ts";
import { dosTime } from "./zip-format.ts";

/** The level of compression. Level 9 saves an eighth of the bytes of observations, in five times the time. */
const level = 5;

const reportZipFormat = "querent-report-zip/1";

/** The signed content of a report: of which panel and window, by which service, and the digest of every file. */
export interface ReportManifest {
  readonly format: typeof reportZipFormat;
  readonly panelId: string;
  readonly window: { readonly from: string; readonly to: string };
  readonly service: { readonly name: string; readonly version: string };
  readonly key: PublicKey;
  readonly files: readonly ManifestFile[];
}

export interface ReportFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * A report as a zip, in pieces. The manifest comes last, so that files can be written as they are made, and only two of them are in
 * memory. The same files give the same bytes.
 */
export function writeReportZip(
  facts: Omit<ReportManifest, "format" | "files">,
  files: AsyncIterable<ReportFile>,
  privateKey: KeyObject,
): AsyncGenerator<Buffer> {
  const { panelId, window, service, key } = facts;
  const manifestOf = (listed: readonly ManifestFile[]) => {
    const content: ReportManifest = { format: reportZipFormat, panelId, window, service, key, files: listed };
    return Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  };
  return writeZip(signedEntries(digested(files), manifestOf, privateKey), zipTime(window.to), level);
}

async function* digested(files: AsyncIterable<ReportFile>): AsyncGenerator<SignedFile> {
  for await (const { name, mediaType, bytes } of files) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    yield { name, mediaType, bytes: bytes.length, sha256, read: async () => bytes };
  }
}

export type ReadReport = SignedContents<ReportManifest> | Refused;

/** The files of a report, if it is complete, unchanged and signed with one of the keys to trust; null: with any key. */
export function readReportZip(zip: Uint8Array, trusted: readonly PublicKey[] | null): ReadReport {
  try {
    const opened = openZip(zip);
    const signed = verifySigned(opened, trusted, "report", readReportManifest);
    if (signed.verdict === "refused") return signed;
    if (opened.time !== dosTime(zipTime(signed.manifest.window.to)))
      return refused("damaged", "The zip is damaged: its files have another time than the end of the window.");
    return signed;
  } catch (error) {
    if (error instanceof ZipError) return refused(error.reason, error.message);
    throw error;
  }
}

function readReportManifest(bytes: Uint8Array): ReportManifest | { readonly otherFormat: string } | null {
  const value = readObject(bytes);
  if (value === null) return null;
  const { format, panelId, window, service, key, files } = value;
  if (typeof format !== "string") return null;
  if (format !== reportZipFormat) return { otherFormat: printable(format) };
  if (typeof panelId !== "string" || !isObject(window) || !isTime(window["from"]) || !isTime(window["to"])) return null;
  if (!isObject(service) || typeof service["name"] !== "string" || typeof service["version"] !== "string") return null;
  if (!isSigningKey(key) || !Array.isArray(files) || !files.every(isManifestFile)) return null;
  return value as unknown as ReportManifest;
}

/** The time of the zip's files, within what the format can express. */
function zipTime(to: string): Date {
  const [first, last] = [Date.UTC(1980, 0, 1), Date.UTC(2107, 11, 31)];
  return new Date(Math.min(Math.max(Date.parse(to), first), last));
}
