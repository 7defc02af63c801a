/**
 * Exports observations to a folder, to be killed by a test: `node exporting-process.ts URL FOLDER STEP`. Prints each access to the
 * store, and hangs before the one with the number STEP, or after it if STEP is negative.
 */
import { FileStore, type ContentStore } from "../../src/artifacts/index.ts";
import { Database } from "../../src/db/index.ts";
import { exportObservations } from "../../src/observations/index.ts";

const [url = "", folder = "", stepText = "0"] = process.argv.slice(2);
const step = Number(stepText);
const files = new FileStore(folder);
let accesses = 0;

async function halting<Result>(what: string, access: () => Promise<Result>): Promise<Result> {
  accesses++;
  const hang = async (at: number) => {
    if (at !== step) return;
    console.log(`hangs at ${what}`);
    await new Promise(() => setInterval(() => undefined, 1000));
  };
  await hang(accesses);
  const result = await access();
  await hang(-accesses);
  return result;
}

const store: ContentStore = {
  place: folder,
  write: (key, bytes, signal) => halting("write", () => files.write(key, bytes, signal)),
  read: (key, bytes, signal) => files.read(key, bytes, signal),
  remove: (key) => halting("remove", () => files.remove(key)),
  close: () => files.close(),
};
const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
const report = await exportObservations(database, store, new AbortController().signal, {
  rowsMax: 40,
  settleSeconds: 0,
});
console.log(`exported ${JSON.stringify(report)}`);
await database.close();
