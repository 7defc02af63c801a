import { pino, type Level, type Logger } from "pino";
import type { EmbeddedEvent } from "../db/embedded/index.ts";
import type { MigrationEvent } from "../db/index.ts";
import type { SessionEvent } from "../sessions/index.ts";
import type { BrowserEvent } from "../browser/index.ts";
import type { DispatchEvent } from "../dispatch/index.ts";
import type { HttpEvent } from "../http/index.ts";
import type { ChangeEvent } from "../kernel/change-event.ts";

/** Events of the process itself. */
export type ServiceEvent =
  | { readonly event: "service.started"; readonly address: string | null; readonly roles: readonly string[] }
  | { readonly event: "service.stopping"; readonly signal: string }
  | { readonly event: "service.stopped" }
  /** Packages that this system needs and that npm left out. */
  | { readonly event: "public_url.missing"; readonly variable: string; readonly consequence: string }
  | { readonly event: "packages.missing"; readonly missing: readonly { name: string; consequence: string }[] }
  | { readonly event: "service.fault"; readonly doing: string; readonly error: unknown }
  | { readonly event: "traces.not_exported"; readonly spans: number; readonly error: string }
  | { readonly event: "schema.migrated"; readonly applied: readonly string[] }
  | { readonly event: "history.extended"; readonly created: readonly string[] }
  /** A run of a panel for a time of its schedule: started, or refused for the reason in `why`, in which case nothing is charged. */
  | {
      readonly event: "panel.run_started" | "panel.run_refused";
      readonly accountId: string;
      readonly panelId: string;
      readonly slot: string;
      readonly why: string | null;
    }
  /** An alert's findings were handed to the deliveries. */
  | {
      readonly event: "alert.told";
      readonly accountId: string;
      readonly alertId: string;
      readonly findings: number;
      readonly messages: number;
    }
  | {
      readonly event: "report.sent" | "report.not_sent";
      readonly accountId: string;
      readonly panelId: string;
      readonly reportId: string;
      readonly mails: number;
      readonly why: string | null;
    }
  /** A figure of a panel changed by more than chance explains, or the instrument of a platform did: see `GET /v1/panels/{panel_id}/changes`. */
  | {
      readonly event: "panel.changed" | "panel.instrument_changed";
      readonly accountId: string;
      readonly panelId: string;
      readonly changeId: string;
      readonly platformCode: string;
    }
  /** All tasks of a run of a panel have ended. */
  | {
      readonly event: "panel.run_ended";
      readonly accountId: string;
      readonly panelId: string;
      readonly runId: string;
    }
  | { readonly event: "history.dropped"; readonly dropped: readonly string[] }
  | { readonly event: "database.connections"; readonly detail: string }
  /** The processes may open more connections than the server accepts. */
  | { readonly event: "database.connections_short"; readonly detail: string }
  /** Lists and exports are read from the replica again. */
  | { readonly event: "replica.usable" }
  /** Lists and exports are read from the primary meanwhile. */
  | { readonly event: "replica.unusable"; readonly why: string }
  | { readonly event: "results.expired"; readonly dropped: readonly string[] }
  | { readonly event: "artifact.failed"; readonly error: unknown }
  | { readonly event: "invitation.mail_failed"; readonly detail: string }
  /** The page of an answer shows the text as it is. The task is charged as usual. */
  | { readonly event: "page.not_rendered"; readonly taskId: string; readonly why: string }
  | { readonly event: "artifacts.swept"; readonly removed: number }
  /** Rows that count towards an account's quota, and that nothing had counted before they were measured. */
  | { readonly event: "storage.uncounted"; readonly accountId: string; readonly kind: string; readonly rows: number }
  | { readonly event: "observations.expired"; readonly deleted: number; readonly emptied: readonly string[] }
  | { readonly event: "observations.exported"; readonly manifests: number; readonly rows: number }
  /** A sign-in at an identity provider or by a proxy came to nothing: what it said was refused, was nothing, or came from another address. */
  | {
      readonly event: "sign_in.refused" | "sign_in.provider_away" | "sign_in.header_ignored";
      readonly provider: string;
      readonly why: string;
    }
  | { readonly event: "sample.problem"; readonly problem: unknown }
  /** The platform's recipe or module cannot be loaded in this process, which goes on without it. */
  | { readonly event: "platform.unloaded"; readonly platform: string; readonly why: string }
  /** Tasks of the platform wait, and no running worker can ask it. Logged once by each worker. */
  | { readonly event: "platform.unasked"; readonly platform: string; readonly why: string }
  /** A web platform's page does not match its recipe. Logged once an hour for each place. */
  | { readonly event: "platform.drift"; readonly platform: string; readonly sign: string; readonly what: string }
  /** A complete answer has no picture or archive of its page, which the operator wants kept. The answer is charged as usual. */
  | {
      readonly event: "platform.evidence_missing";
      readonly platform: string;
      readonly taskId: string;
      readonly kind: string;
      readonly why: string;
      readonly error: unknown;
    }
  /** One upstream of a platform failed. Another may have answered. */
  | {
      readonly event: "platform.upstream_failed";
      readonly platform: string;
      readonly endpoint: string;
      readonly code: string;
      readonly message: string;
      readonly platformStatus: number | null;
    };

/** Everything that is logged. An event is an object with a name; its type determines its members. */
export type LogEvent =
  | ServiceEvent
  | ChangeEvent
  | DispatchEvent
  | HttpEvent
  | EmbeddedEvent
  | MigrationEvent
  | BrowserEvent
  | SessionEvent;

/** Events with a level other than `info`. */
const levels: Readonly<Record<string, Level>> = {
  "http.request": "debug",
  "task.claimed": "debug",
  "task.retried": "debug",
  "task.throttled": "debug",
  "panel.run_refused": "warn",
  "task.lost": "warn",
  "http.fault": "error",
  "artifact.failed": "warn",
  "invitation.mail_failed": "warn",
  "page.not_rendered": "warn",
  "traces.not_exported": "warn",
  "dispatch.fault": "warn",
  "service.fault": "error",
  "node.spared": "warn",
  "node.peer_unreachable": "warn",
  "node.lease_lost": "warn",
  "node.reaped": "warn",
  "node.orphaned_runs_returned": "warn",
  "browser.lost": "warn",
  "browser.endpoint_down": "warn",
  "browser.without_sandbox": "warn",
  "browser.passed_over": "warn",
  "browser.unusable": "warn",
  "browser.retired": "debug",
  "postgres.died": "error",
  "postgres.disk_full": "error",
  "postgres.disk_has_space": "warn",
  "postgres.failed": "error",
  "postgres.orphan_found": "warn",
  "postgres.restored": "warn",
  "database.connections_short": "warn",
  "replica.unusable": "warn",
  "packages.missing": "warn",
  "public_url.missing": "warn",
  "schema.behind": "warn",
  "schema.other_migrates": "warn",
  "schema.step_delayed": "warn",
  "storage.uncounted": "warn",
  "sign_in.refused": "warn",
  "sign_in.provider_away": "warn",
  "sign_in.header_ignored": "warn",
  "sample.problem": "warn",
  "platform.upstream_failed": "warn",
  "platform.drift": "warn",
  "platform.evidence_missing": "warn",
  "platform.unasked": "warn",
  "platform.unloaded": "warn",
  "session.signed_out": "warn",
  "session.needs_person": "warn",
  "session.not_saved": "warn",
};

/** An error without people's data: PostgreSQL's `detail` and `where` repeat a row's values. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

export interface Log {
  (event: LogEvent): void;
  /** The logger below, for libraries with their own events. */
  readonly logger: Logger;
}

/**
 * JSON lines on standard error, one per event. They contain ids, codes and counts, and no secrets. `mixin` returns members for
 * every line.
 */
export function createLog(level: Level | "silent", version: string, mixin?: () => object): Log {
  const logger = pino(
    {
      level,
      ...(mixin === undefined ? {} : { mixin }),
      base: { service: "querent", version },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, err: describeError },
      redact: {
        paths: ["*.authorization", "*.token", "*.secret", "*.signingSecret", "*.password", "*.connectionString"],
        censor: "[redacted]",
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return Object.assign((event: LogEvent) => logger[levels[event.event] ?? "info"](event), { logger });
}
