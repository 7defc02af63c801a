/** A reporter for Node's test runner that lists the slowest tests and files at the end of a run. */
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

const shown = 10;
const root = process.cwd();

interface Timed {
  readonly what: string;
  readonly ms: number;
}

// oxlint-disable-next-line import/no-default-export -- required by Node's test runner
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tests: Timed[] = [];
  const files: Timed[] = [];
  for await (const { type, data } of events) {
    if (type === "test:summary" && data.file !== undefined) {
      if (!data.file.endsWith(".group.mjs")) files.push({ what: relative(root, data.file), ms: data.duration_ms });
    } else if ((type === "test:pass" || type === "test:fail") && data.details.type !== "suite") {
      if (data.file?.endsWith("tools/run-together.ts") === true) {
        files.push({ what: data.name, ms: data.details.duration_ms });
        continue;
      }
      const file = data.file === undefined ? "" : `  (${relative(root, data.file)})`;
      tests.push({ what: `${data.name}${file}`, ms: data.details.duration_ms });
    }
  }
  yield `\nSlowest tests, in seconds\n${list(tests)}\nSlowest files, in seconds\n${list(files)}`;
}

function list(all: readonly Timed[]): string {
  return all
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, shown)
    .map(({ what, ms }) => `${(ms / 1000).toFixed(1).padStart(8)}  ${what}\n`)
    .join("");
}
