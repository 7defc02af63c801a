import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { phrases } from "../i18n/phrases.ts";

/**
 * A component that is fetched when it is first wanted; null until it is here. If it cannot be fetched, a note says so in its place:
 * after an upgrade of the service, an open page still names the files of before.
 */
export function useLater<Props extends object>(
  load: (() => Promise<ComponentType<Props>>) | null,
): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<{ view: ComponentType<Props> } | null>(null);
  useEffect(() => {
    if (load === null) return;
    load().then(
      (view) => setLoaded({ view }),
      (error: unknown) => {
        reportError(error);
        setLoaded({ view: NotLoaded });
      },
    );
  }, [load]);
  return loaded?.view ?? null;
}

function NotLoaded() {
  const t = phrases.value.notLoaded;
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>{t.title}</strong>
      </p>
      <p>{t.detail}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </div>
  );
}

interface LaterProps<Props extends object> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

/** The same in place; nothing until it is here. */
export function Later<Props extends object>({ load, props }: LaterProps<Props>) {
  const Loaded = useLater(load);
  return Loaded === null ? null : <Loaded {...props} />;
}
