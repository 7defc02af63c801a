import type { PanelPairs } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { entityNames } from "../entity-names.ts";
import { reply } from "../reply.ts";

type Pair = PanelPairs["pairs"][number];

export const pairs: ToolAnswer<"pairs"> = ({ querent, allows }, { panelId, limit, ...query }, signal) =>
  reply(
    async () => {
      const [listed, names] = await Promise.all([
        querent.panels.pairs(panelId, query, { signal }),
        entityNames({ querent, allows }, signal),
      ]);
      const shown = listed.pairs.slice(0, limit ?? listed.pairs.length);
      const named = (items: readonly string[]) => items.map((item) => names.get(item) ?? item);
      const withNames = shown.map((pair) => ({
        ...pair,
        one: { ...pair.one, items: named(pair.one.items) },
        other: { ...pair.other, items: named(pair.other.items) },
      }));
      return { ...listed, pairs: withNames };
    },
    ({ definition, pairCount, differingCount, pairs: shown }) =>
      [
        `${definition}: ${differingCount} of ${pairCount} pairs of answers to the same prompt differ. Shown: ${shown.length}.`,
        ...shown.map(describe),
      ].join("\n"),
  );

function describe({ promptId, platformCode, kind, locale, persona, one, other }: Pair): string {
  const where = [promptId, `${platformCode} (${kind})`, locale, persona].filter((part) => part !== "").join(", ");
  return `${where}: ${answerText(one)} and ${answerText(other)}`;
}

const answerText = ({ items, taskId, observedAt }: Pair["one"]) =>
  `${items.join(", ") || "none"} (${observedAt.slice(0, 16)}${taskId === null ? "" : `, task ${taskId}`})`;
