import type { ReportSchedule, ReportShare } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { may } from "../../app/session.ts";
import { language } from "../../i18n/language.ts";
import { panelReportMessages } from "../../i18n/panel-report.ts";
import { reportLanguages } from "../../i18n/report-languages.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Segments } from "../../ui/segments.tsx";
import { day } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./panel-view.module.css";
import { PasswordField } from "./password-field.tsx";
import { PublicLink } from "./public-link.tsx";

const types = { html: "text/html", pdf: "application/pdf", zip: "application/zip" } as const;

/** A panel's report: downloads, and links that open it without a token. */
export function PanelReport({ panelId }: { panelId: string }) {
  const t = panelReportMessages.value;
  const { busy, failed, run } = useAttempt();
  const [password, setPassword] = useState("");
  const [spoken, setSpoken] = useState<ReportSchedule["language"]>(language.value);
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
      const bytes = await querent.reports.file(panelId, format, { language: spoken, ...printed });
      saveFile(`report-${panelId}.${format}`, new Blob([bytes], { type: types[format] }));
      if (format === "pdf") announce(t.printed);
    });
  const share = () =>
    run(async () => {
      await querent.reports.share(panelId, {
        ...{ language: spoken, days: Number(days), password: password === "" ? null : password },
      });
      setPassword("");
      shares.refresh();
    });
  const revoke = ({ shareId }: ReportShare) =>
    run(async () => {
      await querent.reports.revokeShare(panelId, shareId);
      announce(t.revoked);
      shares.refresh();
    });
  const lock = ({ shareId }: ReportShare, chosen: string | null, done: () => void) =>
    run(async () => {
      await querent.reports.setSharePassword(panelId, shareId, chosen);
      announce(chosen === null ? t.passwordRemoved : t.passwordSet);
      done();
      shares.refresh();
    });
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-report">
      <h2 id="panel-report">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="option-line">
        <span class="quiet small" id="report-language">
          {t.language}
        </span>
        <Segments
          name="report-language"
          labelledBy="report-language"
          value={spoken}
          labels={reportLanguages}
          choose={setSpoken}
          look="wrap"
        />
      </div>
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
        <div class="option-line">
          <PasswordField password={password} set={setPassword} />
        </div>
      </Allowed>
      {shares.value === null || shares.value.length === 0 ? null : (
        <>
          <h3>{t.shares}</h3>
          <p class="quiet small">{t.sharesText}</p>
          <ul class={css.list}>
            {shares.value.map((each) => (
              <Share
                key={each.shareId}
                share={each}
                busy={busy}
                revoke={() => revoke(each)}
                lock={(...chosen) => lock(each, ...chosen)}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ShareProps {
  readonly share: ReportShare;
  readonly busy: boolean;
  readonly revoke: () => void;
  /** Sets, changes or removes its password. */
  readonly lock: (password: string | null, done: () => void) => void;
}

function Share({ share, busy, revoke, lock }: ShareProps) {
  const t = panelReportMessages.value;
  /** Null: it is not being changed. */
  const [password, setPassword] = useState<string | null>(null);
  const { shareId, url, window, expiresAt, hasPassword } = share;
  const close = () => setPassword(null);
  const lastDay = new Date(Date.parse(window.to) - 1).toISOString().slice(0, 10);
  const range = t.window(day(window.from.slice(0, 10)), day(lastDay));
  const name = hasPassword ? `${range} (${t.locked})` : range;
  return (
    <PublicLink kind="share" id={shareId} {...{ name, expiresAt, url, busy, revoke }}>
      {(address) => (
        <>
          <CopyButton text={() => address} label={t.copy} />
          <a class="button" href={address} target="_blank" rel="noreferrer">
            {t.open}
          </a>
          <Allowed scope="panels:write">
            {password !== null ? null : (
              <button type="button" class="button" onClick={() => setPassword("")}>
                {hasPassword ? t.changePassword : t.setPassword}
              </button>
            )}
            {password === null ? null : (
              <>
                <PasswordField password={password} set={setPassword} />
                <button
                  type="button"
                  class="button primary"
                  disabled={busy || password === ""}
                  onClick={() => lock(password, close)}
                >
                  {t.savePassword}
                </button>
                {hasPassword ? (
                  <button type="button" class="button" disabled={busy} onClick={() => lock(null, close)}>
                    {t.removePassword}
                  </button>
                ) : null}
                <button type="button" class="button" onClick={close}>
                  {t.cancel}
                </button>
              </>
            )}
          </Allowed>
        </>
      )}
    </PublicLink>
  );
}
