/**
 * How long after the end of an answer's response its task is completed: with a recipe that reads the text in the response, and with one
 * that reads it from the page alone. The page draws what it receives at once, so what is measured is how long the service waits.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Bench } from "../bench.ts";
import { withInstallation, type Line } from "./probe.ts";

const atOnce = 2;
const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
const betweenMs = 20;

export async function pageEnds(bench: Bench): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "querent-page-ends-"));
  const ends = new Map<string, number>();
  await using page = await servePage(ends);
  try {
    const recipe = (name: string, turn: object) => ({
      ...{ recipe: 1, name, version: 1, verified: true, entry: page.address },
      composer: { input: "textarea", submit: { click: "button" } },
      turn: { each: ".turn", text: ".text", ...turn },
      complete: { busy: ".busy" },
      network: { answer: { url: "/answer$", method: "POST" } },
    });
    const kinds = {
      "with-stream": recipe("With the response", { response: { text: "message > delta" } }),
      "without-stream": recipe("Without the response", {}),
    };
    for (const [code, of] of Object.entries(kinds)) writeFileSync(join(folder, `${code}.yaml`), stringify(of));
    const platforms = Object.fromEntries(
      Object.keys(kinds).map((code) => [code, { recipe: `./${code}.yaml`, runningMax: atOnce }]),
    );
    writeFileSync(join(folder, "platforms.yaml"), stringify({ platforms }));
    const path = process.env["QUERENT_BROWSER_PATH"];
    const environment = {
      QUERENT_CONFIG: join(folder, "platforms.yaml"),
      QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8",
      QUERENT_BROWSER_CONTEXTS: String(atOnce),
      TMPDIR: folder,
      ...(path === undefined ? {} : { QUERENT_BROWSER_PATH: path }),
    };
    return await withInstallation(bench, "page_ends", { environment }, async ({ database, serve, tokens }) => {
      const { address } = await serve();
      const delays = async (platformCode: string, count: number): Promise<number[]> => {
        const questions = Array.from({ length: count }, (_, index) => `${platformCode} ${ends.size} ${index}`);
        const reply = await fetch(`${address}/v1/tasks/batch`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${tokens[0] ?? ""}`,
            "content-type": "application/json",
            "idempotency-key": questions[0] ?? "",
          },
          body: JSON.stringify(questions.map((question) => ({ question, platformCode, options: {} }))),
          signal: AbortSignal.timeout(30_000),
        });
        if (reply.status !== 202) throw new Error(`the batch was not accepted: ${await reply.text()}`);
        for (;;) {
          const { rows } = await database.query<{ question: string; state: string; completed_at: Date | null }>(
            "select question, state, completed_at from tasks where question = any($1)",
            [questions],
          );
          const failed = rows.find(({ state }) => state === "failed");
          if (failed !== undefined) throw new Error(`"${failed.question}" failed`);
          const done = rows.filter(({ state }) => state === "completed");
          if (done.length === count)
            return done.map(({ question, completed_at: at }) => (at?.getTime() ?? 0) - (ends.get(question) ?? 0));
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      const lines: Line[] = [];
      for (const [code, target] of [
        ["with-stream", "p50 at most 1,500 ms"],
        ["without-stream", "p50 at most 2,000 ms"],
      ] as const) {
        // The browser starts with the first question, which is not measured.
        await delays(code, 1);
        const sorted = (await delays(code, bench.scale.pages)).toSorted((one, other) => one - other);
        const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
        lines.push({
          what: `end of the response to completed, ${code.replace("-", " ")}`,
          figure: `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms`,
          ratio: "",
          target,
        });
      }
      return lines;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A page that draws an event stream word by word. `ends`: when the response to each question ended. */
async function servePage(ends: Map<string, number>): Promise<{ readonly address: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.url !== "/answer") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
      return;
    }
    let question = "";
    request.on("data", (bytes: Buffer) => (question += bytes.toString()));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let sent = 0;
      const timer = setInterval(() => {
        if (sent < words.length) {
          response.write(`data: ${JSON.stringify({ delta: `${sent === 0 ? "" : " "}${words[sent++] ?? ""}` })}\n\n`);
          return;
        }
        clearInterval(timer);
        response.end(() => ends.set(question, Date.now()));
      }, betweenMs);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const html = `<!doctype html><title>Ends</title><main></main><textarea></textarea><button>Send</button><script>
document.querySelector("button").onclick = async () => {
  const busy = document.createElement("i"); busy.className = "busy"; busy.textContent = "Writing";
  const turn = document.createElement("div"); turn.className = "turn"; turn.innerHTML = '<div class="text"></div>';
  document.querySelector("main").append(turn, busy);
  const { body } = await fetch("/answer", { method: "POST", body: document.querySelector("textarea").value });
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\\n\\n"); rest = events.pop();
    for (const event of events) turn.firstChild.textContent += JSON.parse(event.slice(6)).delta;
  }
  busy.remove();
};</script>`;
