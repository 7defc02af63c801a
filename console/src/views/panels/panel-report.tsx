import type { ReportShare } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { may } from "../../app/session.ts";
import { language } from "../../i18n/language.ts";
import { panelReportMessages } from "../../i18n/panel-report.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Segments } from "../../ui/segments.tsx";
import { day } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./panel-view.module.css";
import { PublicLink } from "./public-link.tsx";

const types = { html: "text/html", pdf: "application/pdf", zip: "application/zip" } as const;

/** A panel's report: downloads, and links that open it without a token. */
export function PanelReport({ panelId }: { panelId: string }) {
  const t = panelReportMessages.value;
  const { busy, failed, run } = useAttempt();
  const [days, setDays] = useState<keyof typeof t.dayChoices>("30");
  const shares = useLive(
    may("panels:read") ? `shares of ${panelId}` : null,
    (call) => querent.reports.shares(panelId, call),
    { everyMs: null },
  );
  const [paper, setPaper] = useState<keyof typeof t.papers>("a4");
  const [clientName, setClientName] = useState("");
  const save = (format: "html" | "pdf" | "zip") => () =>
    run(async () => {
      const printed = format === "pdf" ? { paper, clientName: clientName.trim() || undefined } : {};
      if (format === "pdf") announce(t.printing);
      const bytes = await querent.reports.file(panelId, format, { language: language.value, ...printed });
      saveFile(`report-${panelId}.${format}`, new Blob([bytes], { type: types[format] }));
      if (format === "pdf") announce(t.printed);
    });
  const share = () =>
    run(async () => {
      await querent.reports.share(panelId, { language: language.value, days: Number(days) });
      shares.refresh();
    });
  const revoke = ({ shareId }: ReportShare) =>
    run(async () => {
      await querent.reports.revokeShare(panelId, shareId);
      announce(t.revoked);
      shares.refresh();
    });
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-report">
      <h2 id="panel-report">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="button" class="button" disabled={busy} onClick={save("html")}>
          {t.page}
        </button>
        <Allowed scope="panels:read">
          <button type="button" class="button" disabled={busy} onClick={save("zip")}>
            {t.signed}
          </button>
        </Allowed>
      </div>
      <div class="option-line">
        <button type="button" class="button" disabled={busy} onClick={save("pdf")}>
          {t.pdf}
        </button>
        <Segments
          name="report-paper"
          labelledBy="report-paper"
          value={paper}
          labels={t.papers}
          choose={setPaper}
          look="small"
        />
        <span class="unseen" id="report-paper">
          {t.paper}
        </span>
        <label class={css.clientName} hidden={!may("panels:read")}>
          <span class="quiet small">{t.clientName}</span>
          <input
            class="input"
            type="text"
            maxLength={100}
            autocomplete="off"
            value={clientName}
            onInput={({ currentTarget }) => setClientName(currentTarget.value)}
          />
        </label>
      </div>
      <Allowed scope="panels:write" otherwise={may("panels:read") ? <p class="quiet small">{t.mayNotShare}</p> : null}>
        <div class="option-line">
          <button type="button" class="button primary" disabled={busy} onClick={share}>
            {t.share}
          </button>
          <span class="quiet small" id="report-days">
            {t.days}
          </span>
          <Segments
            name="report-days"
            labelledBy="report-days"
            value={days}
            labels={t.dayChoices}
            choose={setDays}
            look="small"
          />
        </div>
      </Allowed>
      {shares.value === null || shares.value.length === 0 ? null : (
        <>
          <h3>{t.shares}</h3>
          <p class="quiet small">{t.sharesText}</p>
          <ul class={css.list}>
            {shares.value.map((each) => (
              <Share key={each.shareId} share={each} busy={busy} revoke={() => revoke(each)} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Share({ share, busy, revoke }: { share: ReportShare; busy: boolean; revoke: () => void }) {
  const t = panelReportMessages.value;
  const { shareId, url, window, expiresAt } = share;
  const lastDay = new Date(Date.parse(window.to) - 1).toISOString().slice(0, 10);
  const name = t.window(day(window.from.slice(0, 10)), day(lastDay));
  return (
    <PublicLink kind="share" id={shareId} {...{ name, expiresAt, url, busy, revoke }}>
      {(address) => (
        <>
          <CopyButton text={() => address} label={t.copy} />
          <a class="button" href={address} target="_blank" rel="noreferrer">
            {t.open}
          </a>
        </>
      )}
    </PublicLink>
  );
}
