/** Values kept in the browser's storage. If storage is disabled or full, nothing is kept and nothing fails. */
export const places = { tab: () => window.sessionStorage, device: () => window.localStorage } as const;
export type StoragePlace = keyof typeof places;

export function recall(place: StoragePlace, name: string): string | null {
  try {
    return places[place]().getItem(name);
  } catch {
    return null;
  }
}

/** Stores the value; null removes it. */
export function remember(place: StoragePlace, name: string, value: string | null): void {
  try {
    if (value === null) places[place]().removeItem(name);
    else places[place]().setItem(name, value);
  } catch {
    // Storage that is refused or full leaves the value unstored.
  }
}
