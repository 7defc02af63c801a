import { signal } from "@preact/signals";

const said = signal("");

/** Announces what has just happened to screen readers. */
export function announce(text: string): void {
  said.value = "";
  queueMicrotask(() => (said.value = text));
}

export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
