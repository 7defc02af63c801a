import type { EntityRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { to } from "../../app/address.ts";
import { isLimited } from "../../app/projects.ts";
import { brandsMessages } from "../../i18n/brands.ts";
import { phrases } from "../../i18n/phrases.ts";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./brand-table.module.css";

interface BrandTableProps {
  readonly brands: readonly EntityRecord[];
  readonly mayChange: boolean;
  readonly edit: (brand: EntityRecord) => void;
  readonly changed: () => void;
}

export function BrandTable({ brands, mayChange, edit, changed }: BrandTableProps) {
  const t = brandsMessages.value;
  const { failed, run } = useAttempt();
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (entityId: string) =>
    run(async () => {
      await querent.entities.delete(entityId);
      announce(t.removed);
      setAsked(null);
      changed();
    });
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      <TablePlace label={t.title}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.columns.name}</th>
              <th scope="col">{t.columns.relation}</th>
              <th scope="col">{t.columns.aliases}</th>
              <th scope="col">{t.columns.contexts}</th>
              <th scope="col">{t.columns.mentions}</th>
              <th scope="col">{t.columns.changed}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {brands.map((brand) => (
              <BrandRow
                key={brand.entityId}
                brand={brand}
                mayChange={mayChange}
                isAsked={asked === brand.entityId}
                ask={setAsked}
                edit={edit}
                remove={remove}
              />
            ))}
          </tbody>
        </table>
      </TablePlace>
    </>
  );
}

interface BrandRowProps extends Pick<BrandTableProps, "mayChange" | "edit"> {
  readonly brand: EntityRecord;
  /** Whether the user pressed Delete and has yet to confirm. */
  readonly isAsked: boolean;
  /** Asks the user to confirm for a brand; null withdraws the question. */
  readonly ask: (entityId: string | null) => void;
  readonly remove: (entityId: string) => void;
}

function BrandRow({ brand, mayChange, ...changing }: BrandRowProps) {
  const t = brandsMessages.value;
  return (
    <tr data-brand={brand.name}>
      <th scope="row">
        <bdi>{brand.name}</bdi>
      </th>
      <td>
        <span class="tag">{t.relations[brand.relation]}</span>
      </td>
      <td>
        <bdi class="quiet">{brand.aliases.map(({ text }) => text).join(", ")}</bdi>
      </td>
      <td>
        <bdi class="quiet">{brand.negativeContexts.join(", ")}</bdi>
      </td>
      <td>
        <a href={to(`/brands/${brand.entityId}/mentions`)}>
          {t.readMentions} <span class="unseen">{t.mentionsOf(brand.name)}</span>
        </a>
        {isLimited() ? null : (
          <>
            {" · "}
            <a href={to(`/brands/${brand.entityId}/proposals`)}>
              {t.proposals} <span class="unseen">{t.proposalsFor(brand.name)}</span>
            </a>
          </>
        )}
      </td>
      <td class="quiet nowrap" title={t.revision(brand.revision)}>
        <Ago at={brand.updatedAt} />
      </td>
      <td class="figure">{mayChange ? <RowActions brand={brand} {...changing} /> : null}</td>
    </tr>
  );
}

function RowActions({ brand, isAsked, ask, edit, remove }: Omit<BrandRowProps, "mayChange">) {
  const t = brandsMessages.value;
  if (isAsked) {
    return (
      <span class={`actions ${css.rowActions}`}>
        <ConfirmButtons
          yes={t.reallyRemove}
          confirm={() => remove(brand.entityId)}
          no={phrases.value.cancel}
          withdraw={() => ask(null)}
        />
      </span>
    );
  }
  return (
    <span class={`actions ${css.rowActions}`}>
      <button type="button" class="button ghost" aria-label={`${t.edit} ${brand.name}`} onClick={() => edit(brand)}>
        {t.edit}
      </button>
      <button
        type="button"
        class="button ghost"
        aria-label={`${t.remove} ${brand.name}`}
        onClick={() => ask(brand.entityId)}
      >
        {t.remove}
      </button>
    </span>
  );
}
