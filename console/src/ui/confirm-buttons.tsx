interface ConfirmButtonsProps {
  /** What the first button does, as its text. */
  readonly yes: string;
  readonly confirm: () => void;
  readonly no: string;
  readonly withdraw: () => void;
}

/** The two answers to whether something that cannot be undone is meant. */
export function ConfirmButtons({ yes, confirm, no, withdraw }: ConfirmButtonsProps) {
  return (
    <>
      <button type="button" class="button danger" onClick={confirm}>
        {yes}
      </button>
      <button type="button" class="button" onClick={withdraw}>
        {no}
      </button>
    </>
  );
}
