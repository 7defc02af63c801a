import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { startCuttingProxy } from "./harness/cutting-proxy.ts";
import { views } from "./harness/views.ts";

suite("the list of tasks", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const bystander = await service.account();
  await bystander.answerTo("Not yours to see");
  const { tasks } = await account.submit([
    {
      question: "How fine should I grind for espresso?",
      platformCode: "sample",
      options: { deepAnalysis: true },
      clientReference: "espresso-1",
      tags: ["coffee"],
    },
    {
      question: "Which gooseneck kettle is best for pour over, and where can I buy it?",
      platformCode: "sample",
      options: {},
      tags: ["coffee", "kettles and more"],
    },
    { question: "手冲咖啡应该用什么水温？", platformCode: "sample", options: {}, tags: ["咖啡"] },
    { question: "Compare cards=product,video,image sources=12", platformCode: "simulator", options: {} },
    { question: "Refused fail=platform_refused", platformCode: "simulator", options: {} },
    {
      question: "Takes its time delay=30m",
      platformCode: "simulator",
      options: {},
      runTimeoutSeconds: 1800,
      tags: ["slow"],
    },
  ]);
  for (const { taskId } of tasks.slice(0, 5)) await account.ended(taskId);

  const rows = (page: Page) => page.locator("[data-task]");
  const shows = (page: Page, count: number) =>
    until(`${count} tasks`, async () => (await rows(page).count()) === count);

  for (const view of views) {
    test(`it shows the account's tasks and no other's, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, foreign, close } = await visit("/tasks", {
        token: account.token,
        ...view,
      });
      await shows(page, 6);
      assert.equal(await page.getByText("Not yours to see").count(), 0);
      await expectAccessible();
      await picture(`tasks-${view.width}-${view.theme}`);
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
        true,
        "nothing is wider than the window",
      );
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("the filter stands in the address, narrows the list, and goes with a shared link", async () => {
    const { page, close } = await visit("/tasks", { token: account.token });
    await shows(page, 6);
    await page.keyboard.press("/");
    await page.keyboard.type("state:completed platform:sample kettle");
    // The list follows what is typed, so it may show one task before the filter is complete.
    const filter = () => new URL(page.url()).searchParams.get("q");
    await until("the filter in the address", () => filter() === "state:completed platform:sample kettle");
    await shows(page, 1);
    const link = page.url();
    await close();

    const other = await visit(link.slice(link.indexOf("/console") + "/console".length), { token: account.token });
    await shows(other.page, 1);
    await other.page.getByRole("link", { name: "Failed" }).click();
    await other.page.getByRole("heading", { name: "No tasks match this filter" }).waitFor();
    await other.page.getByRole("button", { name: "Clear filter" }).last().click();
    await shows(other.page, 6);
    await other.close();
  });

  test("it completes filters and their values by keyboard, and says what it does not know", async () => {
    const { page, expectAccessible, close } = await visit("/tasks", { token: account.token });
    await shows(page, 6);
    const filter = page.getByRole("combobox", { name: "Filter tasks" });
    await filter.focus();
    await page.getByRole("option").first().waitFor();
    await expectAccessible();
    const offered = (text: string) =>
      until(`${text} to be the only one offered`, async () => {
        const options = await page.getByRole("option").allTextContents();
        return options.length === 1 && options[0]?.includes(text) === true;
      });
    await page.keyboard.type("ta");
    await offered("tag");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until("the filter to be completed", async () => (await filter.inputValue()) === "tag:");
    await page.keyboard.type("ket");
    await offered("kettles and more");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await until("the value", async () => (await filter.inputValue()) === 'tag:"kettles and more" ');
    await shows(page, 1);
    await filter.fill("color:red state:done");
    await page.getByRole("alert").getByText("Unknown filter “color:”").waitFor();
    await page.getByRole("alert").getByText("“done” is not a state.").waitFor();
    assert.equal(await filter.getAttribute("aria-invalid"), "true");
    await close();
  });

  test("j and k move, Enter opens, u goes back, t and ? are there too; keys that are typed into the filter are text", async () => {
    const { page, close } = await visit("/tasks", { token: account.token });
    await shows(page, 6);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Refused fail=platform_refused");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Refused" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { level: 1, name: "Compare" }).waitFor();
    await page.keyboard.press("u");
    await shows(page, 6);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").focus();
    await page.keyboard.type("jkpt?/");
    assert.equal(await page.getByRole("combobox").inputValue(), "jkpt?/");
    await close();
  });

  test("what is asked elsewhere comes up by itself; paused for an hour, the list asks nothing of the service", async () => {
    const watched = await service.account();
    const { page, close } = await visit("/tasks", { token: watched.token, clock: true });
    await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
    await watched.answerTo("First");
    await page.getByRole("link", { name: "First" }).waitFor();
    await page.getByRole("row").filter({ hasText: "First" }).getByText("Completed").waitFor();

    await page.keyboard.press("p");
    await page.getByRole("button", { name: "Resume live updates" }).waitFor();
    const asked: string[] = [];
    let open = 0;
    page.on("request", (request) => {
      asked.push(request.url());
      open++;
    });
    for (const end of ["requestfinished", "requestfailed"] as const) page.on(end as "requestfinished", () => open--);
    await watched.answerTo("Second");
    // In steps below the client's time limit: no request is given up, however slow the machine is.
    const stepMs = 29_000;
    for (let passedMs = 0; passedMs < 3_600_000; passedMs += stepMs) {
      await page.clock.runFor(stepMs);
      await until("the replies", () => open <= 0);
    }
    assert.deepEqual(
      asked.filter((address) => address.includes("/v1/tasks")),
      [],
    );
    assert.equal(await page.getByRole("link", { name: "Second" }).count(), 0);
    await page.keyboard.press("p");
    await page.getByRole("link", { name: "Second" }).waitFor();
    await close();
  });

  test("an answer that is cut in the middle is said to be, and asked for again", async () => {
    const watched = await service.account();
    await watched.answerTo("First");
    await using proxy = await startCuttingProxy(service.address);
    const { page, close } = await visit("/tasks", { token: watched.token, through: proxy.address, refusals: true });
    await page.getByRole("link", { name: "First" }).waitFor();
    proxy.cutsAt = "/v1/tasks?";
    await until("an answer is cut", () => proxy.cuts() > 0);
    await page.getByText("Can’t reach the service").waitFor();
    const live = page.getByRole("button", { name: "Pause live updates" });
    assert.equal(await live.innerText(), "Not updating");
    await watched.answerTo("Second");
    proxy.cutsAt = null;
    await page.getByRole("link", { name: "Second" }).waitFor();
    assert.equal(await live.innerText(), "Live");
    await close();
  });

  test("older tasks are a page away, and a page stays what it is while new tasks come", async () => {
    const busy = await service.account();
    await busy.submit(
      Array.from({ length: 60 }, (_, index) => ({
        question: `Question ${index + 1}`,
        platformCode: "simulator",
        options: {},
      })),
    );
    const { page, close } = await visit("/tasks", { token: busy.token });
    await shows(page, 50);
    await page.getByRole("link", { name: "Older" }).click();
    await shows(page, 10);
    await busy.answerTo("Newer");
    await page.getByRole("link", { name: "Newest" }).click();
    await page.getByRole("link", { name: "Newer" }).waitFor();
    await close();
  });
});
