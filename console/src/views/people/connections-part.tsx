import type { ConnectionRecord } from "@querent/client";
import { useLive } from "../../api/use-live.ts";
import { querent } from "../../api/querent.ts";
import { connectionMessages } from "../../i18n/connections.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";

const refreshMs = 30_000;

/** The assistants that people have connected by signing in: the own ones, in all accounts, or those of the account. */
export function ConnectionsPart({ of }: { of: "person" | "account" }) {
  const t = connectionMessages.value;
  const source = of === "person" ? querent.login : querent.people;
  const { value, failed, refresh } = useLive(`connections of ${of}`, (call) => source.connections(call), {
    everyMs: refreshMs,
  });
  const attempt = useAttempt();
  const end = (connectionId: string) =>
    attempt.run(async () => {
      await source.endConnection(connectionId);
      announce(t.ended);
      refresh();
    });
  const address = `${window.location.origin}/mcp`;
  return (
    <section class="stack" aria-label={t.connections}>
      <h2>{t.connections}</h2>
      {of === "account" ? <p class="quiet">{t.ofAccountLead}</p> : null}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {attempt.failed === null ? null : <FailureNote failed={attempt.failed} />}
      {value === null ? null : value.length === 0 ? (
        <p class="quiet">{t.noConnections}</p>
      ) : (
        <ConnectionTable connections={value} of={of} end={end} />
      )}
      {of === "person" ? (
        <p class="quiet">
          {t.connectHow} <code>{address}</code> <CopyButton text={() => address} look="small" label={t.copyAddress} />
        </p>
      ) : null}
    </section>
  );
}

interface ConnectionTableProps {
  readonly connections: readonly ConnectionRecord[];
  readonly of: "person" | "account";
  readonly end: (connectionId: string) => void;
}

function ConnectionTable({ connections, of, end }: ConnectionTableProps) {
  const t = connectionMessages.value;
  return (
    <TablePlace label={t.connections}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.columns.client}</th>
            <th scope="col">{of === "person" ? t.columns.account : t.columns.person}</th>
            <th scope="col">{t.columns.scopes}</th>
            <th scope="col">{t.columns.since}</th>
            <th scope="col">{t.columns.lastUsed}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {connections.map(({ connectionId, client, ...connection }) => (
            <tr key={connectionId}>
              <th scope="row">
                <bdi>{client.name}</bdi>
                <br />
                <bdi class="quiet small">
                  {client.host === null ? t.notVerified(connection.redirectHost) : t.by(client.host)}
                </bdi>
              </th>
              <td>
                <bdi>{of === "person" ? connection.accountName : connection.email}</bdi>
              </td>
              <td class="quiet">{connection.scopes.map((scope) => t.short[scope]).join(", ")}</td>
              <td class="quiet nowrap">
                <Ago at={connection.createdAt} />
              </td>
              <td class="quiet nowrap">
                {connection.lastUsedAt === null ? t.never : <Ago at={connection.lastUsedAt} />}
              </td>
              <td class="figure">
                <button
                  type="button"
                  class="button ghost"
                  aria-label={t.endOf(client.name)}
                  onClick={() => end(connectionId)}
                >
                  {t.end}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}
