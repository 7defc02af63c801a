/**
 * The folder's index, kept current without a timer or a watcher: if it is used and the last check was some time ago, the folder
 * is checked in the background. The old index is used until the new one is complete.
 */
import { loadCorpus } from "./load-corpus.ts";
import type { CorpusProblem } from "./corpus.ts";
import { buildIndex, type Index } from "./passage-index.ts";
import { scanFolder } from "./scan-folder.ts";

export type FolderState =
  | { readonly index: Index; readonly missing: null }
  | { readonly index: null; readonly missing: string };

interface FolderOptions {
  readonly folder: string;
  readonly onProblem: (problem: CorpusProblem) => void;
  readonly rescanMsMin: number;
}

/** Checks take at most this share of the time: a folder of 50,000 files is checked less often than one of 20. */
const scanShareMax = 1 / 50;

export class WatchedFolder {
  readonly #options: FolderOptions;
  #state: FolderState;
  #signature: string | null = null;
  #isScanning = false;
  #nextScanAt = 0;

  private constructor(options: FolderOptions) {
    this.#options = options;
    this.#state = { index: null, missing: `The folder ${options.folder} has not been read yet.` };
  }

  static async open(options: FolderOptions): Promise<WatchedFolder> {
    const watched = new WatchedFolder(options);
    await watched.#scan();
    return watched;
  }

  current(): FolderState {
    if (!this.#isScanning && performance.now() >= this.#nextScanAt) void this.#scan();
    return this.#state;
  }

  /** Never throws: an error becomes the state. */
  async #scan(): Promise<void> {
    this.#isScanning = true;
    const started = performance.now();
    let scanMs = 0;
    try {
      const scan = await scanFolder(this.#options.folder);
      scanMs = performance.now() - started;
      const signature = scan?.signature ?? null;
      if (scan === null) this.#state = missing(`The folder ${this.#options.folder} does not exist or may not be read.`);
      else if (signature !== this.#signature) {
        const corpus = await loadCorpus(this.#options.folder, scan);
        this.#state =
          corpus.documents.length > 0
            ? { index: await buildIndex(corpus), missing: null }
            : missing(
                `The folder ${this.#options.folder} holds no document that can be read${firstOf(corpus.problems)}.`,
              );
        for (const problem of corpus.problems) this.#options.onProblem(problem);
      }
      this.#signature = signature;
    } catch (error) {
      this.#signature = null;
      if (this.#state.index === null)
        this.#state = missing(`The folder ${this.#options.folder} can't be read: ${String(error)}.`);
    } finally {
      this.#nextScanAt = performance.now() + Math.max(this.#options.rescanMsMin, scanMs / scanShareMax);
      this.#isScanning = false;
    }
  }
}

function missing(what: string): FolderState {
  return {
    index: null,
    missing: `${what} Put Markdown or JSON documents there, as docs/sample-platform.md describes, or name another folder.`,
  };
}

function firstOf([problem]: readonly CorpusProblem[]): string {
  if (problem === undefined) return "";
  const place = problem.place === null ? "" : ` ${problem.place}`;
  return ` (${problem.file}:${place} ${problem.message})`;
}
