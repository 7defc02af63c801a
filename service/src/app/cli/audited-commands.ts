/** Which commands of `querentd` are in the audit log, and why. */
import { userInfo } from "node:os";
import type { AuditKind } from "@querent/contract";

/**
 * Every command that opens the database. Null: it changes nothing that anybody would ask about, and what it shows is on the operator's
 * screen alone.
 */
export const commandKinds: Readonly<Record<string, AuditKind | null>> = {
  "account create": "change",
  "account list": null,
  "account observations": "change",
  "account quota": "change",
  "account second-factor": "change",
  "audit export": null,
  "audit list": null,
  "audit verify": null,
  "connection end": "change",
  "connection list": null,
  demo: "change",
  "evidence-key list": null,
  "evidence-key rotate": "change",
  "export-observations": "export",
  "history drop": "change",
  "history list": null,
  "invite create": "change",
  "invite list": null,
  "invite withdraw": "change",
  "master-key abandon": "change",
  "master-key list": null,
  "master-key re-encrypt": "change",
  migrate: "change",
  nodes: null,
  "person list": null,
  "person operator": "change",
  "person passkeys": null,
  "person password": "change",
  "person remove": "change",
  "person remove-passkey": "change",
  "person reset-factor": "change",
  "person role": "change",
  "person sign-out": "change",
  "person unlink": "change",
  "platform costs": null,
  "platform key remove": "change",
  "platform key set": "change",
  "points grant": "change",
  "project archive": "change",
  "project create": "change",
  "project delete": "change",
  "project list": null,
  "project move": "change",
  "project rename": "change",
  "project restore": "change",
  reparse: "change",
  "session import": "change",
  "session list": null,
  "session remove": "change",
  "session sign-in": "change",
  "task raw": "export",
  "token create": "change",
  "token list": null,
  "token revoke": "change",
};

let running = "";

/** Called with the words of a command before it runs. */
export const commandStarts = (words: string): void => {
  running = words;
};

/** The command that this process runs, for the log; null if it is not recorded. */
export function auditedCommand(): { operation: string; kind: AuditKind; user: string } | null {
  const kind = commandKinds[running] ?? null;
  return kind === null ? null : { operation: `querentd ${running}`, kind, user: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user often has a number and no name.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
