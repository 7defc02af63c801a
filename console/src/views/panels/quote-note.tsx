import type { PanelQuote } from "@querent/client";
import { to } from "../../app/address.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { InvalidPositions } from "../../ui/failure-note.tsx";
import { day, number } from "../../ui/time.tsx";

function priceOf({ cellCount, taskCount, estimatedPoints, waves }: PanelQuote): string {
  const t = panelsMessages.value;
  if (waves === null) return t.price(number(cellCount), number(taskCount), number(estimatedPoints));
  const price = t.priceOfWaves(number(cellCount), number(waves.leastPoints), number(waves.mostPoints));
  return waves.expectedPoints === null ? price : `${price}, ${t.expected(number(waves.expectedPoints))}`;
}

/**
 * What a run is and costs, and what would refuse it.
 *
 * @param panelId undefined: a panel that is not saved yet
 * @param more asks each prompt twice as often
 */
export function QuoteNote({
  quote,
  panelId,
  more,
}: {
  quote: PanelQuote;
  panelId: string | undefined;
  more?: () => void;
}) {
  const t = panelsMessages.value;
  if (!quote.valid) {
    return (
      <div class="note note-bad" role="status">
        <InvalidPositions errors={quote.errors} />
      </div>
    );
  }
  const { firstInterval, firstVerdict } = quote;
  const firsts = [
    firstInterval === null ? "" : t.firstInterval(day(firstInterval.slice(0, 10))),
    firstVerdict === null ? "" : t.firstVerdict(day(firstVerdict.slice(0, 10))),
  ]
    .filter((text) => text !== "")
    .join(" ");
  return (
    <div role="status">
      <p>
        <strong>{priceOf(quote)}</strong> <span class="quiet">{t.available(number(quote.availablePoints))}</span>
      </p>
      {firsts === "" ? null : (
        <p class="small">
          {firsts}{" "}
          {more === undefined ? null : (
            <button type="button" class="button small" onClick={more}>
              {t.moreRepeats}
            </button>
          )}
        </p>
      )}
      {quote.affordable ? null : <p class="note note-warn">{t.short}</p>}
      {quote.capExceeded === null ? null : (
        <p class="note note-warn">
          <span>{quote.capExceeded}</span>
          <a class="link" href={to("/caps", { panel: panelId })}>
            {t.caps}
          </a>
        </p>
      )}
    </div>
  );
}
