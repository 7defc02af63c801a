import type { TaskOptions } from "@querent/contract";

/** The price of a platform in whole points: `base`, and what each option adds. */
export interface Price {
  readonly base: number;
  readonly deepAnalysis: number;
  readonly screenshot: number;
  readonly shareLink: number;
  /** Added if `resultFormat` includes the page (`html` or `all`). */
  readonly pageHtml: number;
}

/** The price of one task. It is fixed when the task is accepted. */
export function priceOf(price: Price, options: TaskOptions, webType: boolean): number {
  return (
    price.base +
    (options.deepAnalysis ? price.deepAnalysis : 0) +
    (options.output === "screenshot" ? price.screenshot : 0) +
    (options.output === "share_link" ? price.shareLink : 0) +
    (webType && options.resultFormat !== "json" ? price.pageHtml : 0)
  );
}
