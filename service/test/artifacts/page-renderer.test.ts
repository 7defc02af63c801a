import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { after, describe, test } from "node:test";
import { PageRenderer } from "../../src/artifacts/index.ts";
import type { PlainPage } from "../../src/artifacts/page-renderer.ts";
import { renderPage } from "../../src/answers/page/render-page.ts";
import { startChild } from "../../src/runtime/child-process.ts";
import { startedChildren } from "../harness/started-children.ts";
import { markdown, pageInput, product } from "../answers/answers.ts";

describe("rendering in a process", () => {
  const renderer = new PageRenderer();
  after(() => renderer.stop());

  test("gives the same bytes for the same answer, every time", async () => {
    const given = pageInput([markdown("Fine. 好"), product()]);
    const [first, second] = await Promise.all([renderer.render(given), renderer.render(given)]);
    assert.equal(first, second);
    assert.equal(first, renderPage(given, { plain: false }));
  });

  test("a page that is wanted while the renderer is stopped is rendered all the same", async () => {
    const plain: PlainPage[] = [];
    const stopping = new PageRenderer((page) => plain.push(page));
    const pages = [1, 2, 3].map((n) => stopping.render(pageInput([markdown(`Page ${n}`)])));
    await stopping.stop();
    assert.deepEqual(new Set(plain.map(({ why }) => why)), new Set(["The service stopped."]));
    for (const [index, html] of (await Promise.all(pages)).entries()) assert.ok(html.includes(`Page ${index + 1}`));
  });

  test("a page whose process is aborted shows the text as it is, and the next one has a new process", async () => {
    const started = startedChildren();
    const plain: PlainPage[] = [];
    const interrupted = new PageRenderer((page) => plain.push(page));
    try {
      const pages = [1, 2].map((n) => interrupted.render(pageInput([markdown(`Page **${n}**`)])));
      started.children[0]?.kill("SIGABRT");
      const [first, second] = await Promise.all(pages);
      assert.match(first ?? "", /could not be rendered, and is shown as it is.*<pre [^>]*>Page \*\*1\*\*<\/pre>/s);
      assert.match(second ?? "", /Page <strong>2<\/strong>/);
    } finally {
      started.stop();
      await interrupted.stop();
    }
    assert.deepEqual(
      started.children.map(({ signalCode }) => signalCode),
      ["SIGABRT", "SIGKILL"],
    );
    const { taskId } = pageInput([]);
    assert.deepEqual(plain, [{ taskId, why: "The process that renders pages was ended by SIGABRT." }]);
  });

  test("the process ends when the service does, even while it renders, and not by a signal for all processes", async () => {
    const module = new URL("../../src/artifacts/page-process", import.meta.url);
    const child = startChild({ module, errors: "ignore" });
    child.send(pageInput([markdown("Fine.")]));
    await once(child, "message");
    child.kill("SIGTERM");
    child.send(pageInput([markdown("Still **fine**.")]));
    assert.match(String((await once(child, "message"))[0]), /Still <strong>fine/);
    child.send(pageInput([markdown(">".repeat(250_000))]));
    child.disconnect();
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  test("pages show the text as it is while no process can be started, for want of open files", () => {
    const script = `
      import { closeSync, openSync } from "node:fs";
      import { PageRenderer } from ${JSON.stringify(import.meta.resolve("../../src/artifacts/page-renderer.ts"))};
      import { renderPage } from ${JSON.stringify(import.meta.resolve("../../src/answers/page/render-page.ts"))};
      const given = Array(2).fill(${JSON.stringify(pageInput([markdown("**word**")]))});
      renderPage(given[0], { plain: true });
      const whys = [];
      const renderer = new PageRenderer(({ why }) => whys.push(why));
      const files = [];
      try {
        for (;;) files.push(openSync("/dev/null", "r"));
      } catch (error) {
        console.log(error.code);
      }
      const plain = await Promise.all(given.map((input) => renderer.render(input)));
      console.log(plain.map((html) => html.includes(">**word**</pre>")).join());
      for (const file of files) closeSync(file);
      console.log((await renderer.render(given[0])).includes("<strong>word</strong>"));
      console.log(whys.map((why) => /could not be started: .*EMFILE/.test(why)).join());
      await renderer.stop();`;
    const words = ["-c", 'ulimit -n 100; exec "$0" "$@"', process.execPath, "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync("sh", words, { encoding: "utf8", timeout: 600_000 });
    assert.equal(stdout, "EMFILE\ntrue,true\ntrue\ntrue,true\n", stderr);
  });
});
