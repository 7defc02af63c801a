/**
 * The folder of the embedded server's Unix socket: the only way to connect. PostgreSQL trusts anybody who can open the socket (`trust`), so
 * access is controlled by the folder's mode: 0700, owned by the user that the server runs as. `peer` would add nothing to that, and
 * fails where root runs the server in a user namespace, in which user ids differ.
 */
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { BootError, errno, fileError } from "../boot-error.ts";

export const socketPort = 5432;

/** sockaddr_un has 108 bytes on Linux and 104 elsewhere, including the terminating zero. */
const pathBytesMax = process.platform === "linux" ? 107 : 103;

/**
 * `<data folder>/postgres/run`, or, if that is too long for a socket address, a folder in /tmp named by the hash of the path.
 */
export function socketFolder(postgresFolder: string, owner: number): string {
  const inside = join(postgresFolder, "run");
  if (Buffer.byteLength(socketPath(inside)) <= pathBytesMax) return inside;
  const hash = createHash("sha256").update(postgresFolder).digest("hex").slice(0, 16);
  // os.tmpdir() would not do: TMPDIR may differ between the service and an operator's shell.
  return `/tmp/querent-${owner}-${hash}`;
}

export const socketPath = (folder: string): string => join(folder, `.s.PGSQL.${socketPort}`);

/** Creates it, and refuses one that another user has prepared. */
export function openSocketFolder(folder: string, own: (path: string) => void, owner: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    own(folder);
  } catch (error) {
    if (errno(error) !== "EEXIST") throw fileError(folder, error);
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== owner) {
    throw new BootError(
      `${folder} is not a folder of user ${owner}, so the embedded PostgreSQL can't keep its socket there. Remove it, and start again.`,
    );
  }
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
