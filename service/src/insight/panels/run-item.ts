import type { AcceptableItem } from "../../tasks/index.ts";
import type { PanelCell } from "./cells.ts";

/** One task of a run, not created yet. */
export interface RunItem {
  readonly cell: PanelCell;
  /** From 1. */
  readonly repeat: number;
  /** With which probability its wave asks the cell. Default: 1. */
  readonly probability?: number;
  readonly item: AcceptableItem;
}
