import { useEffect, useState } from "preact/hooks";
import { announce } from "./announcer.tsx";
import { Icon } from "./icon.tsx";
import { phrases } from "../i18n/phrases.ts";

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  /** The accessible label, where the visible text says too little. */
  readonly said?: string;
  /** `small`: without its words, where a row of them would be noise; the label is still said. `segment`: one of several ways. */
  readonly look?: "button" | "small" | "segment";
}

const classes = { button: "button", small: "button ghost icon-only", segment: "segment" } as const;

const shownMs = 1600;

export function CopyButton({ text, label, said, look = "button" }: CopyButtonProps) {
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
      class={classes[look]}
      aria-label={said ?? (look === "small" ? label : undefined)}
      title={look === "small" ? label : undefined}
      onClick={() => void copy()}
    >
      {look === "segment" ? null : <Icon name={copied ? "check" : "copy"} />}
      {look === "small" ? null : copied ? phrases.value.copied : label}
    </button>
  );
}
