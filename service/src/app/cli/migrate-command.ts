import { migrate } from "../../db/index.ts";
import { readConfig } from "../config.ts";
import { openDatabase } from "../open-database.ts";

/** `querentd migrate` */
export async function migrateCommand(): Promise<void> {
  await using opened = await openDatabase(readConfig(process.env), { lock: null, log: null });
  const { applied } = await migrate(opened.database);
  console.log(applied.length === 0 ? "The schema is up to date." : `Applied: ${applied.join(", ")}`);
}
