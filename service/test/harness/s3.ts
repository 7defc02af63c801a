/** A real third-party S3 server that checks signatures. It listens on this machine and stores its objects in a folder. */
import { rmSync, mkdtempSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixedKeys, type S3Settings } from "../../src/artifacts/index.ts";

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  readonly httpServer: Server;
}

/** The package is CommonJS without types. It accepts only this key pair. */
const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as new (options: object) => S3rver;
export const s3Keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

export async function startS3(bucket: string): Promise<{ settings: S3Settings; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "querent-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  let stopped: Promise<void> | undefined;
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: "eu-central-1",
      prefix: "querent/",
      credentials: fixedKeys(s3Keys),
    },
    stop: () =>
      (stopped ??= (async () => {
        server.httpServer.closeAllConnections();
        await server.close();
        rmSync(directory, { recursive: true, force: true });
      })()),
  };
}
