import type { FigureRow } from "@querent/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { language } from "../../i18n/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import * as css from "./figures.module.css";

interface DefinitionLinkProps {
  readonly measure: FigureRow["measure"];
  /** What the measure is called where it stands. */
  readonly children: string;
}

/** The name of a measure, which opens its definition. */
export function DefinitionLink({ measure, children }: DefinitionLinkProps): ComponentChildren {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={css.definition} data-definition={measure} onClick={() => setOpen(true)}>
        {children}
        <span class="unseen">: {figuresMessages.value.definition}</span>
      </button>
      {isOpen ? <Definition measure={measure} title={children} close={() => setOpen(false)} /> : null}
    </>
  );
}

function Definition({
  measure,
  title,
  close,
}: {
  readonly measure: FigureRow["measure"];
  readonly title: string;
  readonly close: () => void;
}) {
  const t = figuresMessages.value;
  const spoken = language.value;
  const { value, failed, refresh } = useLive(
    `measures ${spoken}`,
    (call) => querent.panels.measures({ ...call, language: spoken }),
    { everyMs: null },
  );
  const found = value?.find(({ id }) => id === measure);
  const parts = found === undefined ? [] : (["counts", "formula", "leavesOut"] as const);
  return (
    <Dialog title={title} closeLabel={t.close} close={close}>
      <div class={css.definitionText}>
        {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
        {found === undefined ? null : (
          <dl class={css.definitionParts}>
            {parts.map((part) => (
              <div key={part}>
                <dt>{t.definitionParts[part]}</dt>
                <dd>{found[part]}</dd>
              </div>
            ))}
            <div>
              <dt>{t.definition}</dt>
              <dd>
                <code translate={false}>{found.definition}</code>
              </dd>
            </div>
          </dl>
        )}
        <p class="quiet small">{t.scopesMean}</p>
      </div>
    </Dialog>
  );
}
