import { decodeText, EncodingError, type PanelInput, type ProblemItem } from "@querent/client";
import { useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote, InvalidPositions } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";

/** The largest file: as much as the service takes of a panel. */
const fileBytesMax = 16 * 1024 * 1024;
/** Further mistakes are counted, not listed. */
const faultsShown = 100;

// Fetched separately, because of the YAML parser.
const loadReader = () => import("./panel-file.ts");

/** A panel that the service would accept, or prompts. */
export type FoundInFile =
  | { readonly panel: PanelInput; readonly prompts?: undefined }
  | { readonly prompts: PanelInput["prompts"]; readonly panel?: undefined };

interface PanelFileFieldProps {
  readonly take: (found: FoundInFile) => void;
}

/** Takes a panel, or the prompts of one, from a file. What the service would reject is shown with every position, and not taken. */
export function PanelFileField({ take }: PanelFileFieldProps) {
  const t = panelsMessages.value;
  const picker = useRef<HTMLInputElement>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [errors, setErrors] = useState<readonly ProblemItem[]>([]);
  const { busy, failed, run } = useAttempt();
  const read = async (file: File) => {
    setTaken(null);
    setFaults([]);
    setErrors([]);
    if (file.size > fileBytesMax) return setFaults([t.file.tooLarge]);
    const { readPanel } = await loadReader();
    const text = textOf(await file.arrayBuffer());
    if (text instanceof EncodingError) return setFaults([t.file.notText(text.line)]);
    const found = readPanel(file.name, text);
    if ("faults" in found) return setFaults(found.faults);
    if ("panel" in found) {
      const { errors } = await querent.panels.quote(found.panel);
      if (errors.length > 0) return setErrors(errors);
    }
    take(found);
    setTaken(file.name);
  };
  const start = (file: File | undefined) => {
    if (file !== undefined) run(() => read(file));
  };
  return (
    <div
      class="field"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        start(event.dataTransfer?.files[0]);
      }}
    >
      <div class="actions">
        <button type="button" class="button" aria-disabled={busy} onClick={() => picker.current?.click()}>
          {t.file.choose}
        </button>
        <span class="quiet small">{t.file.hint}</span>
      </div>
      <input
        ref={picker}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={t.file.choose}
        accept=".yaml,.yml,.json,.csv,.tsv,.txt"
        onChange={({ currentTarget }) => {
          start(currentTarget.files?.[0]);
          // The same file can be chosen again once it is mended.
          currentTarget.value = "";
        }}
      />
      {taken === null ? null : (
        <p class="quiet small" role="status">
          {t.file.taken(taken)}
        </p>
      )}
      {faults.length + errors.length === 0 ? null : (
        <div class="note note-bad" role="alert">
          <p>{t.file.refused}</p>
          {errors.length > 0 ? <InvalidPositions errors={errors} /> : <Faults faults={faults} />}
        </div>
      )}
      {failed === null ? null : <FailureNote failed={failed} />}
    </div>
  );
}

function textOf(bytes: ArrayBuffer): string | EncodingError {
  try {
    return decodeText(new Uint8Array(bytes));
  } catch (error) {
    if (error instanceof EncodingError) return error;
    throw error;
  }
}

function Faults({ faults }: { faults: readonly string[] }) {
  const t = panelsMessages.value;
  return (
    <ul class="quiet small">
      {faults.slice(0, faultsShown).map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
      {faults.length > faultsShown ? <li>{t.file.more(faults.length - faultsShown)}</li> : null}
    </ul>
  );
}
