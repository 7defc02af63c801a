import type { Output, PlatformKind, Unavailability } from "@querent/contract";
import type { Price } from "../../points/index.ts";

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

/** Why tasks for this platform are refused; null when they are accepted. `browserUsable`: a worker has a browser that works. */
export function whyRefused(
  { kind, missing }: Pick<PlatformTerms, "kind" | "missing">,
  browserUsable: boolean,
): Unavailability | null {
  if (missing !== null)
    return { code: "platform_not_configured", detail: "The operator has not configured this platform." };
  if (kind !== "web" || browserUsable) return null;
  return {
    code: "browser_unavailable",
    detail:
      "This platform is a web page, and no worker of this service has a browser that works. Tasks for it are accepted again once one has.",
  };
}

/** Why this output of the platform is refused; null when it is accepted. */
export function whyOutputRefused(
  { kind }: Pick<PlatformTerms, "kind">,
  output: Output,
  browserUsable: boolean,
): Unavailability | null {
  // Web-type platforms return the standard answer whatever was asked for (interface 2.4).
  if (kind === "web" || output !== "screenshot" || browserUsable) return null;
  return {
    code: "browser_unavailable",
    detail:
      "A screenshot needs a browser, and no worker of this service has one that works. Ask for `answer` or `share_link`. Screenshots are accepted again once a worker has a browser.",
  };
}
