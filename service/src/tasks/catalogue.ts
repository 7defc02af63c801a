import type { PlatformKind } from "@querent/contract";
import type { Price } from "../points/index.ts";

/** What the tasks need to know of a platform to accept a question for it. */
export interface PlatformTerms {
  readonly code: string;
  readonly kind: PlatformKind;
  /** Whether answers can come with the page that they stood on. */
  readonly pageHtml: boolean;
  readonly price: Price;
  readonly runTimeoutSeconds: number;
  /** Null when it can be asked; otherwise what is missing. */
  readonly missing: string | null;
}

/** The platforms of this service, by code. */
export type PlatformCatalogue = ReadonlyMap<string, PlatformTerms>;
