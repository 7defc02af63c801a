/** Runs the migrations of a folder on a database, to be killed by a test: `node migrating-process.ts URL FOLDER`. */
import { Database, migrate } from "../../src/db/index.ts";

const [url = "", folder = ""] = process.argv.slice(2);
const database = new Database({
  connection: { connectionString: url },
  connectionsMax: 1,
  applicationName: "migrating",
});
await migrate(database, { folder, onEvent: (event) => console.log(JSON.stringify(event)) });
await database.close();
