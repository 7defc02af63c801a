import { tokensMessages } from "../../i18n/tokens.ts";
import { TokenSection } from "./token-section.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** The account's access tokens. */
export function TokensView() {
  const t = tokensMessages.value;
  useTitle(t.title);
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
