import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** The hosts file, cached for at most a second, because connections come in bursts. */
export class HostsFile {
  readonly #file: string;
  #readAt = Number.NEGATIVE_INFINITY;
  #entries = new Map<string, string[]>();

  constructor(file: string) {
    this.#file = file;
  }

  async find(name: string): Promise<string[]> {
    if (performance.now() - this.#readAt > 1_000) {
      const text = await readFile(this.#file, "utf8").catch(() => "");
      this.#entries = new Map();
      for (const line of text.split("\n")) {
        const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
        if (isIP(address) === 0) continue;
        for (const alias of names) this.#entries.set(alias, [...(this.#entries.get(alias) ?? []), address]);
      }
      this.#readAt = performance.now();
    }
    return this.#entries.get(name) ?? [];
  }
}
