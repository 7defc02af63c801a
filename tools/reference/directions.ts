/** Which room of the service may import which. The linter's rules are generated from this table. */
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The rooms from the bottom up. A room imports `@querent/contract` and the listed rooms, and no others. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  runtime: ["kernel"],
  api: ["kernel"],
  db: ["kernel", "runtime"],
  vault: ["kernel", "db"],
  egress: ["kernel", "api"],
  mail: ["kernel"],
  browser: ["kernel", "runtime", "egress"],
  sessions: ["kernel", "runtime", "api", "db", "vault"],
  setups: ["kernel", "runtime", "api", "db", "vault"],
  projects: ["kernel", "runtime", "api", "db"],
  accounts: ["kernel", "runtime", "api", "db", "projects"],
  audit: ["kernel", "runtime", "api", "db"],
  people: ["kernel", "runtime", "api", "db", "vault", "egress", "mail", "projects"],
  points: ["kernel", "runtime", "api", "db", "projects"],
  dispatch: ["kernel", "runtime", "db"],
  platforms: ["kernel", "browser"],
  answers: ["kernel", "platforms"],
  artifacts: ["kernel", "runtime", "api", "db", "browser", "answers"],
  webhooks: ["kernel", "runtime", "api", "db", "vault", "egress", "mail"],
  tasks: [
    "kernel",
    "runtime",
    "api",
    "db",
    "accounts",
    "points",
    "dispatch",
    "platforms",
    "answers",
    "artifacts",
    "webhooks",
  ],
  statistics: ["kernel", "runtime", "api", "db", "points", "dispatch", "platforms", "webhooks", "tasks"],
  computing: ["kernel", "runtime", "api", "db"],
  observations: [
    "kernel",
    "runtime",
    "api",
    "db",
    "projects",
    "accounts",
    "artifacts",
    "webhooks",
    "tasks",
    "computing",
  ],
  panels: [
    "kernel",
    "runtime",
    "api",
    "db",
    "projects",
    "accounts",
    "points",
    "answers",
    "webhooks",
    "tasks",
    "observations",
  ],
  proposals: ["kernel", "runtime", "api", "db", "egress", "projects", "computing", "observations", "panels"],
  reports: [
    "kernel",
    "runtime",
    "api",
    "db",
    "projects",
    "mail",
    "accounts",
    "artifacts",
    "webhooks",
    "tasks",
    "computing",
    "observations",
    "panels",
  ],
  demo: [
    "kernel",
    "runtime",
    "api",
    "db",
    "accounts",
    "people",
    "answers",
    "tasks",
    "computing",
    "observations",
    "panels",
    "reports",
  ],
  evidence: ["kernel", "api", "db", "vault", "artifacts", "answers", "tasks"],
  signin: ["kernel", "runtime", "api", "db", "vault", "browser", "sessions", "platforms"],
  operator: ["kernel", "runtime", "api", "db", "accounts", "points", "dispatch", "webhooks"],
  http: ["kernel", "runtime", "api", "db", "projects", "accounts"],
  telemetry: ["kernel", "db", "browser", "sessions", "dispatch", "webhooks", "http"],
};

/** Rooms without an `index.ts`, whose files are imported by name. */
const open = new Set(["kernel", "runtime", "api", "computing"]);
/**
 * Entry points other than `index.ts`. Only `app` and `telemetry` import the embedded PostgreSQL. The process that renders pages
 * loads nothing else of `answers`. What is computed over many answers is loaded by a process for each computation, so these rooms import
 * one another's files by name.
 */
const entries: Readonly<Record<string, readonly string[]>> = {
  "answers/platforms": ["platform.ts"],
  "artifacts/answers": ["page/render-page.ts"],
  "app/db": ["index.ts", "embedded/index.ts"],
  "telemetry/db": ["index.ts", "embedded/index.ts"],
  "panels/observations": ["**"],
  "proposals/observations": ["**"],
  "proposals/panels": ["**"],
  "reports/observations": ["**"],
  "reports/panels": ["**"],
  "demo/observations": ["**"],
  "demo/panels": ["**"],
  "demo/reports": ["**"],
};
interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

/** The linter's overrides for the rooms: one for each depth of folders, because relative paths depend on it. */
export function directionOverrides(): Override[] {
  const all = [...Object.keys(rooms), "app", "main.ts"];
  const named = Object.entries(rooms).flatMap(([room, allowed]) => {
    const refused = all.filter((other) => other !== room && !allowed.includes(other));
    const list = ["@querent/contract", ...(room === "evidence" ? ["@querent/evidence"] : []), ...allowed];
    return depths(`service/src/${room}`).map(({ files, up, depth }) => ({
      files: [files],
      rules: restricted([
        {
          regex: `^(\\.\\./){${depth}}(${refused.join("|").replaceAll(".", "\\.")})(/|$)`,
          message: `${room} imports ${list.join(", ")} and nothing else of ours.`,
        },
        ...entered(room, allowed, up),
      ]),
    }));
  });
  const app = depths("service/src/app").map(({ files, up }) => ({
    files: [files],
    rules: { "no-console": "off", ...restricted(entered("app", Object.keys(rooms), up)) },
  }));
  const main = {
    files: ["service/src/main.ts"],
    rules: { "no-console": "off", ...restricted(entered("main.ts", Object.keys(rooms), "./")) },
  };
  return [...named, ...app, main];
}

function depths(folder: string) {
  const folders = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const depthMax = Math.max(
    0,
    ...folders.map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)).split(sep).length),
  );
  return Array.from({ length: depthMax + 1 }, (_, index) => ({
    files: `${folder}/${"*/".repeat(index)}*.{ts,mjs}`,
    up: "../".repeat(index + 1),
    depth: index + 1,
  }));
}

function entered(room: string, allowed: readonly string[], up: string) {
  const closed = allowed.filter((other) => !open.has(other));
  if (closed.length === 0) return [];
  return [
    {
      group: closed.flatMap((other) => [
        `${up}${other}/**`,
        ...(entries[`${room}/${other}`] ?? ["index.ts"]).map((entry) => `!${up}${other}/${entry}`),
      ]),
      message: "Import a room through its index.ts.",
    },
  ];
}

function restricted(patterns: object[]): Record<string, unknown> {
  return { "no-restricted-imports": ["error", { patterns }] };
}
