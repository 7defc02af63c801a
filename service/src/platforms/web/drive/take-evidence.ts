/**
 * The picture and the web archive of a page, where the operator wants them. Neither may cost an answer that is complete: what
 * cannot be had is missing, with the reason.
 */
import type { Locator } from "playwright-core";
import { type PageEvidenceKind, pageEvidenceKinds } from "@querent/contract";
import { recordingOf, writeWacz, type Recording, type TrafficRecorder, waczMediaType } from "../archive/index.ts";
import { type Drive, firstPresent, scopes, waitFor } from "../page/drive-context.ts";
import type { Taken, PageSnapshots } from "../page/snapshots.ts";
import { countItems } from "../page/page-lists.mjs";
import type { CapturedEvidence, Snapshot } from "../../platform.ts";
import { firstMatch } from "../recipe/expression.ts";
import type { Clipboard } from "../page/clipboard.ts";
import { loadImages, styleForPicture } from "../page/page-picture.mjs";
import { attributeOf, grow, heightOf, hide, unscroll, unscrollWithin } from "../page/page-script.mjs";
import { fieldParts } from "../recipe/read-field.ts";
import { selectors } from "../recipe/recipe.ts";
import { runSteps } from "./run-steps.ts";
import { Stopped } from "../recipe/stopped.ts";

/** What was taken of the page; null: not wanted. */
export interface PageTaken {
  readonly picture: Taken<Buffer> | null;
  readonly recording: Taken<Recording> | null;
}

export const nothingTaken: PageTaken = { picture: null, recording: null };

/** A larger picture is left out. */
const pictureBytesMax = 16 * 1024 * 1024;
const pictureMs = 10_000;

/** Changes the page. `turn`: null if the page has no answer. `recorder`: null if no archive is wanted. */
export async function takeEvidence(
  drive: Drive,
  wanted: readonly PageEvidenceKind[],
  {
    recorder,
    turn,
    turnHtml,
    whole,
    at,
  }: {
    readonly recorder: TrafficRecorder | null;
    readonly turn: Locator | null;
    /** The answer as it was read, with all items of lists that show those in view only. */
    readonly turnHtml: string | null;
    readonly whole: { readonly html: string } | null;
    readonly at: Date;
  },
): Promise<PageTaken> {
  const recording = recorder === null ? null : await recordingOf(drive, recorder, whole, at);
  return { recording, picture: wanted.includes("picture") ? await takePicture(drive, turn, turnHtml) : null };
}

/** Writes the archive. */
export async function archiveOf(recording: Taken<Recording>): Promise<Taken<Buffer>> {
  if ("missing" in recording) return recording;
  try {
    return { taken: await writeWacz(recording.taken) };
  } catch (cause) {
    return { missing: "The archive could not be written.", cause };
  }
}

/** The picture of the page: question and answer, all of it. */
async function takePicture(drive: Drive, turn: Locator | null, turnHtml: string | null): Promise<Taken<Buffer>> {
  try {
    const shown = await picture(drive, turn, Math.max(1, Math.min(pictureMs, drive.deadline - performance.now())));
    const { png } = shown;
    if (png.byteLength <= pictureBytesMax) {
      const lacks = [...whatIsCut(shown), ...(await whatIsOutOfView(turn, turnHtml))];
      return lacks.length === 0 ? { taken: png } : { taken: png, incomplete: lacks.join(" ") };
    }
    return { missing: `The picture has ${png.byteLength} bytes, and at most ${pictureBytesMax} are kept.` };
  } catch (cause) {
    return { missing: "The browser did not take the picture.", cause };
  }
}

const whatIsCut = ({ isCut, height }: Picture): string[] =>
  isCut ? [`The picture ends after ${heightMax} of ${Math.ceil(height)} pixels.`] : [];

/** Blocks of the answer that were read by scrolling, and that the page does not show at once. */
async function whatIsOutOfView(turn: Locator | null, turnHtml: string | null): Promise<string[]> {
  const read = (turnHtml ?? "").match(/ data-querent-item="/g)?.length ?? 0;
  if (turn === null || read === 0) return [];
  const shown: unknown = await turn.last().evaluate(countItems);
  if (typeof shown !== "number" || shown >= read) return [];
  return [`The page shows only the blocks in view: the picture and the HTML of the page have ${shown} of ${read}.`];
}

/**
 * Snapshots as separate files, for people and for evidence. They are bounded as the snapshots are: at most 4 MiB each, and no more
 * of them than the recipe expands.
 */
export function snapshotFiles({ turn, page, expanded, response, others = {} }: PageSnapshots): Snapshot[] {
  const html = (name: string, content: string | null) =>
    content === null || content === "" ? [] : [{ name, mediaType: "text/html", bytes: Buffer.from(content) }];
  return [
    ...html("page.html", page),
    ...html("turn.html", turn),
    ...Object.entries(expanded).flatMap(([name, content]) => html(`expanded-${name}.html`, content)),
    ...(response === null || response.body === "" ? [] : [responseFile("response", response.mediaType, response.body)]),
    ...Object.entries(others).flatMap(([name, { mediaType, body }]) =>
      body === "" ? [] : [responseFile(`response-${name}`, mediaType, body)],
    ),
  ];
}

const fileOf = {
  picture: { name: "page.png", mediaType: "image/png" },
  archive: { name: "page.wacz", mediaType: waczMediaType },
} as const satisfies Record<PageEvidenceKind, Omit<Snapshot, "bytes">>;

/** The files of what was taken of the page, and for each kind its file or why there is none. */
export function evidenceFiles(taken: Readonly<Partial<Record<PageEvidenceKind, Taken<Buffer>>>>): {
  files: Snapshot[];
  evidence: CapturedEvidence[];
} {
  const files: Snapshot[] = [];
  const evidence = pageEvidenceKinds.flatMap((kind): CapturedEvidence[] => {
    const one = taken[kind];
    if (one === undefined) return [];
    if ("missing" in one) return [{ kind, missing: one.missing }];
    files.push({ ...fileOf[kind], bytes: one.taken });
    const { incomplete } = one;
    return [{ kind, capture: fileOf[kind].name, ...(incomplete === undefined ? {} : { incomplete }) }];
  });
  return { files, evidence };
}

/** The server's content type can be any text: one of three types is used, or plain text. */
function responseFile(name: string, contentType: string, body: string): Snapshot {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const [mediaType, ending] = /^application\/([a-z0-9.-]+\+)?json$/.test(type)
    ? ["application/json", "json"]
    : type === "text/html"
      ? ["text/html", "html"]
      : ["text/plain", "txt"];
  return { name: `${name}.${ending}`, mediaType, bytes: Buffer.from(body) };
}

/** Performs the recipe's steps to get a share URL, and reads it. */
export async function shareAddress(drive: Drive, clipboard: Clipboard | null): Promise<string> {
  const { share } = drive.recipe;
  if (share === undefined)
    throw new Stopped("output_unavailable", "The recipe does not say how the page shares an answer.");
  clipboard?.clear();
  if (!(await runSteps(drive, "share", share.steps)).ok) {
    throw new Stopped("output_unavailable", "The page did not have what the recipe's share names.");
  }
  const address = await waitFor(drive, 15_000, async () => {
    if (share.from === "address") return fitting(drive, drive.page.url());
    if (share.from === "clipboard") return fitting(drive, (await clipboard?.read(drive)) ?? "");
    return readAddress(drive);
  });
  if (address === null) throw new Stopped("output_unavailable", "The page showed no address to share.");
  return address;
}

/** The address, if it is one that the recipe expects. */
function fitting({ recipe: { share } }: Drive, text: string): string | null {
  const address = text.trim();
  const fits = share?.pattern === undefined || firstMatch(share.pattern, "u", address) !== null;
  return /^https?:\/\//.test(address) && fits ? address : null;
}

async function readAddress(drive: Drive): Promise<string | null> {
  const { share } = drive.recipe;
  if (share?.address === undefined) return null;
  for (const { select, attribute, match } of fieldParts(share.address)) {
    const found = await firstPresent(drive, "share.address", select ?? share.in ?? "body");
    if (found === null) continue;
    const read =
      attribute === null
        ? await found.last().innerText()
        : await found.last().evaluate(attributeOf, attribute, { timeout: 2000 });
    const text = typeof read === "string" ? read.trim() : "";
    const address = match === null ? text : (firstMatch(match, "u", text)?.slice(0, 2).at(-1) ?? "");
    const fits = fitting(drive, address);
    if (fits !== null) return fits;
  }
  return null;
}

/** Makes the frame's element as high as its contents. */
async function growFrame({ root }: Drive): Promise<void> {
  if (!("owner" in root)) return;
  const height: unknown = await root.locator("html").evaluate(heightOf);
  if (typeof height === "number") await root.owner().evaluate(grow, Math.min(height, heightMax));
}

const heightMax = 16_000;

interface Picture {
  readonly png: Buffer;
  /** Of what was pictured, in pixels. */
  readonly height: number;
  /** True: it is higher than a picture may be, which ends at `heightMax`. */
  readonly isCut: boolean;
}

/**
 * A screenshot of the whole answer: scrollable areas are enlarged first, and floating elements are hidden. `turn`: null if the page
 * has no answer.
 */
export async function picture(drive: Drive, turn: Locator | null, timeoutMs = 30_000): Promise<Picture> {
  const rules = drive.recipe.screenshot ?? {};
  const root = await firstPresent(drive, "screenshot.root", rules.root);
  const pictured = root?.last() ?? drive.root.locator("body");
  await prepare(drive, pictured);
  // Without the recipe's areas, those that the answer is in.
  if (rules.unscroll === undefined) await turn?.last().evaluate(unscroll);
  await turn?.last().evaluate(unscrollWithin);
  const area = await firstPresent(drive, "screenshot.unscroll", rules.unscroll);
  if (area !== null) for (let at = 0; at < (await area.count()); at++) await area.nth(at).evaluate(unscroll);
  if (drive.root !== drive.page) await growFrame(drive);
  await pictured.evaluate(loadImages, { waitMs: timeoutMs / 6 });
  const options = { animations: "disabled", timeout: timeoutMs } as const;
  const height = (await pictured.boundingBox())?.height ?? 0;
  // A screenshot that would be too high starts at its top and is truncated.
  if (height > heightMax) {
    const clip = { ...((await pictured.boundingBox()) ?? { x: 0, y: 0, width: 1280 }), height: heightMax };
    return { png: await drive.page.screenshot({ fullPage: true, clip, ...options }), height, isCut: true };
  }
  const png = await (root === null
    ? drive.page.screenshot({ fullPage: true, ...options })
    : pictured.screenshot(options));
  return { png, height, isCut: false };
}

/** Hides what floats, on the page and in the assistant's frame. */
async function prepare(drive: Drive, pictured: Locator): Promise<void> {
  const hidden = selectors(drive.recipe.screenshot?.hide);
  const { root } = drive;
  const kept = "owner" in root ? [pictured, root.owner()] : [pictured];
  for (const element of kept) {
    const others: unknown = await element.evaluate(styleForPicture, { hidden });
    if (!Array.isArray(others)) continue;
    for (const scope of scopes(drive))
      for (const selector of hidden.filter((each) => others.includes(each)))
        await scope.locator(selector).evaluateAll(hide);
  }
}
