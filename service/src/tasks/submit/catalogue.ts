import type { Output, PlatformKind, Unavailability } from "@querent/contract";
import { describeSetUp, setUps, type OptionSupport, type Platform, type SetUp } from "../../platforms/index.ts";
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
  /** What the platform lacks; null if it is configured. */
  readonly missing: string | null;
  /** What sets it up. Absent: only the operator can see what it lacks. */
  readonly setUp?: SetUp;
}

/** The platforms of this service, by code. */
export type PlatformCatalogue = ReadonlyMap<string, PlatformTerms>;

/** Why tasks for this platform are refused; null if they are accepted. `browserUsable`: a worker has a working browser. */
export function whyRefused(
  { kind, missing, setUp = setUps.other }: Pick<PlatformTerms, "kind" | "missing" | "setUp">,
  browserUsable: boolean,
): Unavailability | null {
  if (missing !== null) return { code: "platform_not_configured", detail: describeSetUp(setUp) };
  if (kind !== "web" || browserUsable) return null;
  return { code: "browser_unavailable", detail: describeSetUp(setUps.browser) };
}

/** What sets up a platform that is refused for this reason, or for which a stand-in answers; null if it is set up. */
export function setUpOf(
  { setUp = setUps.other, standIn = false }: Pick<Platform, "setUp" | "standIn">,
  unavailable: Unavailability | null,
): SetUp | null {
  if (unavailable?.code === "browser_unavailable") return setUps.browser;
  return unavailable !== null || standIn ? setUp : null;
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
