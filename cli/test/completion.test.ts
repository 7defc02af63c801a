import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { cliCommand, runCli } from "./run-cli.ts";

const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());

suite("completion", () => {
  test("commands, flags and choices are offered where they may stand", async () => {
    const offered = async (...words: string[]) =>
      (await runCli(["__complete", "--", ...words], { home: home.path })).stdout.trim().split("\n");
    assert.deepEqual(await offered("we"), ["webhook"]);
    assert.deepEqual(await offered("webhook", ""), ["get", "rotate", "set", "test"]);
    assert.deepEqual(await offered("ask", "--output", "s"), ["screenshot", "share_link"]);
    assert.deepEqual(await offered("--url", "http://x", "tasks", "list", "--st"), ["--state"]);
    assert.deepEqual(await offered("completion", ""), ["bash", "fish", "zsh"]);
  });

  test(
    "in bash it completes what is typed",
    { skip: spawnSync("bash", ["--version"]).status !== 0 && "no bash" },
    () => {
      const program = cliCommand([])
        .map((word) => `'${word}'`)
        .join(" ");
      const script = `querent() { ${program} "$@"; }
      eval "$(querent completion bash)"
      COMP_WORDS=(querent deliveries re) COMP_CWORD=2
      _querent
      printf '%s,' "\${COMPREPLY[@]}"`;
      assert.equal(execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" }), "recover,resend,");
    },
  );
});
