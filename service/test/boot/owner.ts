/** A process that owns an embedded PostgreSQL, to be killed: `owner.ts FOLDER [serve|lock|attach]`. It prints what happens, a JSON line each. */
import { attachEmbedded } from "../../src/db/embedded/attach-embedded.ts";
import { lockDataFolder } from "../../src/db/embedded/data-folder.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";

const [dataDir = "", mode = "serve"] = process.argv.slice(2);
const tell = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
process.on("SIGINT", () => tell({ event: "interrupted" }));

try {
  if (mode === "lock") {
    const lock = await lockDataFolder(dataDir);
    lock.describe({ address: "http://127.0.0.1:8080" });
    process.on("SIGTERM", () => {
      lock.release();
      process.exit();
    });
    tell({ event: "up" });
    setInterval(() => undefined, 1000);
  } else {
    const start = mode === "attach" ? attachEmbedded : startEmbedded;
    const embedded = await start({ dataDir, log: tell });
    process.on("SIGTERM", () => void embedded.stop().then(() => process.exit(0)));
    tell({ event: "up", connection: embedded.connection, owned: embedded.owned });
  }
} catch (error) {
  tell({ event: "error", message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
