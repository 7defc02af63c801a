import { NotFoundError } from "@querent/client";
import { useMemo, useState } from "preact/hooks";
import { go, query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { batchesMessages } from "../../i18n/batches.ts";
import { moveSelection } from "../tasks/move-selection.ts";
import { AnswerGrid } from "./answer-grid.tsx";
import { BatchHead } from "./batch-head.tsx";
import { BrandPanel } from "./brand-panel.tsx";
import { readBrands } from "./brand-terms.ts";
import { gridOf } from "./cell.ts";
import { Comparison } from "./comparison.tsx";
import { useBatch, type BatchReading } from "./use-batch.ts";
import { useTitle } from "../../ui/use-title.ts";

/** Batches that are shown together, as the parts of one large submission. */
const togetherMax = 20;

/** A batch, or several as one: how far it is, and what each platform answered to each question. */
export function BatchView({ batchIds: ids }: { batchIds: string }) {
  const t = batchesMessages.value;
  const batchIds = ids.split(",").slice(0, togetherMax);
  const [soFar, setSoFar] = useState<BatchReading | null>(null);
  const { value, failed, refresh } = useBatch(batchIds, setSoFar);
  const reading = value ?? soFar;
  const path = `/batches/${ids}`;
  const brandText = query.value.get("brands") ?? "";
  const brands = readBrands(brandText);
  const row = Number(query.value.get("row") ?? 0);
  const hidden = (query.value.get("without") ?? "").split(",").filter((code) => code !== "");
  const { rows, platforms } = useMemo(() => gridOf(reading?.cells.values() ?? []), [reading?.cells]);

  const title = rows[0]?.question.slice(0, 60).toWellFormed() ?? t.title;
  useTitle(title);
  useShortcuts({
    j: () => moveSelection(1),
    k: () => moveSelection(-1),
    u: () => go(to("/batches")),
  });

  if (failed instanceof NotFoundError) return <UnknownBatch />;
  const isOpen = Number.isInteger(row) && row >= 1 && row <= rows.length;
  const taskCount = reading?.batches.reduce((sum, batch) => sum + batch.taskCount, 0) ?? 0;
  const brandPanel =
    reading === null ? null : (
      <BrandPanel
        text={brandText}
        brands={brands}
        cells={reading.cells}
        platforms={platforms}
        isBrief={isOpen}
        change={(text) =>
          go(to(path, { row: isOpen ? String(row) : undefined, without: hidden.join(","), brands: text }), {
            replace: true,
          })
        }
      />
    );
  return (
    <div class="view wide">
      {isOpen ? null : (
        <a class="back" href={to("/batches")}>
          <Icon name="back" />
          {t.title}
        </a>
      )}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {reading === null || isOpen ? null : <BatchHead batches={reading.batches} changed={refresh} />}
      {value === null && reading !== null ? (
        <p class="quiet small" role="status">
          {t.loading(number(reading.cells.size), number(taskCount))}
        </p>
      ) : null}
      {reading === null || rows.length === 0 ? null : isOpen ? (
        <Comparison
          path={path}
          rows={rows}
          platforms={platforms}
          at={row - 1}
          hidden={hidden}
          brandText={brandText}
          brands={brands}
        >
          {brandPanel}
        </Comparison>
      ) : (
        <>
          {brandPanel}
          <AnswerGrid path={path} rows={rows} platforms={platforms} brandText={brandText} brands={brands} />
        </>
      )}
    </div>
  );
}

function UnknownBatch() {
  const t = batchesMessages.value;
  return (
    <div class="view">
      <div class="empty">
        <h1>{t.unknown}</h1>
        <p class="quiet">{t.unknownText}</p>
        <a class="button" href={to("/batches")}>
          {t.all}
        </a>
      </div>
    </div>
  );
}
