import { matchingMessages } from "../../i18n/matching.ts";

/** The progress of a running operation, with a button to stop it. */
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
