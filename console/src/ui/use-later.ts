import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is fetched when it is first wanted; null until it is here. */
export function useLater<Props extends object>(
  load: (() => Promise<ComponentType<Props>>) | null,
): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<{ view: ComponentType<Props> } | null>(null);
  useEffect(() => {
    if (load !== null) void load().then((view) => setLoaded({ view }));
  }, [load]);
  return loaded?.view ?? null;
}
