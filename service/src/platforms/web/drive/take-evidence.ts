/**
 * The picture and the web archive of a page, where the operator wants them. Neither may cost an answer that is complete: what
 * cannot be had is missing, with the reason.
 */
import type { Locator } from "playwright-core";
import type { PageEvidenceKind } from "@querent/contract";
import { recordingOf, writeWacz, type Recording, type TrafficRecorder } from "../archive/index.ts";
import type { Drive } from "../page/drive-context.ts";
import type { Taken } from "../page/snapshots.ts";
import { countItems } from "../page/page-lists.mjs";
import { heightMax, picture, type Picture } from "./share-and-picture.ts";

/** What was taken of the page; null: not wanted. */
export interface PageTaken {
  readonly picture: Taken<Buffer> | null;
  readonly recording: Taken<Recording> | null;
}

export const nothingTaken: PageTaken = { picture: null, recording: null };

/** A larger picture is left out. */
export const pictureBytesMax = 16 * 1024 * 1024;
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
