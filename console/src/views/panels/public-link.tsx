import type { ComponentChildren } from "preact";
import { Allowed } from "../../app/allowed.tsx";
import { panelReportMessages } from "../../i18n/panel-report.ts";
import { day } from "../../ui/time.tsx";

interface PublicLinkProps {
  readonly kind: "share" | "address";
  readonly id: string;
  readonly name: string;
  readonly expiresAt: string;
  /** Null: the service does not know its own. */
  readonly url: string | null;
  readonly busy: boolean;
  readonly revoke: () => void;
  /** What can be done with the URL. */
  readonly children: (url: string) => ComponentChildren;
}

/** A URL that works without a token until it expires or is revoked, as an item of a list. */
export function PublicLink({ kind, id, name, expiresAt, url, busy, revoke, children }: PublicLinkProps) {
  const t = panelReportMessages.value;
  return (
    <li class="option-line" {...{ [`data-${kind}`]: id }}>
      <span dir="auto">{name}</span>
      <span class="quiet small">{t.until(day(expiresAt.slice(0, 10)))}</span>
      {url === null ? <span class="quiet small">{t.noUrl}</span> : children(url)}
      <Allowed scope="panels:write">
        <button type="button" class="button danger" disabled={busy} onClick={revoke}>
          {t.revoke}
        </button>
      </Allowed>
    </li>
  );
}
