/** Asks one platform many questions concurrently, and reports the peak memory. Arguments: URL, number of questions. */
import { apiPlatform, completeUpstream } from "../../src/platforms/index.ts";

const [url = "", count = "1"] = process.argv.slice(2);
const platform = apiPlatform({
  code: "openai",
  name: "OpenAI",
  upstreams: [completeUpstream("openai", { url, keyVariable: null })],
  returns: null,
  environment: {},
  clock: { now: () => new Date() },
});
const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;
const { signal } = new AbortController();

let rssMax = 0;
const watch = setInterval(() => (rssMax = Math.max(rssMax, process.memoryUsage.rss())), 20);
// All code is loaded before anything is measured.
await platform.ask({ taskId: "0", text: "?", options, attempt: 1 }, { signal });
const rssBefore = process.memoryUsage.rss();
const started = performance.now();
let answered = 0;
await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    const outcome = await platform.ask(
      { taskId: String(index), text: `Question ${index}?`, options, attempt: 1 },
      { signal },
    );
    // As in the service, nothing is kept: the result goes to the database.
    if (outcome.kind === "answered") answered += 1;
  }),
);
clearInterval(watch);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ answered, rssBefore, rssMax, seconds })}\n`);
