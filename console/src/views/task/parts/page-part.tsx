import type { TaskRecord } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { taskMessages } from "../../../i18n/task.ts";
import { EvidenceFiles } from "./evidence-files.tsx";
import * as css from "./page-part.module.css";

/** The page's own policy comes first in it, so nothing that follows can loosen it; the frame's sandbox and the console's policy hold besides. */
const policy = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"><meta name="referrer" content="no-referrer">`;

export function PagePart({ record }: { record: TaskRecord }) {
  const t = taskMessages.value;
  const { pageHtml, evidence } = record;
  if (pageHtml === null && evidence.length === 0) return <p class="note">{t.noPage}</p>;
  return (
    <>
      {evidence.length === 0 ? null : <EvidenceFiles record={record} />}
      {pageHtml === null ? null : <StoredPage pageHtml={pageHtml} />}
    </>
  );
}

/** The stored page, where it can do nothing: no script, no request, no way to this page or any other. */
function StoredPage({ pageHtml }: { pageHtml: string }) {
  const t = taskMessages.value;
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([policy, pageHtml], { type: "text/html; charset=utf-8" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [pageHtml]);
  return (
    <section class={`panel ${css.pagePanel}`}>
      <p class="quiet small">{t.pageNote}</p>
      {address === null ? null : (
        <iframe class={css.pageFrame} title={t.pageTitle} sandbox="" referrerpolicy="no-referrer" src={address} />
      )}
    </section>
  );
}
