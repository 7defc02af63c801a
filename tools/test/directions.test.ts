import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";

const root = join(import.meta.dirname, "../..");

type Case = readonly [file: string, line: string];

/** Which of the cases the linter refuses for their direction: `line`, where it stands in `file`. All are linted at once. */
function refusedOf(cases: readonly Case[]): ReadonlySet<Case> {
  const folder = mkdtempSync(join(tmpdir(), "querent-lint-"));
  try {
    const { options: _, ...config } = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as Record<
      string,
      unknown
    >;
    writeFileSync(join(folder, ".oxlintrc.json"), JSON.stringify(config));
    mkdirSync(join(folder, "tools"));
    cpSync(join(root, "tools/direction.oxlintrc.json"), join(folder, "tools/direction.oxlintrc.json"));
    const placed = cases.map((one, index) => ({ one, path: one[0].replace("zz.", `zz${index}.`) }));
    for (const { one, path } of placed) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${one[1]}\nexport const used = x;\n`);
    }
    const program = realpathSync(join(root, "node_modules/.bin/oxlint"));
    const { stdout, error } = spawnSync(process.execPath, [program, "-f", "unix", "."], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.ifError(error);
    const found = stdout.split("\n").filter((line) => line.includes("no-restricted-imports"));
    return new Set(placed.filter(({ path }) => found.some((line) => line.includes(path))).map(({ one }) => one));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

suite("the direction between the rooms", () => {
  const refused: readonly Case[] = [
    ["contract/src/zz.ts", `import { x } from "../../service/src/kernel/ids.ts";`],
    ["service/src/kernel/zz.ts", `import { x } from "../db/index.ts";`],
    ["service/src/db/zz.ts", `import { x } from "../tasks/index.ts";`],
    ["service/src/points/zz.ts", `import { x } from "../tasks/index.ts";`],
    ["service/src/dispatch/zz.ts", `import { x } from "../points/index.ts";`],
    ["service/src/dispatch/zz.ts", `import { x } from "../db/pool.ts";`],
    ["service/src/dispatch/zz.ts", `import { x } from "../db/embedded/index.ts";`],
    ["service/src/runtime/zz.ts", `import { x } from "../db/index.ts";`],
    ["service/src/vault/zz.ts", `import { x } from "../webhooks/index.ts";`],
    ["service/src/tasks/read/zz.ts", `import { x } from "../../statistics/index.ts";`],
    ["service/src/tasks/read/zz.ts", `import { x } from "../../points/settle.ts";`],
    ["service/src/app/cli/zz.ts", `import { x } from "../../points/settle.ts";`],
    ["service/src/platforms/web/zz.ts", `import { x } from "../../api/route.ts";`],
    ["service/src/webhooks/zz.ts", `import { x } from "../tasks/index.ts";`],
    ["service/src/platforms/sample/zz.ts", `import { x } from "../../db/index.ts";`],
    ["service/src/egress/zz.ts", `import { x } from "../browser/index.ts";`],
    ["service/src/browser/zz.ts", `import { x } from "../db/index.ts";`],
    ["service/src/browser/zz.ts", `import { x } from "../egress/addresses.ts";`],
    ["service/src/platforms/web/zz.ts", `import { x } from "../../egress/index.ts";`],
    ["service/src/answers/zz.ts", `import { x } from "../platforms/index.ts";`],
    ["service/src/tasks/zz.ts", `import { x } from "../dispatch/claim.ts";`],
    ["service/src/tasks/zz.ts", `import { x } from "../http/index.ts";`],
    ["service/src/tasks/zz.ts", `import { x } from "../evidence/index.ts";`],
    ["service/src/tasks/zz.ts", `import { x } from "../operator/index.ts";`],
    ["service/src/operator/zz.ts", `import { x } from "../tasks/index.ts";`],
    ["service/src/operator/zz.ts", `import { x } from "../dispatch/queues.ts";`],
    ["service/src/app/zz.ts", `import { x } from "../operator/routes.ts";`],
    ["console/src/zz.ts", `import { x } from "@querent/contract";`],
    ["service/src/artifacts/zz.ts", `import { x } from "../answers/index.ts";`],
    ["service/src/evidence/zz.ts", `import { x } from "../webhooks/index.ts";`],
    ["service/src/evidence/zz.ts", `import { x } from "../tasks/get-task.ts";`],
    ["service/src/app/zz.ts", `import { x } from "../evidence/routes.ts";`],
    ["evidence/src/zz.ts", `import { x } from "@querent/contract";`],
    ["figures/src/zz.ts", `import { x } from "node:crypto";`],
    ["figures/src/zz.ts", `import { x } from "@querent/contract";`],
    ["service/src/http/zz.ts", `import { x } from "../app/config.ts";`],
    ["service/src/app/zz.ts", `import { x } from "../dispatch/claim.ts";`],
    ["client/src/zz.ts", `import { x } from "@querent/contract";`],
    ["client/src/zz.ts", `import { x } from "node:fs";`],
    ["cli/src/zz.ts", `import { x } from "@querent/contract";`],
    ["cli/src/zz.ts", `import { x } from "../../client/src/transport.ts";`],
  ];

  const allowed: readonly Case[] = [
    ["service/src/tasks/zz.ts", `import { x } from "../dispatch/index.ts";`],
    ["service/src/tasks/zz.ts", `import { x } from "../api/route.ts";`],
    ["service/src/tasks/read/zz.ts", `import { x } from "../../points/index.ts";`],
    ["service/src/platforms/web/zz.ts", `import { x } from "../api/index.ts";`],
    ["service/src/platforms/sample/zz.ts", `import { x } from "../../kernel/clock.ts";`],
    ["service/src/platforms/web/zz.ts", `import { x } from "../../browser/index.ts";`],
    ["service/src/answers/zz.ts", `import type { x } from "../platforms/platform.ts";`],
    ["service/src/app/zz.ts", `import { x } from "../tasks/index.ts";`],
    ["cli/src/zz.ts", `import { x } from "@querent/client";`],
    ["service/src/app/zz.ts", `import { x } from "../evidence/index.ts";`],
    ["service/src/app/zz.ts", `import { x } from "../operator/index.ts";`],
    ["service/src/operator/zz.ts", `import { x } from "../accounts/index.ts";`],
    ["console/src/zz.ts", `import { x } from "@querent/client";`],
    ["service/src/evidence/zz.ts", `import { x } from "@querent/evidence";`],
    ["figures/src/zz.ts", `import type { x } from "@querent/contract";`],
  ];
  const found = refusedOf([...refused, ...allowed]);
  for (const one of refused) test(`${dirname(one[0])} is refused: ${one[1]}`, () => assert.ok(found.has(one)));
  for (const one of allowed) test(`${dirname(one[0])} may: ${one[1]}`, () => assert.ok(!found.has(one)));
});
