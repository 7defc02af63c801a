/** The browser that looks at the console: whatever the service itself would use on this machine. */
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { unpack } from "../../../service/src/browser/bundled-chromium.ts";
import { findBrowsers } from "../../../service/src/browser/index.ts";
import { browserSettings } from "../../../service/test/harness/browser.ts";

const {
  programs: [program],
  passedOver,
} = await findBrowsers(browserSettings);

/** Why there is none; false when there is one. */
export const noBrowser =
  program === undefined ? passedOver.map(({ what, why }) => `${what}: ${why}`).join("; ") : false;

export async function launchChromium(): Promise<Browser> {
  if (program === undefined) throw new Error(String(noBrowser));
  const { path, folder } =
    "packed" in program
      ? await unpack(program, browserSettings.cacheDir, () => undefined)
      : { path: program.path, folder: null };
  return chromium.launch({
    executablePath: path,
    args: [
      // No request leaves this machine.
      "--host-resolver-rules=MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      // As root, Chromium's sandbox needs what Playwright does not arrange. The browser sees our own pages alone.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    env: {
      ...process.env,
      ...(folder === null
        ? {}
        : {
            LD_LIBRARY_PATH: join(folder, "lib"),
            FONTCONFIG_FILE: join(folder, "fonts.conf"),
            FONTCONFIG_PATH: folder,
          }),
    },
  });
}
