import {
  ForbiddenError,
  NotFoundError,
  type EntityRecord,
  type NameProposal,
  type NameProposals,
} from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { may } from "../../app/session.ts";
import { proposalsMessages } from "../../i18n/proposals.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./proposals.module.css";

interface Shown {
  readonly brand: EntityRecord;
  readonly found: NameProposals;
}

/** What answers suggest for the names of a brand. Each proposal is approved or declined by a click. */
export function ProposalsView({ entityId }: { entityId: string }) {
  const t = proposalsMessages.value;
  const panelId = query.value.get("panelId") ?? undefined;
  const [neighbours, setNeighbours] = useState(false);
  const { value, failed, refresh } = useLive<Shown>(
    JSON.stringify([entityId, panelId ?? null, neighbours]),
    async (call) => {
      const options = { ...call, neighbours, ...(panelId === undefined ? {} : { panelId }) };
      const [brand, found] = await Promise.all([
        querent.entities.get(entityId, call),
        querent.entities.propose(entityId, options),
      ]);
      return { brand, found };
    },
    { everyMs: null },
  );
  const title = t.title(value?.brand.name ?? "…");
  useTitle(title);
  return (
    <div class="view">
      <a class="back" href={to("/brands")}>
        <Icon name="back" />
        {t.brands}
      </a>
      <header class="view-head">
        <h1 dir="auto">{title}</h1>
      </header>
      <p class="quiet">{t.lead}</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={neighbours}
          onChange={({ currentTarget }) => setNeighbours(currentTarget.checked)}
        />
        <span>{t.neighbours}</span>
      </label>
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : failed instanceof NotFoundError ? (
        <p class="note">{t.unknownBrand}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? (
        failed === null && (
          <p class="quiet" role="status">
            {t.searching}
          </p>
        )
      ) : (
        <Proposals entityId={entityId} found={value.found} changed={refresh} />
      )}
    </div>
  );
}

interface ProposalsProps {
  readonly entityId: string;
  readonly found: NameProposals;
  readonly changed: () => void;
}

function Proposals({ entityId, found, changed }: ProposalsProps) {
  const t = proposalsMessages.value;
  const { busy, failed, run } = useAttempt();
  const mayDecide = may("panels:write");
  const decide = (decision: "approve" | "decline", { kind, text, caseSensitive, alsoAliases }: NameProposal) =>
    run(async () => {
      await querent.entities.decide(entityId, { [decision]: [{ kind, text, caseSensitive, alsoAliases }] });
      announce(decision === "approve" ? t.approved(text) : t.declined(text));
      changed();
    });
  return (
    <>
      <p class="small quiet">{t.searched(found.answers, found.mentions, found.notSearched)}</p>
      {failed === null ? null : <FailureNote failed={failed} />}
      {found.proposals.length === 0 ? (
        <div class="empty">
          <h2>{t.none}</h2>
          <p class="quiet">{t.noneText}</p>
        </div>
      ) : (
        <>
          {mayDecide ? <p class="quiet">{t.afterwards}</p> : <p class="note">{t.readOnly}</p>}
          <ul class={css.proposals}>
            {found.proposals.map((proposal) => (
              <li key={`${proposal.kind} ${proposal.text}`} data-proposal={proposal.text}>
                <div class={css.head}>
                  <span class={css.name}>
                    <span class="tag">{t.kinds[proposal.kind]}</span>
                    <bdi>{described(proposal)}</bdi>
                  </span>
                  {mayDecide ? (
                    <span class="actions">
                      <button
                        type="button"
                        class="button"
                        aria-disabled={busy}
                        aria-label={`${t.approve} ${proposal.text}`}
                        onClick={() => decide("approve", proposal)}
                      >
                        {t.approve}
                      </button>
                      <button
                        type="button"
                        class="button ghost"
                        aria-disabled={busy}
                        aria-label={`${t.decline} ${proposal.text}`}
                        onClick={() => decide("decline", proposal)}
                      >
                        {t.decline}
                      </button>
                    </span>
                  ) : null}
                </div>
                <p class="small quiet">
                  {t.reasons[proposal.reason]}{" "}
                  {proposal.kind === "alias"
                    ? t.adds(proposal.mentions, proposal.answers)
                    : t.takes(proposal.mentions, proposal.answers)}
                </p>
                <Evidence of={proposal} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const described = ({ text, alsoAliases }: NameProposal): string => [text, ...alsoAliases].join(", ");

function Evidence({ of: { evidence } }: { of: NameProposal }) {
  return (
    <ul class={css.evidence}>
      {evidence.map(({ observationId, snippet, start, end }) => (
        <li key={`${observationId} ${start} ${snippet}`} dir="auto">
          <span class="quiet">…{snippet.slice(0, start)}</span>
          <mark>{snippet.slice(start, end)}</mark>
          <span class="quiet">{snippet.slice(end)}…</span>
        </li>
      ))}
    </ul>
  );
}
