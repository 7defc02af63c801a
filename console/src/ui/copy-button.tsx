import { useEffect, useState } from "preact/hooks";
import { announce } from "./announcer.tsx";
import { Icon } from "./icon.tsx";
import { phrases } from "../words/phrases.ts";

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  /** What it is called where its own words say too little. */
  readonly said?: string;
  /** Without its words, where a row of them would be noise; the label is still said. */
  readonly small?: boolean;
}

const shownMs = 1600;

export function CopyButton({ text, label, said, small = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), shownMs);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    announce(phrases.value.copied);
  };
  return (
    <button
      type="button"
      class={small ? "button ghost icon-only" : "button"}
      aria-label={small ? label : said}
      title={small ? label : undefined}
      onClick={() => void copy()}
    >
      <Icon name={copied ? "check" : "copy"} />
      {small ? null : copied ? phrases.value.copied : label}
    </button>
  );
}
