import type { Scope } from "@querent/client";
import type { ComponentChildren } from "preact";
import { may } from "./session.ts";

interface AllowedProps {
  readonly scope: Scope;
  readonly children: ComponentChildren;
  /** Shown to somebody who may not; nothing by default. */
  readonly otherwise?: ComponentChildren;
}

/** Shows what needs a scope only to somebody who has it. Roles are sets of scopes, so this is all that a view has to know of them. */
export function Allowed({ scope, children, otherwise = null }: AllowedProps) {
  return <>{may(scope) ? children : otherwise}</>;
}
