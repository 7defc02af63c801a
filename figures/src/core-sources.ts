/** The core sources of answers: the domains that most runs cite. The others are the tail. */
import { domainsAt, type AnswerIndex } from "./answer-index.ts";
import { addTo, instrumentsOf, startCell, startColumns, type ReadCell, type ReadCells } from "./cell-columns.ts";
import { runsIn, type CellPlaces } from "./cell-places.ts";
import { runsMin } from "./estimate.ts";
import { countLeftOut, type LeftOut } from "./readings.ts";
import { coreShare } from "./stability.ts";

export interface CoreSources {
  /** By the number of a domain: 1 if it belongs to the core, 0 if not. */
  readonly isCore: Uint8Array;
  /** The numbers of the domains that are cited, without those of the core. */
  readonly tail: number;
}

/** The core of answers whose sources are known. Null: in fewer runs, almost every domain would be one that most runs cite. */
export function coreOf(index: AnswerIndex, places: Iterable<number>): CoreSources | null {
  const counts = new Int32Array(index.domains.length);
  const byRun = new Map<number, Set<number>>();
  for (const place of places) {
    const run = index.runs.of[place] ?? 0;
    const cited = byRun.get(run) ?? new Set<number>();
    byRun.set(run, cited);
    for (const domain of domainsAt(index, place)) cited.add(domain);
  }
  if (byRun.size < runsMin) return null;
  for (const cited of byRun.values()) for (const domain of cited) counts[domain] = (counts[domain] ?? 0) + 1;
  const isCore = Uint8Array.from(counts, (count) => Number(count >= coreShare * byRun.size));
  return { isCore, tail: counts.reduce((tail, count, domain) => tail + Number(count > 0 && isCore[domain] === 0), 0) };
}

/** Citations of the core of all these answers. */
export function readCore(index: AnswerIndex, byPrompt: ReadonlyMap<string, CellPlaces>): ReadCells {
  const { missingSources, runs, instruments, cited, citedFrom, domainOf } = index;
  const leftOut = new Map<LeftOut, number>();
  const known: number[] = [];
  for (const { places } of byPrompt.values())
    for (const place of places) {
      const missing = missingSources[place] ?? null;
      if (missing === null) known.push(place);
      else countLeftOut(leftOut, missing);
    }
  const core = coreOf(index, known);
  if (core === null && known.length > 0) countLeftOut(leftOut, "too_few_runs", known.length);
  const columns = startColumns(runsIn(byPrompt));
  const cells: ReadCell[] = [];
  const used = new Set<number>();
  let from = 0;
  for (const [promptId, { places, runs: ofCell, runOf }] of core === null ? [] : byPrompt) {
    for (let at = 0; at < ofCell.length; at++) columns.runs[from + at] = ofCell[at] ?? 0;
    const cell = startCell(from);
    for (const [at, place] of places.entries()) {
      if ((missingSources[place] ?? null) !== null) continue;
      const [start, end] = [citedFrom[place] ?? 0, citedFrom[place + 1] ?? 0];
      let ofCore = 0;
      for (let source = start; source < end; source++) ofCore += core?.isCore[domainOf[cited[source] ?? 0] ?? 0] ?? 0;
      addTo(columns, cell, from + (runOf[at] ?? 0), ofCore, end - start);
      used.add(instruments.of[place] ?? 0);
    }
    from += ofCell.length;
    if (cell.answers > 0) cells.push({ promptId, ...cell, to: from });
  }
  return {
    cells,
    columns,
    units: runs.values,
    answers: core === null ? 0 : known.length,
    instruments: instrumentsOf(used, instruments.values),
    leftOut,
  };
}
