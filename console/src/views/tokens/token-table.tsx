import type { TokenRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { session } from "../../app/session.ts";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Ago, distance, now } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { phrases } from "../../i18n/phrases.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { tokensMessages } from "../../i18n/tokens.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import * as css from "./token-table.module.css";

interface TokenTableProps {
  readonly tokens: readonly TokenRecord[];
  readonly mayRevoke: boolean;
  /** Whether the tokens may be another account's. */
  readonly ofAny: boolean;
  readonly changed: () => void;
}

export function TokenTable({ tokens, mayRevoke, ofAny, changed }: TokenTableProps) {
  const t = tokensMessages.value;
  const { failed, run } = useAttempt();
  const [asked, setAsked] = useState<string | null>(null);
  const revoke = (tokenId: string) =>
    run(async () => {
      await querent.tokens.revoke(tokenId, { ofAny });
      announce(t.wasRevoked);
      setAsked(null);
      changed();
    });
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      <TablePlace label={t.title}>
        <table class={`table ${css.tokens}`}>
          <thead>
            <tr>
              <th scope="col">{t.columns.name}</th>
              <th scope="col">{t.columns.scopes}</th>
              <th scope="col">{t.columns.created}</th>
              <th scope="col">{t.columns.expires}</th>
              <th scope="col">{t.columns.lastUsed}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <TokenRow
                key={token.tokenId}
                token={token}
                mayRevoke={mayRevoke}
                isAsked={asked === token.tokenId}
                ask={setAsked}
                revoke={revoke}
              />
            ))}
          </tbody>
        </table>
      </TablePlace>
    </>
  );
}

interface RevokeProps {
  readonly token: TokenRecord;
  /** Whether the user pressed Revoke and has yet to confirm. */
  readonly isAsked: boolean;
  /** Asks the user to confirm for a token; null withdraws the question. */
  readonly ask: (tokenId: string | null) => void;
  readonly revoke: (tokenId: string) => void;
}

function TokenRow({ token, mayRevoke, ...revoking }: RevokeProps & { mayRevoke: boolean }) {
  const t = tokensMessages.value;
  return (
    <tr class={isUsable(token) ? "" : "gone"}>
      <th scope="row">
        <span class={css.tokenName}>
          <bdi class="cut" title={token.name ?? ""}>
            {token.name ?? t.unnamed}
          </bdi>
          <span>
            <code class="quiet">{token.preview}…</code>
            {session.value?.tokenId === token.tokenId ? <span class="tag">{t.thisOne}</span> : null}
          </span>
        </span>
      </th>
      <td>
        <span class="tags">
          {token.scopes.map((scope) => (
            <span key={scope} class={scope === "admin" ? `tag ${css.tagStrong}` : "tag"}>
              {scope}
            </span>
          ))}
        </span>
        {token.projects === null ? null : (
          <span class={`quiet small ${css.projects}`} data-token-projects>
            {projectsMessages.value.onlyIn}{" "}
            <bdi>{token.projects.map(({ name }) => name).join(", ") || projectsMessages.value.goneAll}</bdi>
          </span>
        )}
      </td>
      <td class="quiet nowrap">
        <Ago at={token.createdAt} />
      </td>
      <td class="quiet nowrap">
        <Expiry token={token} />
      </td>
      <td class="quiet nowrap">{token.lastUsedAt === null ? t.unused : <Ago at={token.lastUsedAt} />}</td>
      <td class="figure">{mayRevoke && token.revokedAt === null ? <Revoke token={token} {...revoking} /> : null}</td>
    </tr>
  );
}

function Revoke({ token, isAsked, ask, revoke }: RevokeProps) {
  const t = tokensMessages.value;
  if (isAsked) {
    return (
      <span class={`actions ${css.end}`}>
        <ConfirmButtons
          yes={t.reallyRevoke}
          confirm={() => revoke(token.tokenId)}
          no={phrases.value.cancel}
          withdraw={() => ask(null)}
        />
      </span>
    );
  }
  return (
    <button
      type="button"
      class="button ghost"
      aria-label={`${t.revoke} ${token.name ?? token.preview}`}
      onClick={() => ask(token.tokenId)}
    >
      {t.revoke}
    </button>
  );
}

function Expiry({ token: { revokedAt, expiresAt } }: { token: TokenRecord }) {
  const t = tokensMessages.value;
  if (revokedAt !== null) return <>{t.revoked(distance(Date.parse(revokedAt) - now.value))}</>;
  if (expiresAt === null) return <>{t.never}</>;
  if (Date.parse(expiresAt) <= now.value) return <>{t.expired}</>;
  return <Ago at={expiresAt} />;
}

const isUsable = ({ revokedAt, expiresAt }: TokenRecord) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.value);
