/** `--against REV`: this version of the service and an earlier one, in turn in one run, so that both have the same machine at the same time. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import type { Bench } from "./bench.ts";
import { startQuerent } from "./contenders/querent.ts";
import { endToEnd, type EndToEnd } from "./probes/end-to-end.ts";

const root = join(import.meta.dirname, "../..");
/** A version that is slower than this share of the other one has lost something. */
export const leastRatio = 0.95;

export interface Comparison {
  readonly other: EndToEnd;
  readonly here: EndToEnd;
  /** Of each repetition, this version's processor time for a task as a share of the other's: it says more than the pace on a busy machine. */
  readonly cpuRatio: number;
}

/** The commit of a revision, or of the newest tag if it is `newest-tag`; null if this clone does not have it. */
export function commitOf(revision: string): string | null {
  const named = revision === "newest-tag" ? git("describe", "--tags", "--abbrev=0") : revision;
  return named === null ? null : git("rev-parse", "--verify", "--quiet", `${named}^{commit}`);
}

/** The commit of this checkout, marked if it has changes. */
export function thisCommit(): string {
  return git("describe", "--always", "--dirty", "--exclude", "*") ?? "unknown";
}

export async function against(bench: Bench, commit: string): Promise<Comparison> {
  const { connections, accounts } = bench.scale;
  await using version = await checkOut(commit);
  const { startQuerent: startOther } = (await import(join(version.folder, "bench/src/contenders/querent.ts"))) as {
    startQuerent: typeof startQuerent;
  };
  const options = async (name: string) => ({ ...(await bench.input(name)), accounts });
  const [other, here] = await endToEnd(bench, [
    { name: commit.slice(0, 8), start: async () => startOther(await options("other"), connections) },
    { name: "this version", start: async () => startQuerent(await options("here"), connections) },
  ]);
  if (other === undefined || here === undefined) throw new Error("A version was not measured.");
  return { other, here, cpuRatio: here.cpuUs.median / other.cpuUs.median };
}

/** Checks a commit out beside this one, with its dependencies. */
async function checkOut(commit: string): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = join(mkdtempSync(join(tmpdir(), "querent-against-")), "checkout");
  execFileSync("git", ["-C", root, "worktree", "add", "--quiet", "--detach", folder, commit]);
  const remove = () => {
    process.removeListener("exit", remove);
    git("worktree", "remove", "--force", folder);
    rmSync(dirname(folder), { recursive: true, force: true });
  };
  // Also when the run is interrupted.
  process.once("exit", remove);
  try {
    // The same dependencies are copied, and npm installs others when the version starts. Their links to packages of the repository are relative.
    if (git("diff", "--quiet", commit, "--", "package-lock.json") !== null) {
      for (const part of ["", "service", "cli"]) {
        const installed = join(root, part, "node_modules");
        if (existsSync(installed)) execFileSync("cp", ["-a", installed, join(folder, part)]);
      }
    }
    const main = join(folder, "service/src/main.ts");
    execFileSync(process.execPath, [join(folder, "tools/run.mjs"), "--dev", "--quiet", main, "--version"]);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, [Symbol.asyncDispose]: async () => remove() };
}

/** What git prints; null if it fails. */
function git(...words: readonly string[]): string | null {
  try {
    return execFileSync("git", ["-C", root, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
