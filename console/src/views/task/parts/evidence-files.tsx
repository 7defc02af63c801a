import { QuerentError, type PageEvidence, type TaskRecord } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../../api/querent.ts";
import { taskMessages } from "../../../i18n/task.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FailureNote } from "../../../ui/failure-note.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { number } from "../../../ui/time.tsx";
import { useAttempt } from "../../../ui/use-attempt.ts";
import * as css from "./evidence-files.module.css";

/** What is kept of the page besides its HTML: its picture, and its archive to save. */
export function EvidenceFiles({ record: { taskId, evidence } }: { record: TaskRecord }) {
  const t = taskMessages.value;
  return (
    <section class="panel" aria-labelledby="page-evidence-title">
      <h2 id="page-evidence-title">{t.pageEvidence}</h2>
      <p class="quiet small">{t.pageEvidenceNote}</p>
      {evidence.map((one) => (
        <EvidenceFile key={one.kind} taskId={taskId} one={one} />
      ))}
    </section>
  );
}

function EvidenceFile({ taskId, one }: { taskId: string; one: PageEvidence }) {
  const t = taskMessages.value;
  const { kind, bytes, sha256, missing, incomplete } = one;
  const { busy, failed, run } = useAttempt();
  const save = async () => saveFile(nameOf(taskId, one), await read(taskId, one));
  return (
    <div class={css.file} data-evidence={kind}>
      <h3>{t.evidenceKinds[kind]}</h3>
      {missing !== null ? (
        <p class="note">{t.pageFileMissing(missing)}</p>
      ) : (
        <>
          {incomplete === undefined ? null : <p class="note">{t.pageFileIncomplete(incomplete)}</p>}
          <p class={css.facts}>
            <span>{t.kilobytes(number(Math.max(1, Math.round((bytes ?? 0) / 1000))))}</span>
            <span class={css.digest}>
              {t.digest} <code>{sha256}</code>
            </span>
            <CopyButton look="small" label={t.copyDigest} text={() => sha256 ?? ""} />
          </p>
          <button type="button" class="button" disabled={busy} onClick={() => run(save)}>
            <Icon name="download" />
            {t.savePageFile[kind]}
          </button>
          {failed === null ? null : <FailureNote failed={failed} />}
          {kind === "picture" ? <Picture taskId={taskId} one={one} /> : null}
        </>
      )}
    </div>
  );
}

/** Read with the token, so that nobody else can open its address. */
function Picture({ taskId, one }: { taskId: string; one: PageEvidence }) {
  const t = taskMessages.value;
  const [address, setAddress] = useState<string | null>(null);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  useEffect(() => {
    const left = new AbortController();
    let made: string | null = null;
    const show = async () => {
      try {
        const file = await read(taskId, one, left.signal);
        if (left.signal.aborted) return;
        made = URL.createObjectURL(file);
        setAddress(made);
      } catch (error) {
        if (left.signal.aborted) return;
        if (!(error instanceof QuerentError)) throw error;
        setFailed(error);
      }
    };
    void show();
    return () => {
      left.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [taskId, one.sha256]);
  if (failed !== null) return <FailureNote failed={failed} />;
  return address === null ? null : <img class={css.picture} src={address} alt={t.pagePictureAlt} />;
}

async function read(taskId: string, { kind, mediaType }: PageEvidence, signal?: AbortSignal): Promise<Blob> {
  const bytes = await querent.tasks.pageEvidence(taskId, kind, { ...(signal && { signal }) });
  return new Blob([bytes], { type: mediaType ?? "application/octet-stream" });
}

const nameOf = (taskId: string, { kind }: PageEvidence) => `page-${taskId}.${kind === "picture" ? "png" : "wacz"}`;
