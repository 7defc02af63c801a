/** The embedded server's log files: the newest few are kept, and the end of the newest is quoted if a start fails. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const filesMax = 6;

/** Deletes the oldest logs. Files have 10 MB, so the folder stays below about 60 MB. */
export function pruneLogs(logFolder: string): void {
  for (const file of logFiles(logFolder).slice(0, -filesMax)) rmSync(file, { force: true });
}

/** The last lines of the server's output: in its log collector's file, or in the start-up log before that. */
export function lastWords(logFolder: string, startupLog: string, linesMax = 8): string {
  const text = [...logFiles(logFolder).slice(-1), startupLog].map(read).join("");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("HINT:  Future log output will appear"))
    .slice(-linesMax)
    .join("\n");
}

function logFiles(logFolder: string): string[] {
  try {
    return readdirSync(logFolder)
      .filter((name) => name.startsWith("postgresql-"))
      .toSorted()
      .map((name) => join(logFolder, name));
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
