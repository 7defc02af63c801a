/**
 * Asks several platforms the same questions every day, counts which brands are named and which sites are cited, and appends
 * a line for each answer to a file. For cron, once a day:
 *
 *   15 6 * * *  cd /srv/watch && QUERENT_TOKEN=qrt_... node brand-watch.ts watch.json >> watch.log
 *
 * watch.json: {"names": ["Kobo", "Kindle"], "platforms": ["sample"], "questions": ["Which e-reader should I buy?"], "history": "watch.jsonl"}
 *
 * The run key is the day. A second run on the same day, after a crash or by mistake, reads the same answers and costs nothing.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { Querent, type TaskRecord } from "@querent/client";

interface Watch {
  names: string[];
  platforms: string[];
  questions: string[];
  history: string;
}

const watch = JSON.parse(readFileSync(process.argv[2] ?? "watch.json", "utf8")) as Watch;
const day = process.env["WATCH_DAY"] ?? new Date().toISOString().slice(0, 10);
const querent = new Querent({
  url: process.env["QUERENT_URL"] ?? "http://127.0.0.1:8080",
  token: process.env["QUERENT_TOKEN"] ?? "",
});

const items = watch.questions.flatMap((question) =>
  watch.platforms.map((platformCode) => ({ question, platformCode, tags: ["brand-watch", day] })),
);
const tasks: TaskRecord[] = [];
for await (const { accepted } of querent.tasks.submitAll(items, { runKey: `brand-watch-${day}` })) {
  await querent.batches.wait(accepted.batchId, { timeoutMs: 60 * 60_000 });
  tasks.push(...(await Array.fromAsync(querent.batches.results(accepted.batchId))));
}

const known = existsSync(watch.history) ? readFileSync(watch.history, "utf8") : "";
for (const task of tasks) {
  // Each task is added once, even if this is run again.
  if (!known.includes(task.taskId)) appendFileSync(watch.history, `${JSON.stringify(lineOf(task))}\n`);
}
const answered = tasks.filter(({ state }) => state === "completed");
for (const name of watch.names) {
  const count = answered.filter((task) => mentions(task, name) > 0).length;
  console.log(`${day} ${name}: named in ${count} of ${answered.length} answers`);
}
if (answered.length < tasks.length) {
  console.log(`${day} ${tasks.length - answered.length} questions were not answered`);
  process.exitCode = 1;
}

function lineOf(task: TaskRecord) {
  return {
    day,
    taskId: task.taskId,
    platform: task.platformCode,
    question: task.question,
    state: task.state,
    mentions: Object.fromEntries(watch.names.map((name) => [name, mentions(task, name)])),
    sites: [...new Set(task.sources.map(({ site }) => site))],
  };
}

/** How often a name occurs in an answer as a separate word, in any script. */
function mentions({ content }: TaskRecord, name: string): number {
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, "giu");
  return content?.match(word)?.length ?? 0;
}
