import type { AccountRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Ago, number, size } from "../../ui/time.tsx";
import { operatorMessages } from "../../i18n/operator.ts";
import { AccountForm } from "./account-form.tsx";
import { AccountPanel } from "./account-panel.tsx";
import { TablePlace } from "../../ui/table-place.tsx";

const refreshMs = 10_000;
const pageSize = 50;

export function AccountsPart() {
  const t = operatorMessages.value;
  const text = query.value.get("q") ?? "";
  const cursor = query.value.get("cursor") ?? "";
  const chosen = query.value.get("account");
  const order = query.value.get("order") === "size" ? "size" : "created";
  const [making, setMaking] = useState(false);
  const { value, failed, refresh } = useLive(
    `accounts ${order} ${text} ${cursor}`,
    (call) =>
      querent.operator.accounts(
        { limit: pageSize, orderBy: order, ...(text === "" ? {} : { text }), ...(cursor === "" ? {} : { cursor }) },
        call,
      ),
    { everyMs: refreshMs },
  );
  const address = (more: { q?: string; cursor?: string; account?: string; order?: string }) =>
    to("/operator/accounts", { order: order === "size" ? order : "", ...more });
  const account = value?.accounts.find(({ accountId }) => accountId === chosen);
  if (account !== undefined) return <AccountPanel account={account} list={address({ q: text })} changed={refresh} />;

  return (
    <section class="stack" aria-label={t.accounts}>
      <div class="panel-head">
        <label class="search">
          <span class="unseen">{t.search}</span>
          <Icon name="search" />
          <input
            class="input"
            type="search"
            maxLength={100}
            placeholder={t.search}
            value={text}
            onInput={({ currentTarget }) => go(address({ q: currentTarget.value }), { replace: true })}
          />
        </label>
        <OrderChoice order={order} hrefOf={(each) => address({ q: text, order: each === "size" ? each : "" })} />
        {making ? null : (
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            <Icon name="add" />
            {t.newAccount}
          </button>
        )}
      </div>
      {making ? (
        <AccountForm
          cancel={() => setMaking(false)}
          created={({ accountId, name }) => {
            setMaking(false);
            refresh();
            go(address({ q: name, account: accountId }));
          }}
        />
      ) : null}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.accounts.length === 0 ? (
        <p class="note">{t.noAccounts}</p>
      ) : (
        <AccountTable
          accounts={value.accounts}
          hrefOf={(accountId) => address({ q: text, cursor, account: accountId })}
        />
      )}
      <Pager
        newest={cursor === "" ? undefined : address({ q: text })}
        older={value === null || value.nextCursor === null ? undefined : address({ q: text, cursor: value.nextCursor })}
        words={t}
      />
    </section>
  );
}

const orders = ["created", "size"] as const;
type Order = (typeof orders)[number];

function OrderChoice({ order, hrefOf }: { readonly order: Order; readonly hrefOf: (order: Order) => string }) {
  const t = operatorMessages.value;
  return (
    <ul class="segments" aria-label={t.order}>
      {orders.map((each) => (
        <li key={each}>
          <a class="segment" aria-current={each === order ? "true" : undefined} href={hrefOf(each)}>
            {t.orders[each]}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface AccountTableProps {
  readonly accounts: readonly AccountRecord[];
  readonly hrefOf: (accountId: string) => string;
}

function AccountTable({ accounts, hrefOf }: AccountTableProps) {
  const t = operatorMessages.value.accountColumns;
  return (
    <TablePlace label={operatorMessages.value.accounts}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            {[t.available, t.held, t.spent, t.unfinished, t.stored, t.free].map((head) => (
              <th key={head} scope="col" class="figure">
                {head}
              </th>
            ))}
            <th scope="col">{t.created}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ accountId, name, balance, unfinishedTasks, createdAt, storage }) => (
            <tr key={accountId}>
              <th scope="row" class="wide-cell">
                <a class="cut" href={hrefOf(accountId)}>
                  <bdi>{name}</bdi>
                </a>
              </th>
              <td class="figure">{number(balance.available)}</td>
              <td class="figure quiet">{number(balance.held)}</td>
              <td class="figure">{number(balance.captured)}</td>
              <td class="figure">{number(unfinishedTasks)}</td>
              <td class="figure">{size(storage.totalBytes)}</td>
              <td class="figure quiet">{size(storage.bytes)}</td>
              <td class="quiet nowrap">
                <Ago at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}
