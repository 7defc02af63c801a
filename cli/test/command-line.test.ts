import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import type { Command } from "commander";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { commandLine } from "../src/command-line.ts";
import { runCli } from "./run-cli.ts";

const { signal } = new AbortController();
const namesOf = (program: Command) => program.commands.map((command) => command.name());
const whole = await commandLine(signal);
const names = namesOf(whole).filter((name) => !name.startsWith("__"));

suite("the commands that are loaded", () => {
  test("are all that there are, without a word that names one", async () => {
    assert.ok(names.length >= 19, names.join(" "));
    for (const words of [[], ["help", "ask"], ["--help"], ["--version"], ["sumbit"], ["__complete", "--", "ask"]])
      assert.deepEqual(namesOf(await commandLine(signal, words)), namesOf(whole), words.join(" "));
  });

  test("are the one that is named, with the same help", async () => {
    for (const name of names) {
      const program = await commandLine(signal, [name, "--unknown", "ask"]);
      const command = program.commands.find((one) => one.name() === name);
      const complete = whole.commands.find((one) => one.name() === name);
      assert.ok(program.commands.length <= 2 && command !== undefined, `${name}: ${namesOf(program).join(" ")}`);
      assert.equal(command.helpInformation(), complete?.helpInformation());
    }
  });

  test("may follow options and their values", async () => {
    for (const words of [
      ["--json", "--url", "submit", "tasks", "list"],
      ["--token=ask", "--text", "tasks", "submit"],
    ])
      assert.deepEqual(namesOf(await commandLine(signal, words)), ["tasks"], words.join(" "));
  });

  test("an option without its value is a mistake that is told once, before and after the command", async () => {
    using folder = temporaryFolder();
    for (const words of [["--url"], ["tasks", "list", "--token"]]) {
      const { code, stderr } = await runCli(words, { home: folder.path });
      assert.equal(code, 2);
      assert.match(stderr, /^error: option '--\w+ <\w+>' argument missing\nFor help, use `--help`\.\n$/);
    }
  });
});

test("an `https` address of a service that has no HTTPS is told as that, with the address that would do", async () => {
  using folder = temporaryFolder();
  await using server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await runCli(["tasks", "list", "--url", `https://127.0.0.1:${port}`, "--token", "qt_x"], {
    home: folder.path,
  });
  assert.equal(code, 7);
  assert.match(stderr, /^querent: The service at https:\S+ does not use HTTPS\. Nothing was sent\.\n/);
  assert.match(stderr, new RegExp(`Write the URL as http://127\\.0\\.0\\.1:${port} in --url or QUERENT_URL`));
});
