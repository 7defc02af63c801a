/** Child processes of the benchmark: started with an input, called by name, and ended when disposed of. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface BenchChild<Ready> extends AsyncDisposable {
  readonly ready: Ready;
  readonly pid: number;
  /** One call at a time for each name. */
  ask<Reply>(name: string, input?: unknown): Promise<Reply>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

interface Message {
  readonly name: string;
  readonly value: unknown;
  readonly error?: string;
}

const running = new Set<ChildProcess>();

/** Registers a process, so that an interrupted run leaves none behind. */
export function remember(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

export function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts `file` with an input. Resolves when it is ready, and fails with its output if it ends before. */
export async function startChild<Ready>(
  file: string,
  input: unknown,
  execArgv: readonly string[] = [],
): Promise<BenchChild<Ready>> {
  const child = fork(file, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning", ...execArgv],
    serialization: "advanced",
  });
  remember(child);
  let output = "";
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000));
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const replies = new Map<string, (message: Message) => void>();
  child.on("message", (message: Message) => replies.get(message.name)?.(message));
  child.once("exit", (code, signal) => {
    for (const [name, reply] of replies)
      reply({ name, value: null, error: `${file} ended (${code ?? signal}):\n${output}` });
  });
  const ask = async <Reply>(name: string, value?: unknown): Promise<Reply> => {
    const { promise, resolve } = Promise.withResolvers<Message>();
    replies.set(name, resolve);
    child.send({ name, value });
    const message = await promise;
    replies.delete(name);
    if (message.error !== undefined) throw new Error(message.error);
    return message.value as Reply;
  };
  const end = (signal: NodeJS.Signals = "SIGKILL") => endProcess(child, signal);
  const ready = await ask<Ready>("start", input);
  return { ready, pid: child.pid ?? 0, ask, end, [Symbol.asyncDispose]: () => end() };
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** The child's side: handles the parent's calls by name, `start` first. */
export function answerParent(answers: Readonly<Record<string, (value: never) => unknown>>): void {
  const answer = async ({ name, value }: Message) => {
    try {
      process.send?.({ name, value: await answers[name]?.(value as never) });
    } catch (error) {
      process.send?.({ name, value: null, error: (error as Error).stack });
    }
  };
  process.on("message", (message: Message) => void answer(message));
  process.once("disconnect", () => process.exit());
}

/** Milliseconds of the machine's clock, which all processes share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;
