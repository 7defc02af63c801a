import type { FigureLink } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { panelAddressMessages } from "../../i18n/panel-addresses.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./panel-view.module.css";
import { PublicLink } from "./public-link.tsx";

type Rows = keyof typeof panelAddressMessages.value.rowChoices;
type Window = keyof typeof panelAddressMessages.value.windowChoices;

const daysOf: Readonly<Record<Window, number | null>> = { latest: null, days90: 90, days366: 366 };

/** Addresses at which programs read the figures of a panel. */
export function PanelAddresses({ panelId }: { panelId: string }) {
  const t = panelAddressMessages.value;
  const { busy, failed, run } = useAttempt();
  const [rows, setRows] = useState<Rows>("none");
  const [window, setWindow] = useState<Window>("latest");
  const links = useLive(`addresses of ${panelId}`, (call) => querent.panels.figureLinks(panelId, call), {
    everyMs: null,
  });
  const make = () =>
    run(async () => {
      const lastDays = daysOf[window];
      await querent.panels.linkFigures(panelId, { by: rows, ...(lastDays === null ? {} : { lastDays }) });
      announce(t.made);
      links.refresh();
    });
  const revoke = ({ linkId }: FigureLink) =>
    run(async () => {
      await querent.panels.revokeFigureLink(panelId, linkId);
      announce(t.revoked);
      links.refresh();
    });
  const listed = links.value ?? [];
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-addresses">
      <h2 id="panel-addresses">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} />}
      <Allowed scope="panels:write" otherwise={<p class="quiet small">{t.mayNot}</p>}>
        <div class="option-line">
          <span class="quiet small" id="address-rows">
            {t.rows}
          </span>
          <Segments
            name="address-rows"
            labelledBy="address-rows"
            value={rows}
            labels={t.rowChoices}
            choose={setRows}
            look="small"
          />
        </div>
        <div class="option-line">
          <span class="quiet small" id="address-window">
            {t.window}
          </span>
          <Segments
            name="address-window"
            labelledBy="address-window"
            value={window}
            labels={t.windowChoices}
            choose={setWindow}
            look="small"
          />
        </div>
        <div class="actions">
          <button type="button" class="button" disabled={busy} onClick={make}>
            {t.make}
          </button>
        </div>
      </Allowed>
      {listed.length === 0 ? null : (
        <>
          <h3>{t.list}</h3>
          {listed.some(({ url }) => url !== null && isLocal(url)) ? <p class="quiet small">{t.local}</p> : null}
          <ul class={css.list}>
            {listed.map((link) => (
              <Address key={link.linkId} link={link} busy={busy} revoke={() => revoke(link)} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Address({ link, busy, revoke }: { link: FigureLink; busy: boolean; revoke: () => void }) {
  const t = panelAddressMessages.value;
  const { linkId, url, figures, expiresAt } = link;
  const rows = figures.by === "day" ? t.day : t.rowChoices[figures.by ?? "none"];
  const { lastDays } = figures;
  const window = lastDays === undefined ? "latest" : `days${lastDays}`;
  const name = [
    rows,
    isWindow(window) ? t.windowChoices[window] : t.lastDays(lastDays ?? 0),
    ...chosenOf(figures),
  ].join(" · ");
  return (
    <PublicLink kind="address" id={linkId} {...{ name, expiresAt, url, busy, revoke }}>
      {(address) => (
        <>
          <CopyButton text={() => `=IMPORTDATA("${address}")`} label={t.formula} />
          <CopyButton text={() => address} label={t.address} />
        </>
      )}
    </PublicLink>
  );
}

/** What else was chosen over the API, as it was. */
const chosenOf = ({ measure, entityId, domain, sourceType, platformCode, locale, persona }: FigureLink["figures"]) =>
  [measure?.replaceAll(",", ", "), entityId, domain, sourceType, platformCode, locale, persona].filter(
    (part) => part !== undefined,
  );

const isWindow = (text: string): text is Window => text in panelAddressMessages.value.windowChoices;

/** Whether only this machine or its network reaches the address. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".local") ||
    !hostname.includes(".") ||
    /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\./.test(hostname)
  );
}
