/** A platform whose answers come with a picture and an archive of the page; without the archive if the question says so. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const pagePicture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/eL9GtQAAAABJRU5ErkJggg==",
  "base64",
);
export const pageArchive = Buffer.from("an archive");

export interface PicturedPlatform extends Disposable {
  /** A settings file that names it, as `pictured`. */
  readonly config: string;
}

export function picturedPlatform(): PicturedPlatform {
  const folder = mkdtempSync(join(tmpdir(), "querent-pictured-"));
  writeFileSync(
    join(folder, "pictured.mjs"),
    `const file = (name, mediaType, base64) => ({ name, mediaType, bytes: Buffer.from(base64, "base64") });
    export const createPlatform = () => ({
      ask: async ({ text }) => {
        const isArchived = !text.includes("without archive");
        return {
          kind: "answered",
          answer: { parts: [{ type: "markdown", markdown: text }], sources: [], search: null, reasoning: null, pageHtml: null,
            modelVersion: null, observedAt: new Date(), endpoint: null, region: null, unreadable: [] },
          raw: null,
          consumption: null,
          captures: [
            file("page.png", "image/png", "${pagePicture.toString("base64")}"),
            ...(isArchived ? [file("page.wacz", "application/wacz", "${pageArchive.toString("base64")}")] : []),
          ],
          evidence: [
            { kind: "picture", capture: "page.png" },
            { kind: "archive", ...(isArchived ? { capture: "page.wacz" } : { missing: "The archive could not be written." }) },
          ],
        };
      },
    });`,
  );
  const config = join(folder, "platforms.yaml");
  writeFileSync(config, "platforms: { pictured: { module: ./pictured.mjs } }");
  return { config, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
