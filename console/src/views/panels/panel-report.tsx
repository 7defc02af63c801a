import { querent } from "../../api/querent.ts";
import { language } from "../../i18n/language.ts";
import { panelReportMessages } from "../../i18n/panel-report.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./panel-view.module.css";

/** Downloads of a panel's report. */
export function PanelReport({ panelId }: { panelId: string }) {
  const t = panelReportMessages.value;
  const { busy, failed, run } = useAttempt();
  const save = (format: "html" | "zip") => () =>
    run(async () => {
      const bytes = await querent.reports.file(panelId, format, { language: language.value });
      const type = format === "zip" ? "application/zip" : "text/html";
      saveFile(`report-${panelId}.${format}`, new Blob([bytes], { type }));
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
        <button type="button" class="button" disabled={busy} onClick={save("zip")}>
          {t.signed}
        </button>
      </div>
    </section>
  );
}
