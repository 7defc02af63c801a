/** Runs npm, and explains its failures. */
import { spawn } from "node:child_process";
import { basename, delimiter, dirname } from "node:path";

/**
 * Runs the npm that started this process, or the one on the PATH, and waits for it. With `node`, npm runs with that Node, because npm
 * silently omits optional packages that need a newer Node than its own. Nothing is written to stdout, which belongs to the script that
 * is about to run.
 * @param {{ cwd: string, args: readonly string[], node?: string }} options
 * @returns {Promise<{ code: number | null, stderr: string }>}
 */
export function npm({ cwd, args, node = process.execPath }) {
  const path = process.env["npm_execpath"];
  const [file, words] = path !== undefined && basename(path) === "npm-cli.js" ? [node, [path, ...args]] : ["npm", args];
  // The npm on the PATH is a script that uses the first Node on the PATH.
  const PATH = `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(file, words, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, PATH } });
  let stderr = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  return new Promise((done) => {
    child.once("error", (error) => done({ code: 1, stderr: error.code === "ENOENT" ? "no npm" : error.message }));
    child.once("close", (code) => done({ code, stderr }));
  });
}

const advices = [
  [/^no npm$/, "npm was not found. Install Node with npm, and try again."],
  [/ENOSPC/, "The disk is full. Free about 1 GB, and try again."],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/,
    "npm's registry can't be reached. Check the connection and npm's proxy setting, and start again. Once installed, Querent starts without it.",
  ],
  [
    /EBADPLATFORM/,
    "A package does not support this system. Querent runs on Linux with glibc and on macOS, on x64 and arm64.",
  ],
  [
    /EACCES|EPERM|EROFS/,
    "You do not have write access to node_modules. Run `npm start` once as the owner of the folder, and try again.",
  ],
  [
    /EINTEGRITY/,
    "The checksum of a package does not match package-lock.json. Run `npm cache clean --force`, and try again. If the error persists, a proxy may be modifying downloads.",
  ],
  [/in sync/, "package.json and package-lock.json disagree. Take both from the same commit."],
];

/**
 * @param {string} stderr the output of npm
 * @param {readonly string[]} args the arguments of npm
 */
export function explain(stderr, args) {
  const [, advice] = advices.find(([pattern]) => pattern.test(stderr)) ?? [
    "",
    "npm's own message is above. Fix what it names, and start again.",
  ];
  return `${stderr.trim()}\n\nThe dependencies could not be installed (npm ${args.join(" ")}).\n${advice}`;
}
