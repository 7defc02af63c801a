import { signal } from "@preact/signals";

const said = signal("");

/** Tells those who can't see it what has just happened. */
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
