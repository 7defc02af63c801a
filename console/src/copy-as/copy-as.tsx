import { CopyButton } from "../ui/copy-button.tsx";
import { copyAsMessages } from "../i18n/copy-as.ts";
import { asCommand } from "./as-command.ts";
import { asCurl } from "./as-curl.ts";
import { asProgram } from "./as-program.ts";
import * as css from "./copy-as.module.css";

const ways = { curl: asCurl, program: asProgram, command: asCommand } as const;

/** The same submission as a command or a program, without the token. */
export function CopyAs({ items }: { items: () => readonly object[] }) {
  const t = copyAsMessages.value;
  return (
    <div class={css.copyAs} role="group" aria-label={t.label}>
      <span class="quiet small" aria-hidden="true">
        {t.label}
      </span>
      <div class="segments small">
        {(Object.keys(ways) as (keyof typeof ways)[]).map((way) => (
          <CopyButton
            key={way}
            look="segment"
            text={() => ways[way](items(), window.location.origin)}
            label={t.ways[way]}
            said={`${t.label} ${t.ways[way]}`}
          />
        ))}
      </div>
    </div>
  );
}
