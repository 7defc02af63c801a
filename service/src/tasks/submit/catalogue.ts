import type { Output, PlatformKind, Unavailability } from "@querent/contract";
import type { OptionSupport } from "../../platforms/index.ts";
import type { Price } from "../../points/index.ts";

/** What must be known about a platform to accept a question for it. */
export interface PlatformTerms {
  readonly code: string;
  readonly kind: PlatformKind;
  /** Whether answers can include the page that they were on. */
  readonly pageHtml: boolean;
  readonly options: OptionSupport;
  readonly price: Price;
  readonly runTimeoutSeconds: number;
  /** Null if it is configured; otherwise what is missing. */
  readonly missing: string | null;
}

/** The platforms of this service, by code. */
export type PlatformCatalogue = ReadonlyMap<string, PlatformTerms>;

/** Why tasks for this platform are refused; null if they are accepted. `browserUsable`: a worker has a working browser. */
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

/** Why this output of the platform is refused; null if it is accepted. */
export function whyOutputRefused(
  { kind }: Pick<PlatformTerms, "kind">,
  output: Output,
  browserUsable: boolean,
): Unavailability | null {
  // Web-type platforms return the standard answer whatever was requested (interface 2.4).
  if (kind === "web" || output !== "screenshot" || browserUsable) return null;
  return {
    code: "browser_unavailable",
    detail:
      "A screenshot needs a browser, and no worker of this service has one that works. Ask for `answer` or `share_link`. Screenshots are accepted again once a worker has a browser.",
  };
}
