import { logoBytesMax, readableColor, type ReportLooks } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { looksMessages } from "../../i18n/looks.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./projects.module.css";

/** That of reports without one. */
const ownColor = "#0b5c7a";
/** The pages of reports, light and dark. */
const papers = { light: "#ffffff", dark: "#171b21" } as const;

interface LooksFormProps {
  readonly projectId: string;
  readonly name: string;
  readonly close: () => void;
}

/** The name, logo and colour of a project's reports, with their header as it will be. */
export function LooksForm({ projectId, name, close }: LooksFormProps) {
  const { value, failed, refresh } = useLive(
    `looks of ${projectId}`,
    (call) => querent.projects.looks(projectId, call),
    { everyMs: null },
  );
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  return value === null ? null : <Fields key={projectId} {...{ projectId, name, close }} before={value} />;
}

function Fields({ projectId, name: project, close, before }: LooksFormProps & { readonly before: ReportLooks }) {
  const t = looksMessages.value;
  const [name, setName] = useState(before.name ?? "");
  const [color, setColor] = useState(before.color);
  const [logo, setLogo] = useState(before.logo === null ? null : urlOf(before.logo));
  const [refusedFile, setRefusedFile] = useState<string | null>(null);
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > logoBytesMax) return setRefusedFile(t.tooLarge);
    setRefusedFile(null);
    setLogo(await dataUrl(file));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.projects.putLooks(projectId, {
        ...{ name: name.trim() === "" ? null : name.trim(), color },
        logo: logo === null ? null : logo.slice(logo.indexOf(",") + 1),
      });
      announce(t.saved);
      close();
    });
  };
  return (
    <form class="panel form" aria-label={t.looksOf(project)} onSubmit={submit}>
      <h2>{t.looksOf(project)}</h2>
      <p class="quiet small">{t.about}</p>
      <div class="field">
        <label for="looks-name">{t.name}</label>
        <input
          id="looks-name"
          ref={field}
          class="input"
          maxLength={100}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="looks-logo">{t.logo}</label>
        <input
          id="looks-logo"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby="looks-logo-hint"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
        <span class="quiet small" id="looks-logo-hint">
          {t.logoHint}
        </span>
        {refusedFile === null ? null : <p role="alert">{refusedFile}</p>}
        {logo === null ? null : (
          <span>
            <button type="button" class="button" onClick={() => setLogo(null)}>
              {t.noLogo}
            </button>
          </span>
        )}
      </div>
      <div class="field">
        <label for="looks-color">{t.color}</label>
        <span class="option-line">
          <input
            id="looks-color"
            type="color"
            value={color ?? ownColor}
            onInput={({ currentTarget }) => setColor(currentTarget.value)}
          />
          <code>{color ?? t.ownColor}</code>
          {color === null ? null : (
            <button type="button" class="button" onClick={() => setColor(null)}>
              {t.noColor}
            </button>
          )}
        </span>
      </div>
      <div class={css.previews} role="group" aria-label={t.preview}>
        {(["light", "dark"] as const).map((paper) => (
          <Preview key={paper} paper={paper} {...{ name: name.trim(), logo, color }} />
        ))}
      </div>
      {color === null || readableColor(color, papers.light) === color ? null : <p class="quiet small">{t.adjusted}</p>}
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={close}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}

interface PreviewProps {
  readonly paper: keyof typeof papers;
  readonly name: string;
  readonly logo: string | null;
  readonly color: string | null;
}

function Preview({ paper, name, logo, color }: PreviewProps) {
  const t = looksMessages.value;
  const accent = readableColor(color ?? (paper === "dark" ? "#6cc3e0" : ownColor), papers[paper]);
  const isDark = paper === "dark";
  return (
    <div
      class={css.preview}
      data-paper={paper}
      style={{
        background: papers[paper],
        color: isDark ? "#e6e9ee" : "#1d2127",
        borderTopColor: color ?? "transparent",
      }}
    >
      {name === "" && logo === null ? null : (
        <div class={css.brand}>
          {logo === null ? null : (
            <img src={logo} alt={name} style={isDark ? { background: "#fff", padding: "4px" } : {}} />
          )}
          <bdi>{name}</bdi>
        </div>
      )}
      <small style={{ color: accent }}>{t.kicker}</small>
      <strong>{t.panel}</strong>
    </div>
  );
}

const urlOf = ({ type, data }: NonNullable<ReportLooks["logo"]>) => `data:${type};base64,${data}`;

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("the file could not be read")));
    reader.readAsDataURL(file);
  });
