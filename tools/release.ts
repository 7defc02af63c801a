/**
 * npm run release [-- FOLDER]
 *
 * Makes the files of a release in FOLDER (`dist/release`): the packages, the Helm chart, a bill of materials of what the image contains
 * (CycloneDX), and their SHA-256. The image is built from `npm run image-context`. `.github/workflows/release.yml` publishes them.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findHelm } from "../deploy/test/helm.ts";
import { packAll } from "./packages.ts";

const root = join(import.meta.dirname, "..");

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(root, "dist/release"));
  rmSync(folder, { recursive: true, force: true });
  await makeRelease(folder);
  for (const name of readdirSync(folder).toSorted()) console.log(join(folder, name));
}

/** Makes the files of a release in an empty folder. */
async function makeRelease(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await packAll(folder);
  packChart(folder);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  writeFileSync(join(folder, `querent-service-${version}.cdx.json`), billOfMaterials());
  const sums = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
}

function packChart(folder: string): void {
  const helm = findHelm();
  if ("why" in helm) throw new Error(`The chart can't be packed: ${helm.why}.`);
  run(helm.path, ["package", join(root, "deploy/helm/querent"), "--destination", folder]);
}

/** What the image contains beside Debian's packages: the service and its dependencies, as they are installed. */
function billOfMaterials(): string {
  const context = mkdtempSync(join(tmpdir(), "querent-release-"));
  try {
    run(process.execPath, [join(root, "deploy/image/prepare-context.ts"), context]);
    return run("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"], join(context, "app"));
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

function run(file: string, words: readonly string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(file, words, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${file} ${words.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}
