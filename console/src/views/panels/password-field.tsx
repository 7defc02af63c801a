import { panelReportMessages } from "../../i18n/panel-report.ts";
import * as css from "./panel-view.module.css";

/** The password of a link. It is shown as it is entered: it is told to others, and never shown again. */
export function PasswordField({ password, set }: { password: string; set: (password: string) => void }) {
  const t = panelReportMessages.value;
  return (
    <>
      <label class={css.clientName}>
        <span class="quiet small">{t.password}</span>
        <input
          class="input"
          type="text"
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
          title={t.passwordAbout}
          value={password}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      </label>
      <button type="button" class="button" onClick={() => set(madeUp())}>
        {t.makeUp}
      </button>
      <span class="quiet small">{t.passwordAbout}</span>
    </>
  );
}

/** None that is taken for another when it is read out or copied by hand. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Sixteen letters in groups of four: 79 bits. */
function madeUp(): string {
  const drawn = Array.from({ length: 16 }, () => letters[draw()]);
  return [0, 4, 8, 12].map((start) => drawn.slice(start, start + 4).join("")).join("-");
}

/** A place in the letters, each as likely as the others. */
function draw(): number {
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < Math.floor(256 / letters.length) * letters.length) return byte % letters.length;
  }
}
