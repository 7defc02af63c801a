import type { ComponentChildren } from "preact";

interface AnswersLinkProps {
  /** Undefined: whoever looks may not read answers, and sees the text alone. */
  readonly href: string | undefined;
  readonly look?: string | undefined;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Opens the answers behind something, for those who may read answers. */
export function AnswersLink({ href, look, label, children }: AnswersLinkProps) {
  if (href === undefined)
    return (
      <span class={look} dir="auto">
        {children}
      </span>
    );
  return (
    <a class={look} href={href} dir="auto" {...(label === undefined ? {} : { "aria-label": label })}>
      {children}
    </a>
  );
}
