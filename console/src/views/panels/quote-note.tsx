import type { PanelQuote } from "@querent/client";
import { panelsMessages } from "../../i18n/panels.ts";
import { number } from "../../ui/time.tsx";

/** What a run is and costs, and what would refuse it. */
export function QuoteNote({ quote }: { quote: PanelQuote }) {
  const t = panelsMessages.value;
  if (!quote.valid) {
    return (
      <div class="note note-bad" role="status">
        {quote.errors.slice(0, 5).map(({ pointer, detail }) => (
          <p key={pointer}>
            <code>{pointer}</code> {detail}
          </p>
        ))}
      </div>
    );
  }
  return (
    <div role="status">
      <p>
        <strong>{t.price(number(quote.cellCount), number(quote.taskCount), number(quote.estimatedPoints))}</strong>{" "}
        <span class="quiet">{t.available(number(quote.availablePoints))}</span>
      </p>
      {quote.affordable ? null : <p class="note note-warn">{t.short}</p>}
      {quote.capExceeded === null ? null : <p class="note note-warn">{quote.capExceeded}</p>}
    </div>
  );
}
