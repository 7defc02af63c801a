/**
 * Completes an installation, with the Node that the service uses: creates the links of the embedded PostgreSQL, which its package cannot
 * contain (the service creates them too, but may not have write access), unpacks the included browser, so that the first screenshot does not
 * wait for it and a full disk is noticed now, and reports each package that the system needs and npm omitted. It never fails the installation.
 */
import { describeMissing, installCommand, missingPackages } from "../service/src/app/optional-packages.ts";
import { findPackage, unpack } from "../service/src/browser/bundled-chromium.ts";
import { findPostgresBinaries } from "../service/src/db/embedded/postgres-cluster.ts";

findPostgresBinaries();
await unpackBrowser();

const missing = missingPackages();
if (missing.length > 0) {
  const omitted = process.env["npm_config_omit"]?.includes("optional") === true;
  console.error(
    [
      "npm did not install everything:",
      ...describeMissing(missing).map((line) => `  ${line}`),
      `To install it, run${omitted ? ", without --omit=optional," : ":"} ${installCommand}`,
    ].join("\n"),
  );
}

/** Next to the packages. If that folder is not writable, the service unpacks the browser into its data folder. */
async function unpackBrowser(): Promise<void> {
  const packaged = findPackage();
  if ("why" in packaged) return;
  try {
    await unpack(packaged, null, () => undefined);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(
      `The included browser could not be unpacked: ${why}. The service tries again when it needs the browser. Screenshots and web platforms are not available without it.`,
    );
  }
}
