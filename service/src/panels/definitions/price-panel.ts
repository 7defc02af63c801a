import { panelTasksMax, type PanelContent, type ProblemItem } from "@querent/contract";
import { problemItemsMax } from "../../kernel/validate.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { readItem, type AcceptableItem, type ItemRules } from "../../tasks/index.ts";
import { cellsOf, countCells, drawCells, type PanelCell } from "./cells.ts";
import { startWaves, type StoredWaves, type RunItem } from "./waves.ts";
import { pointerInPanel } from "./read-panel.ts";

export interface PricedPanel {
  readonly cellCount: number;
  /** Empty if there are errors. */
  readonly items: readonly RunItem[];
  readonly errors: readonly ProblemItem[];
  /** The waves of the run, of whose first `items` are; null if it asks everything at once. */
  readonly waves: StoredWaves | null;
}

const withoutPlatforms: ProblemItem = {
  pointer: "/platforms",
  code: "required",
  detail: "The panel has no platforms: its answers are imported, and it is not asked. To ask it, add platforms.",
};

/**
 * What a run asks now, complete and priced; or what the platforms would refuse.
 * @param seed draws the cells of platforms with a share; whatever it draws, there are as many
 */
export async function pricePanel(content: PanelContent, rules: ItemRules, seed: string): Promise<PricedPanel> {
  const cellCount = countCells(content);
  if (content.platforms.length === 0) return { cellCount, items: [], errors: [withoutPlatforms], waves: null };
  if (cellCount * content.repeats > panelTasksMax) throw new Error(`the panel has ${cellCount} cells`);
  const asked: { cell: PanelCell; item: AcceptableItem }[] = [];
  const errors = new Map<string, ProblemItem>();
  let sliceStartedAt = performance.now();
  for (const cell of cellsOf(content)) {
    const verdict = readItem(cell.item, 0, rules);
    if ("item" in verdict) asked.push({ cell, item: verdict.item });
    else
      for (const error of verdict.errors) {
        const pointer = pointerInPanel(error.pointer, cell, content);
        if (!errors.has(pointer)) errors.set(pointer, { ...error, pointer });
      }
    if (errors.size >= problemItemsMax) break;
    if (performance.now() - sliceStartedAt < sliceMs) continue;
    await yieldToEventLoop();
    sliceStartedAt = performance.now();
  }
  if (errors.size > 0) return { cellCount, items: [], errors: [...errors.values()], waves: null };
  const drawn = drawCells(asked, content, seed);
  // Repeats of a cell are far apart, so that they are not asked at the same moment.
  const repeats = Array.from({ length: content.repeats }, (_, index) => index + 1);
  const items = repeats.flatMap((repeat) => drawn.map((one) => ({ ...one, repeat })));
  return { cellCount, items, errors: [], waves: startWaves(content, items) };
}
