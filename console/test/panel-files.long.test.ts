/** Panels and prompts as files: export and import in the console. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { suite, test } from "node:test";
import type { Page } from "playwright-core";
import type { PanelRecord } from "@querent/contract";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const whole = {
  name: "Grinders / Mühlen",
  prompts: [
    { text: "Which grinder, for\nespresso?", topic: "grinders", intent: "buy" },
    { text: '=1+1, or “a "quoted"; text”?' },
  ],
  platforms: ["simulator", "sample"],
  platformShare: { sample: 0.5 },
  locales: [{ country: "DE", language: "de" }],
  personas: [{ name: "Student", text: "I study." }],
  repeats: 2,
  tags: ["weekly"],
  options: { deepAnalysis: false },
  schedule: { cron: "0 6 * * MON", timeZone: "Europe/Berlin", paused: true },
};

suite("files of panels", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account({ points: 100 });
  const { body: original } = await account.call<PanelRecord>("POST", "/v1/panels", { body: whole });
  const newest = async () => {
    const { body } = await account.get<{ panels: PanelRecord[] }>("/v1/panels?limit=1");
    return (await account.get<PanelRecord>(`/v1/panels/${body.panels[0]?.panelId}`)).body;
  };

  test("a panel is exported and imported again with everything that the form does not show", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${original.panelId}?part=runs`, {
      token: account.token,
    });
    const yaml = await exported(page, "Export as YAML");
    assert.equal(yaml.name, "Grinders-Mühlen.yaml");
    await page.goto(`${service.address}/console/panels/new`);
    await choose(page, yaml.name, yaml.text);
    await page.getByText("The form shows Grinders-Mühlen.yaml.").waitFor();
    assert.equal(await page.getByRole("checkbox", { name: /^Simulator/ }).isChecked(), true);
    assert.equal(await page.getByLabel("sample: percent").inputValue(), "50");
    await page.getByText(/cells, .* tasks: .* points per run/).waitFor();
    await expectAccessible();
    await picture("panel-file");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("heading", { name: whole.name }).waitFor();
    const copy = await newest();
    assert.notEqual(copy.panelId, original.panelId);
    assert.equal(copy.digest, original.digest);
    assert.deepEqual([copy.tags, copy.schedule], [original.tags, original.schedule]);
    await close();
  });

  test("prompts are exported as CSV, and a changed file replaces the prompts and nothing else", async () => {
    const { page, close } = await visit(`/panels/${original.panelId}?part=runs`, { token: account.token });
    const csv = await exported(page, "Export prompts as CSV");
    assert.match(csv.text, /^\uFEFFtext,topic,intent,promptId\r\n/);
    assert.match(csv.text, /"'=1\+1, or/, "no formula for a spreadsheet");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Repeats per cell").fill("3");
    await choose(page, "prompts.csv", `${csv.text}"What is\r\na burr?",burrs,learn,\r\n`);
    await page.getByText("The form shows prompts.csv.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    const { body: changed } = await account.get<PanelRecord>(`/v1/panels/${original.panelId}`);
    assert.deepEqual(changed.prompts.slice(0, 2), original.prompts);
    assert.deepEqual([changed.prompts[2]?.topic, changed.prompts[2]?.intent], ["burrs", "learn"]);
    assert.deepEqual([changed.repeats, changed.tags, changed.platformShare], [3, ["weekly"], { sample: 0.5 }]);
    await close();
  });

  test("a file with mistakes changes nothing, and every mistake is shown", async () => {
    const { page, expectAccessible, close } = await visit("/panels/new", { token: account.token, refusals: true });
    await page.getByLabel("Name").fill("Mine");
    const wrong: [string, string, RegExp[]][] = [
      [
        "p.csv",
        "text;topic\nOne?;a\n;b\nTwo?;c;d\n",
        [/3: there is no text/, /4: the row has more cells than the header has columns/],
      ],
      ["p.csv", "question\nOne?\n", [/1: the column "question" is not known/, /1: no column is named "text"/]],
      ["p.csv", "text\n", [/there are no prompts/]],
      ["p.yaml", "name: [", [/line 1/]],
      ["p.yaml", "just text", [/Expected a panel/]],
      ["p.yaml", bomb, [/alias/i]],
      ["p.json", '{"name": "", "prompts": [{"text": " "}], "platforms": ["nope"]}', [/\/name/, /\/prompts\/0\/text/]],
      [
        "p.json",
        '{"name": "A", "prompts": [{"text": "b"}, {"text": "b"}], "platforms": ["nope"]}',
        [/\/prompts\/1/, /\/platforms\/0/],
      ],
      ["p.json", '{"name": "A", "prompts": "b", "platforms": {}}', [/\/prompts/, /\/platforms/]],
    ];
    for (const [name, text, expected] of wrong) {
      await choose(page, name, text);
      for (const each of expected) await page.getByRole("alert").getByText(each).first().waitFor();
      assert.equal(await page.getByLabel("Prompts, one per line").inputValue(), "");
    }
    await expectAccessible();
    assert.equal(await page.getByLabel("Name").inputValue(), "Mine");
    await close();
  });
});

/** Ten levels of ten aliases each. */
const bomb = ["a0: &a0 [x]", ...Array.from({ length: 10 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 10 }, () => `*a${n}`).join(", ")}]`)].join("\n"); // prettier-ignore

async function exported(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).press("Enter"),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

const choose = (page: Page, name: string, text: string) =>
  page
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
