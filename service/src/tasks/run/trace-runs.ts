/** Traces of the runs of a worker, if it is traced. */
import type { Database, Queryable } from "../../db/index.ts";
import { readWaits, type Claimed, type WorkEnd, type Wait } from "../../dispatch/index.ts";
import type { Span, Tracer } from "../../kernel/trace.ts";
import { vendors, type AskContext, type Outcome } from "../../platforms/index.ts";
import type { RunResult } from "./run-task.ts";

/** Attributes with contents are cut to this length. */
const contentLengthMax = 64 * 1024;

/** The names of providers in OpenTelemetry's conventions. */
const providers: Readonly<Record<string, string>> = Object.fromEntries(
  vendors.map(({ code, tracedAs = code }) => [code, tracedAs]),
);

type ModelCalls = NonNullable<AskContext["onModelCall"]>;

interface RunTracesDeps {
  readonly database: Database;
  readonly tracer: Tracer;
  /** Questions and answers are in the traces. */
  readonly withContents: boolean;
  readonly onFault: (error: unknown) => void;
}

export class RunTraces {
  readonly #deps: RunTracesDeps;
  /** What was read about claimed tasks whose run has not started. */
  readonly #claims = new WeakMap<Claimed, { readonly parent: string | null; readonly wait: Wait | null }>();

  constructor(deps: RunTracesDeps) {
    this.#deps = deps;
  }

  /** Reads to which traces claimed tasks belong. A trace is never a reason for a task to fail. */
  async read(claimed: readonly Claimed[]): Promise<void> {
    const taskIds = claimed.map(({ taskId }) => taskId);
    try {
      const [parents, waits] = await Promise.all([
        readTraceParents(this.#deps.database, taskIds),
        readWaits(this.#deps.database, taskIds),
      ]);
      for (const claim of claimed)
        this.#claims.set(claim, { parent: parents.get(claim.taskId) ?? null, wait: waits.get(claim.taskId) ?? null });
    } catch (error) {
      this.#deps.onFault(error);
    }
  }

  /** Runs an attempt in its span, after one for the time that the task waited. */
  async run(
    claimed: Claimed,
    run: (onModelCall: ModelCalls) => Promise<WorkEnd<RunResult>>,
  ): Promise<WorkEnd<RunResult>> {
    const { parent = null, wait = null } = this.#claims.get(claimed) ?? {};
    const attributes = {
      "querent.task.id": claimed.taskId,
      "querent.account.id": claimed.accountId,
      "querent.platform": claimed.platform,
      "querent.attempt": claimed.attempt,
    };
    // Without a traced submission, a run starts a trace of its own.
    if (wait !== null && parent !== null)
      this.#deps.tracer
        .start("wait", { kind: "internal", parent, attributes, startedAt: wait.from })
        .end({ at: wait.to });
    const span = this.#deps.tracer.start(`run ${claimed.platform}`, { kind: "consumer", parent, attributes });
    const end = await this.#deps.tracer.within(span, () => run((call) => this.#modelCall(span, call)));
    span.set({ "querent.outcome": end.kind });
    span.end({ error: end.kind === "failed" ? end.fault.code : null });
    return end;
  }

  #modelCall(above: Span, { vendor, model, url, text }: Parameters<ModelCalls>[0]): ReturnType<ModelCalls> {
    const { hostname, port } = new URL(url);
    const span = this.#deps.tracer.start(`chat ${model}`, {
      kind: "client",
      parent: above.traceParent,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": providers[vendor] ?? vendor,
        "gen_ai.request.model": model,
        "server.address": hostname,
        "server.port": port === "" ? null : Number(port),
        "gen_ai.input.messages": this.#contents("user", text),
      },
    });
    return (outcome) => {
      span.set({
        ...answerAttributes(outcome),
        "gen_ai.output.messages": this.#contents("assistant", textOf(outcome)),
      });
      span.end({ error: errorOf(outcome) });
    };
  }

  /** A message in the form of the conventions; null unless the operator wants contents in traces. */
  #contents(role: string, text: string | null): string | null {
    if (!this.#deps.withContents || text === null) return null;
    return JSON.stringify([{ role, parts: [{ type: "text", content: text.slice(0, contentLengthMax) }] }]);
  }
}

function answerAttributes(outcome: Outcome) {
  if (outcome.kind !== "answered") return {};
  const { answer, consumption } = outcome;
  return {
    "gen_ai.response.model": answer.modelVersion,
    "gen_ai.usage.input_tokens": consumption?.inputTokens ?? null,
    "gen_ai.usage.output_tokens": consumption?.outputTokens ?? null,
  };
}

function textOf(outcome: Outcome): string | null {
  if (outcome.kind !== "answered") return null;
  return outcome.answer.parts.flatMap((part) => (part.type === "markdown" ? [part.markdown] : [])).join("\n\n");
}

function errorOf(outcome: Outcome): string | null {
  if (outcome.kind === "answered") return null;
  return "code" in outcome ? outcome.code : outcome.kind;
}

/** The `traceparent` of the submissions of these tasks, by task, if they were traced. */
export async function readTraceParents(
  db: Queryable,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Indexes: the primary keys.
  const { rows } = await db.query<{ id: string; traceparent: string }>({
    name: "trace parents",
    text: `select t.id, b.traceparent from tasks t join batches b on b.id = t.batch_id
           where t.id = any($1::uuid[]) and b.traceparent is not null`,
    values: [taskIds],
  });
  return new Map(rows.map((row) => [row.id, row.traceparent]));
}
