import { useEffect } from "preact/hooks";
import { tokensMessages } from "../../i18n/tokens.ts";
import { TokenSection } from "./token-section.tsx";

/** The account's access tokens. */
export function TokensView() {
  const t = tokensMessages.value;
  useEffect(() => {
    document.title = `${t.title} · Querent`;
  }, [t]);
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      <p class="quiet">{t.lead}</p>
      <TokenSection accountId={null} />
    </div>
  );
}
