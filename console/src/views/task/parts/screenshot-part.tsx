import type { TaskRecord } from "@querent/client";
import { Icon } from "../../../ui/icon.tsx";
import { taskMessages } from "../../../i18n/task.ts";
import { isWebAddress } from "../web-address.ts";
import * as css from "./screenshot-part.module.css";

export function ScreenshotPart({ record: { screenshotUrl, shareUrl } }: { record: TaskRecord }) {
  const t = taskMessages.value;
  return (
    <section class="panel">
      {shareUrl !== null && isWebAddress(shareUrl) ? (
        <p>
          <a class="button" href={shareUrl} target="_blank" rel="noopener noreferrer">
            <Icon name="external" />
            {t.openShare}
          </a>
        </p>
      ) : null}
      {screenshotUrl === null ? null : (
        <img class={css.screenshot} src={screenshotUrl} alt={t.screenshotAlt} loading="lazy" />
      )}
    </section>
  );
}
