import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { missingPackages, neededPackages } from "../../src/app/optional-packages.ts";
import { checkout } from "./harness.ts";

const systems = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

test("every optional dependency of the service is looked for on some system", () => {
  const manifest = JSON.parse(readFileSync(join(checkout, "service/package.json"), "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  const looked = new Set(systems.flatMap((system) => neededPackages(system, false)).map(({ name }) => name));
  assert.deepEqual([...looked].sort(), Object.keys(manifest.optionalDependencies).sort());
});

test("every package that is looked for is in package-lock.json", () => {
  const { packages } = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  const names = systems.flatMap((system) => neededPackages(system, true)).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => packages[`node_modules/${name}`] === undefined),
    [],
  );
});

test("on this system, none is missing", () => {
  assert.deepEqual(missingPackages(), []);
});
