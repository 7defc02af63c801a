import { useMemo } from "preact/hooks";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { taskMessages } from "../../../i18n/task.ts";
import { layOutJson } from "./lay-out-json.ts";
import * as css from "./json-part.module.css";

/** Longer documents are shown without colours, which would take too long. */
const colouredTokensMax = 20_000;

/** The record as it came over the wire, laid out and not read: a number that JavaScript can't hold stands there as it was sent. */
export function JsonPart({ text }: { text: string }) {
  const t = taskMessages.value;
  const tokens = useMemo(() => layOutJson(text), [text]);
  return (
    <section class="panel">
      <div class="panel-head">
        <p class="quiet small">{t.jsonNote}</p>
        <CopyButton text={() => tokens.map(({ text }) => text).join("")} label={t.copyJson} />
      </div>
      <pre class={css.json} tabIndex={0}>
        {tokens.length > colouredTokensMax
          ? tokens.map(({ text }) => text).join("")
          : tokens.map(({ kind, text }, index) =>
              kind === "space" ? (
                text
              ) : (
                <span key={index} class={css[`json-${kind}`]}>
                  {text}
                </span>
              ),
            )}
      </pre>
    </section>
  );
}
