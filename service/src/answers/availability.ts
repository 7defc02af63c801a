/** States why a field is empty: nothing was found, nothing was requested, or nothing could be read. */
import type { Availability, AvailabilityValue, TaskOptions } from "@querent/contract";
import type { PlatformAnswer, Platform, ReturnedField } from "../platforms/platform.ts";

/**
 * The parts of a result that the options request. `resultFormat` applies only to web-type platforms: `json` is the structured
 * answer (content, sources, cards, steps), `html` the page without content, `all` both. Other platforms return everything.
 */
export interface Wanted {
  readonly structure: boolean;
  readonly pageHtml: boolean;
}

export function wanted(platform: Pick<Platform, "kind">, options: TaskOptions): Wanted {
  const isWeb = platform.kind === "web";
  return {
    structure: !isWeb || options.resultFormat !== "html",
    pageHtml: !isWeb || options.resultFormat !== "json",
  };
}

/** The fields of a result that are not empty. */
type Filled = Readonly<Record<ReturnedField | "content", boolean>>;

export function availability(
  filled: Filled,
  answer: Pick<PlatformAnswer, "unreadable">,
  platform: Pick<Platform, "kind" | "returns" | "outputs">,
  options: TaskOptions,
): Availability {
  const { structure, pageHtml } = wanted(platform, options);
  const of = (field: ReturnedField, requested: boolean): AvailabilityValue => {
    if (filled[field]) return "present";
    if (!platform.returns[field]) return "not_exposed";
    if (!requested) return "not_requested";
    if (answer.unreadable.includes(field)) return "parse_failed";
    // Without `deepAnalysis` no reasoning was requested.
    return field === "reasoningProcess" && !options.deepAnalysis ? "not_requested" : "none_on_platform";
  };
  const artifact = (output: "screenshot" | "share_link"): AvailabilityValue => {
    // Web-type platforms return none regardless of the request: their tasks say `answer` (interface 2.4).
    if (platform.kind === "web" && !platform.outputs.includes(output)) return "not_exposed";
    if (options.output !== output) return "not_requested";
    return platform.outputs.includes(output) ? "none_on_platform" : "not_exposed";
  };
  return {
    content: filled.content ? "present" : structure ? "none_on_platform" : "not_requested",
    sources: of("sources", structure),
    products: of("products", structure),
    videos: of("videos", structure),
    media: of("media", structure),
    reasoningProcess: of("reasoningProcess", structure),
    searchProcess: of("searchProcess", structure),
    pageHtml: of("pageHtml", pageHtml),
    screenshot: artifact("screenshot"),
    share: artifact("share_link"),
  };
}
