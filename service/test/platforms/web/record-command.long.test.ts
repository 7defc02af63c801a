/**
 * `querentd recipe record` from its start to the recipe that it writes, on a machine without a display: a driver sees the picture of
 * the recording browser, as a person at the other end of a tunnel does, and clicks and types in it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { browserProcesses, browserSettings, testPool } from "../../harness/browser.ts";
import { cleanEnvironment, runCommand, temporaryFolder } from "../../harness/process.ts";
import { until } from "../../harness/wait.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { servePage } from "./fixture.ts";

const { pool } = testPool({ after });
const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const environment = {
  QUERENT_DATA_DIR: browserSettings.cacheDir,
  QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8",
  ...(browserSettings.path === null ? {} : { QUERENT_BROWSER_PATH: browserSettings.path }),
  DISPLAY: "",
  WAYLAND_DISPLAY: "",
};

interface Imitation {
  /** Answers that it gives before it limits requests. */
  readonly answersMax?: number;
  /** Asks for a password before it shows its question field. */
  readonly signIn?: boolean;
}

/** Where something is in the page, which a person sees. */
type Places = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

/** An assistant's page with an answer of several blocks, an advertisement and a copy button, streamed as events. */
async function imitation({ answersMax = 99, signIn = false }: Imitation = {}) {
  let places: Places = {};
  const questions: string[] = [];
  const port = await servePage((request, response) => {
    void (async () => {
      let body = "";
      for await (const part of request) body += String(part);
      if (request.url === "/places") {
        places = JSON.parse(body) as Places;
        return response.end();
      }
      if (request.url === "/login") {
        assert.equal(body, "mill-42");
        return response.setHeader("set-cookie", "login=1; Path=/; Max-Age=86400").end();
      }
      if (request.url === "/api/answer") {
        if (questions.length >= answersMax) return response.writeHead(429).end();
        questions.push(body);
        return response
          .setHeader("content-type", "text/event-stream")
          .end(`data: ${JSON.stringify({ done: true })}\n\n`);
      }
      if (request.url === "/app.js") return response.setHeader("content-type", "text/javascript").end(assistantScript);
      const isSignedOut = signIn && !(request.headers.cookie ?? "").includes("login=1");
      return response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(isSignedOut ? `${loginForm}${placing}` : `${assistant.replace("PORT", String(port))}${placing}`);
    })();
  });
  return { url: `http://127.0.0.1:${port}/`, questions, places: () => places };
}

const placing = `<script>
  let told = "";
  setInterval(() => {
    const all = { field: "textarea", send: "form button", text: "[data-content] li", source: "a.cite", password: "input" };
    const places = {};
    for (const [name, selector] of Object.entries(all)) {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      if (box !== undefined) places[name] = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    const text = JSON.stringify(places);
    if (text !== told) fetch("/places", { method: "POST", body: (told = text) });
  }, 100);
</script>`;
const loginForm = `<!doctype html><h1>Welcome back</h1><form><input type="password" autofocus></form><script>
  document.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    await fetch("/login", { method: "POST", body: document.querySelector("input").value });
    location.reload();
  };
</script>`;
const assistant = `<!doctype html><main></main>
<form data-testid="ask"><textarea aria-label="Ask anything" rows="2"></textarea><button aria-label="Send">↑</button></form>
<script src="http://localhost:PORT/app.js"></script>`;
/** It comes from another host, as those of assistants do. */
const assistantScript = `
  const main = document.querySelector("main");
  const add = (html) => main.insertAdjacentHTML("beforeend", html);
  document.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const field = document.querySelector("textarea");
    const question = field.value;
    field.value = "";
    add('<div data-turn="user">' + question + "</div>");
    const answer = await fetch("/api/answer", { method: "POST", body: question });
    await answer.text();
    if (!answer.ok) return add('<div role="alert">Too many requests</div>');
    add('<div data-turn="assistant"><div data-content="answer"><h2>About ' + question + '</h2><ol><li>Grind <b>finer</b>.</li><li>As <a class="cite" href="https://one.example/">One</a> says.</li></ol></div><section data-promo><small>Sponsored</small><a href="https://brew.example/pro?gclid=1">Brew Pro</a></section><button aria-label="Copy answer">⧉</button></div>');
  };
`;
const wholeAnswer = "## About Which mill?\n\n1. Grind **finer**.\n2. As [One](https://one.example/) says.";

interface Recording {
  /** What the driver does at each question of the command, by words of it. `say` presses the button. */
  readonly steps: (driver: Driver) => Promise<void>;
  readonly words?: readonly string[];
}

interface Driver {
  readonly child: ReturnType<typeof spawn>;
  /** Waits until the page of the command asks this. */
  asked(words: RegExp): Promise<void>;
  say(): Promise<void>;
  /** Presses Enter in the terminal. */
  enter(): void;
  /** Waits until something is in the picture. */
  shown(place: string): Promise<{ x: number; y: number }>;
  /** Clicks where something is in the picture. */
  click(place: string): Promise<void>;
  type(text: string): Promise<void>;
}

/** Starts the command, and a person's browser at the address that it prints. Returns what it did. */
async function record(
  page: Awaited<ReturnType<typeof imitation>>,
  out: string,
  { steps, words = [] }: Recording,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const child = spawn(
    process.execPath,
    [main, "recipe", "record", page.url, "--out", out, "--question", "Which mill?", "--remote", "0", ...words],
    { env: cleanEnvironment(environment), stdio: ["pipe", "pipe", "pipe"] },
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, "close");
  try {
    await pool.withContext(
      new AbortController().signal,
      { reach: { hosts: ["127.0.0.1"] }, context: { viewport: { width: 1400, height: 1100 } } },
      async ({ context }) => {
        const address = await until("the address", () => /(http:\/\/127\.0\.0\.1:\d+\/#\S+)/.exec(stderr)?.[1] ?? null);
        const window = await context.newPage();
        await window.goto(address);
        await steps(driverOf(child, window, page));
        await closed;
      },
    );
  } catch (error) {
    throw new Error(`${String(error)}\n${stdout}\n${stderr}`, { cause: error });
  } finally {
    child.kill("SIGKILL");
  }
  await until("the end of its browser", () => browserProcesses(child.pid).length === 0);
  return { code: child.exitCode, stdout, stderr };
}

function driverOf(child: Driver["child"], window: Page, page: Awaited<ReturnType<typeof imitation>>): Driver {
  const shown = (place: string) => until(`the place of ${place}`, () => page.places()[place] ?? null);
  return {
    child,
    shown,
    enter: () => void child.stdin?.write("\n"),
    asked: async (words) => {
      await window.getByRole("status").filter({ hasText: words }).waitFor();
    },
    say: () => window.locator("#answer").click(),
    click: async (place) => {
      const { x, y } = await shown(place);
      await window.locator("#picture").click({ position: { x, y } });
    },
    type: async (text) => window.keyboard.type(text),
  };
}

/** What a person does who records a recipe of the imitated page, partly in the terminal. */
async function recordAll(driver: Driver): Promise<void> {
  await driver.asked(/^Sign in to the page and close its notices/);
  driver.enter();
  await pointAtAll(driver);
}

async function pointAtAll({ asked, say, click, type, shown }: Driver): Promise<void> {
  await asked(/^In the page, click on the question field/);
  await click("field");
  await asked(/^In the page, click on the button/);
  await click("send");
  await asked(/^Ask a question/);
  await click("field");
  await type("Why first?");
  await click("send");
  await shown("text");
  await say();
  await asked(/^In the page, click on the text of the answer/);
  await click("text");
  await asked(/^In the page, click on one source/);
  await click("source");
}

const run = (file: string, ...words: string[]) =>
  runCommand(environment, ["recipe", "run", file, "Which mill?", "--json", "--out", folder.path, ...words]);

test("a recipe is recorded without a display, and reads the next answer to the letter", async () => {
  const page = await imitation();
  const out = join(folder.path, "mill.yaml");
  const { code, stdout, stderr } = await record(page, out, { steps: recordAll });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /Written: .*mill\.yaml\. Try it with "recipe run /);
  assert.match(stderr, /ssh -N -L \d+:127\.0\.0\.1:\d+/);
  assert.deepEqual(page.questions, ["Why first?", "Which mill?"]);
  const recipe = parseRecipe(readFileSync(out, "utf8"));
  assert.deepEqual(recipe.turn.each, ['div[data-turn="assistant"]']);
  assert.equal(recipe.blockers, undefined);
  assert.deepEqual(recipe.reach, ["localhost"]);
  const ran = await run(out);
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  const { result } = JSON.parse(ran.stdout) as {
    result: { content: string; sources: { url: string }[]; ads: { url: string }[] };
  };
  assert.equal(result.content, wholeAnswer);
  assert.deepEqual(
    [result.sources.map(({ url }) => url), result.ads.map(({ url }) => url)],
    [["https://one.example/"], ["https://brew.example/pro"]],
  );
});

test("nothing is written if the page does not answer the second question", async () => {
  const page = await imitation({ answersMax: 1 });
  const out = join(folder.path, "limited.yaml");
  const { code, stdout, stderr } = await record(page, out, { steps: recordAll });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /querentd: The recipe above was not written to .*, because its check failed\. It did not get an answer: /,
  );
  assert.match(stdout, /^# Recorded by pointing/m);
  assert.doesNotMatch(stderr, /\n +at /);
  assert.equal(existsSync(out), false);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  test(`${signal} in the middle writes nothing, and leaves no process`, async () => {
    const page = await imitation();
    const out = join(folder.path, "stopped.yaml");
    const { code, stderr } = await record(page, out, {
      steps: async ({ child, asked, say, click }) => {
        await asked(/^Sign in to the page/);
        await say();
        await asked(/^In the page, click on the question field/);
        await click("field");
        await asked(/^In the page, click on the button/);
        assert.ok(browserProcesses(child.pid).length > 0);
        child.kill(signal);
      },
    });
    assert.equal(code, 1);
    assert.match(stderr, /querentd: Stopped\.\n$/);
    assert.doesNotMatch(stderr, /\n +at /);
    assert.equal(existsSync(out), false);
  });

test("a page that asks to sign in is signed in to in the picture, and its recipe says so without the session", async () => {
  const page = await imitation({ signIn: true });
  const [out, session] = [join(folder.path, "signed-in.yaml"), join(folder.path, "session.json")];
  const { code, stdout, stderr } = await record(page, out, {
    words: ["--save-session", session],
    steps: async (driver) => {
      await driver.asked(/^The page asks to sign in/);
      // Too early: it is asked again.
      await driver.say();
      await driver.asked(/^The page asks to sign in/);
      await driver.click("password");
      await driver.type("mill-42\n");
      await driver.shown("field");
      await driver.say();
      await pointAtAll(driver);
    },
  });
  assert.equal(code, 0, stdout + stderr);
  assert.equal(statSync(session).mode & 0o777, 0o600);
  assert.match(stdout, /--session .*session\.json/);
  const signedIn = await run(out, "--session", session);
  assert.equal((JSON.parse(signedIn.stdout) as { result: { content: string } }).result.content, wholeAnswer);
  const signedOut = await run(out);
  assert.equal(signedOut.code, 1);
  const { failure } = JSON.parse(signedOut.stdout) as { failure: { code: string; message: string } };
  assert.deepEqual([failure.code, failure.message.slice(0, 24)], ["platform_auth", "The page asks to sign in"]);
});

const refusals: Readonly<
  Record<string, { url?: string; environment?: Record<string, string>; out?: string; says: RegExp }>
> = {
  "a page that cannot be reached": {
    url: "http://127.0.0.1:1/",
    says: /^querentd: http:\/\/127\.0\.0\.1:1\/ could not be opened \(\w+\)\. Check the address, .* Nothing was written\.$/m,
  },
  "a page on an address that is not allowed": {
    environment: { QUERENT_BROWSER_EGRESS_ALLOW: "" },
    says: /^querentd: http:\/\/127\.0\.0\.1:\d+\/ may not be reached \(.*\)\. .*QUERENT_BROWSER_EGRESS_ALLOW\. Nothing was written\.$/m,
  },
  "a folder that does not exist": {
    out: join(folder.path, "nowhere", "new.yaml"),
    says: /^querentd: \S+new\.yaml can't be written: its folder does not exist or is not yours to write \(ENOENT\)\.$/m,
  },
  "a file that exists": {
    out: import.meta.filename,
    says: /^querentd: \S+ exists\. Name another file: nothing is overwritten\.$/m,
  },
};
for (const [name, { url, environment: change = {}, out = join(folder.path, "refused.yaml"), says }] of Object.entries(
  refusals,
))
  test(`${name} is told in a sentence, and nothing is written`, async () => {
    const page = await imitation();
    const { code, stderr } = await runCommand({ ...environment, ...change }, [
      ...["recipe", "record", url ?? page.url, "--out", out, "--remote", "0"],
    ]);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\n +at /);
    assert.equal(code, 1);
    assert.equal(existsSync(join(folder.path, "refused.yaml")), false);
  });
