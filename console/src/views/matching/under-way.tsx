import { matchingMessages } from "../../i18n/matching.ts";

/** What a way is doing at the moment, and how to stop it. */
export function UnderWay({ text, stop }: { text: string; stop: () => void }) {
  return (
    <>
      <span class="quiet">{text}</span>
      <button type="button" class="button" onClick={stop}>
        {matchingMessages.value.stop}
      </button>
    </>
  );
}
