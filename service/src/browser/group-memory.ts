import { readdir, readFile } from "node:fs/promises";

const pageBytes = 4096;

/** The memory that the processes of a group hold for themselves; null where /proc does not tell. */
export async function groupMemory(group: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  let total = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = await readFile(`/proc/${name}/stat`, "utf8");
      // After the name in brackets, which may hold anything: state, parent, group.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[2]) !== group) continue;
      const statm = (await readFile(`/proc/${name}/statm`, "utf8")).split(" ").map(Number);
      // Resident less shared: the browser's code is mapped by each of its processes.
      total += ((statm[1] ?? 0) - (statm[2] ?? 0)) * pageBytes;
    } catch {
      // Ended meanwhile.
    }
  }
  return total;
}
