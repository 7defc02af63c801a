/** A page that nobody has set up, for which the service's example page answers: nobody takes it for the platform. */
import { suite, test } from "node:test";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const languages = [
  {
    language: "en",
    platform: "An example page of this service answers in place of this platform",
    setUp: "The operator sets it up with",
    task: "An example page of this service answered in place of the platform",
  },
  {
    language: "zh-CN",
    platform: "由本服务的示例页面代为回答",
    setUp: "运维人员运行以下命令进行设置",
    task: "本服务的示例页面代替该平台作答",
  },
] as const;

suite("a stand-in", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole({ environment: { QUERENT_STAND_INS: "on" } });
  const account = await service.account();
  const { taskId } = await account.answerTo("Which grinder?", { platformCode: "gemini-web", options: {} });

  for (const { language, platform, setUp, task } of languages)
    test(`is marked on its platform's card, with the command that replaces it, and at its answer: ${language}`, async () => {
      const { page, expectAccessible, picture, close } = await visit("/platforms", { token: account.token, language });
      const card = page.getByRole("listitem").filter({ hasText: "Gemini (web): stand-in" }).first();
      await card.getByText(platform).waitFor();
      await card.getByText(setUp).waitFor();
      await card.getByText("querentd session sign-in gemini-web").waitFor();
      await expectAccessible();
      await picture(`platforms-stand-in-${language}`);
      await page.goto(page.url().replace(/\/platforms.*/, `/tasks/${taskId}`));
      await page.getByText(task).waitFor();
      await page.getByText("gemini-web was not asked").first().waitFor();
      await expectAccessible();
      await picture(`task-stand-in-${language}`);
      await close();
    });
});
