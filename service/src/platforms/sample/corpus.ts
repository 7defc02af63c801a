/** The contents of a folder. */
import type { DraftCard } from "../platform.ts";

export interface Passage {
  /** The heading of its section; `""` before the first. */
  readonly heading: string;
  readonly markdown: string;
}

export interface CorpusDocument {
  /** Its file in the folder, with `/`; if the file has several, followed by `#` and its number. */
  readonly file: string;
  readonly title: string;
  /** `""` if it has none: it is cited by its file then. */
  readonly url: string;
  readonly site: string;
  readonly publishedAt: string | null;
  readonly passages: readonly Passage[];
}

export interface CatalogueCard {
  readonly draft: DraftCard;
  readonly keywords: readonly string[];
  /** Files of the documents that it belongs to, without extension. */
  readonly about: readonly string[];
}

export interface Catalogue {
  readonly name: string | null;
  readonly cards: readonly CatalogueCard[];
}

/** Something in the folder that could not be used. The rest of the folder is used. */
export interface CorpusProblem {
  /** In the folder, with `/`. */
  readonly file: string;
  /** `line 3`, `/2/title`; null for the whole file. */
  readonly place: string | null;
  readonly message: string;
}

export interface Corpus {
  readonly name: string;
  /** A hash of everything that was read: the same folder has the same hash on every machine. */
  readonly hash: string;
  readonly documents: readonly CorpusDocument[];
  readonly cards: readonly CatalogueCard[];
  readonly problems: readonly CorpusProblem[];
}

/** Thrown by the parsers of files; becomes a problem of that file. */
export class UnreadableError extends Error {
  readonly place: string | null;

  constructor(place: string | null, message: string) {
    super(message);
    this.name = "UnreadableError";
    this.place = place;
  }
}

/** How much of a folder is read. What exceeds a limit is omitted and reported as a problem. */
export const filesMax = 50_000;
export const folderDepthMax = 8;
export const markdownFileBytesMax = 2 * 1024 * 1024;
export const dataFileBytesMax = 32 * 1024 * 1024;
export const corpusBytesMax = 512 * 1024 * 1024;
export const documentsMax = 100_000;
export const cardsMax = 1_000;
export const titleCharsMax = 300;
export const problemsMax = 100;
/** A passage is the unit that is found, ranked and quoted: a few paragraphs of one section. */
export const passageCharsMin = 400;
export const passageCharsMax = 1_500;
