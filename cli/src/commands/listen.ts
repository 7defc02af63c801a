import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes, ForbiddenError, GoneError, type EventType, type FeedEntry } from "@querent/client";
import { Option, type Command } from "commander";
import { eventTypesIn } from "../arguments.ts";
import { tokenOf, type Context, type Open } from "../context.ts";
import { CliError, UsageError } from "../exit-codes.ts";
import { plural, stateText } from "../output/answer.ts";
import { cut } from "../output/columns.ts";
import type { CommandOutput } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import { querentd } from "../program-names.ts";
import { Forwarder, type Forwarded } from "./forwarder.ts";
import { readKeys } from "./read-keys.ts";

interface ListenFlags {
  readonly forward?: string;
  readonly after?: string;
  readonly types?: readonly EventType[];
  readonly fromStart?: boolean;
}

export function addListen(program: Command, open: Open): void {
  program
    .command("listen")
    .description(
      "show the ends of tasks, and other events, live, and forward them as signed webhooks to a program on this machine",
    )
    .option("-f, --forward <url>", "URL to which each notification is posted, such as http://localhost:3000/hook")
    .addOption(
      new Option("--types <types>", `types of events, separated by commas: ${eventTypes.join(", ")}`).argParser(
        eventTypesIn,
      ),
    )
    .option("--from-start", "start at the oldest stored event")
    .option("--after <cursor>", "start after this event")
    .action(async (flags: ListenFlags, command: Command) => listen(open(command), flags));
}

async function listen(context: Context, flags: ListenFlags): Promise<void> {
  const { output, querent, signal } = context;
  const forwarder = flags.forward === undefined ? null : await startForwarder(context, flags.forward);
  const place = new Place(context, flags.forward ?? "");
  const after = flags.after ?? (flags.fromStart === true ? undefined : (place.read() ?? (await latest(context))));
  if (after !== undefined) place.write(after);
  const keys = readKeys({ signal, onKey: (key) => (key === "r" ? void resend(context, forwarder) : undefined) });
  output.note(
    `${flags.forward === undefined ? "Listening" : `Forwarding to ${flags.forward}`}. Press Ctrl-C to stop${keys.isActive && forwarder !== null ? ", r to send the last one again" : ""}.`,
  );
  try {
    const stream = querent.events.stream<EventType>({
      after,
      types: flags.types,
      signal,
      onBreak: (error, waitMs) =>
        output.note(
          output.noteColor.yellow(`${printableLine(error.message)} Retrying in ${(waitMs / 1000).toFixed(1)} s.`),
        ),
      onReplaced: (resumeAfter) => {
        place.write(resumeAfter);
        output.note(
          output.noteColor.yellow(
            "The last event no longer exists: the service's database was restored, or failed over without its latest changes. Going back to an earlier event, so that none is missed. Events that you have seen can be repeated, with the same delivery id.",
          ),
        );
      },
    });
    for await (const entry of stream) {
      const forwarded = forwarder === null ? null : await forwarder.forward(entry);
      // Saved after forwarding, so that an interrupted event is forwarded again.
      place.write(entry.cursor);
      await show(context, entry, forwarded);
    }
  } catch (error) {
    if (error instanceof GoneError)
      throw new CliError(
        "refused",
        "Events after the saved position have been deleted. Use --from-start to start at the oldest stored event.",
      );
    throw error;
  } finally {
    keys.stop();
  }
  signal.throwIfAborted();
}

async function latest({ querent, signal }: Context): Promise<string> {
  return (await querent.events.page({ after: "latest", limit: 1, signal })).nextCursor;
}

async function startForwarder(context: Context, address: string): Promise<Forwarder> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--forward requires an http: or https: URL, not "${address}".`);
  const { output, querent, signal } = context;
  const forwarder = new Forwarder({
    url: url.href,
    readSecret: () => querent.webhook.get({ signal }),
    signal,
    onUnreached: (reason, waitMs) =>
      output.note(
        output.noteColor.yellow(
          `${url.href} cannot be reached: ${printableLine(reason)}. Retrying in ${waitMs / 1000} s.`,
        ),
      ),
  });
  try {
    await forwarder.prepare();
  } catch (error) {
    if (error instanceof ForbiddenError)
      throw new CliError(
        "unauthorized",
        `This token cannot read the signing secret, which is needed to sign. It requires the scopes tasks:read and webhook:manage: \`${querentd} token create --account NAME --scopes tasks:read,webhook:manage\`.`,
      );
    throw error;
  }
  return forwarder;
}

async function resend(context: Context, forwarder: Forwarder | null): Promise<void> {
  const last = forwarder?.last ?? null;
  if (forwarder === null || last === null) return context.output.note("Nothing has been forwarded yet.");
  try {
    await show(context, last, await forwarder.forward(last));
  } catch (error) {
    if (!context.signal.aborted)
      context.output.note(`Not sent again: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function show(
  { output }: Context,
  { notification, deliveryId, cursor }: FeedEntry<EventType>,
  forwarded: Forwarded | null,
): Promise<void> {
  const { color } = output;
  if (notification.event !== "task.finished") {
    const { event, eventId } = notification;
    const status =
      forwarded === null ? { notification } : { status: forwarded.status, durationMs: forwarded.durationMs };
    await output.show({ cursor, deliveryId, event, eventId, ...status }, () => [
      `${statusText(forwarded, color)}${event}  ${cut(printableLine(JSON.stringify(notification.data)), Math.max(20, output.width - 40))}`,
    ]);
    return;
  }
  const { task } = notification;
  const record = {
    cursor,
    deliveryId,
    taskId: task.taskId,
    state: task.state,
    ...(forwarded === null ? { notification } : { status: forwarded.status, durationMs: forwarded.durationMs }),
  };
  await output.show(record, () => {
    const question =
      "question" in task ? cut(printableLine(task.question), Math.max(20, output.width - 75)) : "(result omitted)";
    return [
      `${statusText(forwarded, color)}${stateText(task, color)} ${plural(task.chargedPoints, "point")}  ${color.dim(task.taskId)}  ${question}`,
    ];
  });
}

const statusText = (forwarded: Forwarded | null, color: CommandOutput["color"]) =>
  forwarded === null
    ? ""
    : `${(forwarded.status < 300 ? color.green : color.red)(String(forwarded.status))} ${forwarded.durationMs} ms  `;

/** The position of this listener, on disk: one for each service, token and target. */
class Place {
  readonly #path: string;

  constructor({ settings }: Context, forward: string) {
    const name = createHash("sha256")
      .update([settings.url, tokenOf(settings), forward].join("\n"))
      .digest("hex")
      .slice(0, 32);
    const folder = join(settings.stateFolder, "listen");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, name);
  }

  read(): string | undefined {
    try {
      const text = readFileSync(this.#path, "utf8").trim();
      return /^[\w-]{1,512}$/.test(text) ? text : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  write(cursor: string): void {
    writeFileSync(`${this.#path}.${process.pid}`, `${cursor}\n`, { mode: 0o600 });
    renameSync(`${this.#path}.${process.pid}`, this.#path);
  }
}
