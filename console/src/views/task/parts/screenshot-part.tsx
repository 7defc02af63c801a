import type { TaskRecord } from "@querent/contract";
import { Icon } from "../../../ui/icon.tsx";
import { words } from "../../../words/words.ts";
import { isWebAddress } from "../web-address.ts";

export function ScreenshotPart({ record: { screenshotUrl, shareUrl } }: { record: TaskRecord }) {
  const t = words.value.task;
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
        <img class="screenshot" src={screenshotUrl} alt={t.screenshotAlt} loading="lazy" />
      )}
    </section>
  );
}
