/**
 * After an install, on the Node that the service runs with: makes the links that the embedded PostgreSQL's package can't carry (the service
 * makes them too, but here it is the installing user who may write), and names each package that the system needs and npm left out.
 */
import { describeMissing, installCommand, missingPackages } from "../service/src/app/optional-packages.ts";
import { findPostgresBinaries } from "../service/src/db/postgres-binaries.ts";

findPostgresBinaries();

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
