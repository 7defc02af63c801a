import { sitesIn, type CitedSite, type AnswerSource } from "@querent/figures";

/**
 * The sites of the sources of an answer, as JSON: `[host, domain, type, how many in a row]` of each. Figures need no more of a source, and
 * addresses would be three quarters of the bytes that are read for a report.
 */
export function citedSitesText(sources: readonly AnswerSource[]): string {
  const inRows: [CitedSite["host"], CitedSite["domain"], CitedSite["type"], number][] = [];
  for (const { host, domain, type } of sitesIn(sources)) {
    const last = inRows.at(-1);
    if (last !== undefined && last[0] === host && last[1] === domain && last[2] === type) last[3]++;
    else inRows.push([host, domain, type, 1]);
  }
  return JSON.stringify(inRows);
}
