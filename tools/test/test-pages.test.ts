import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { packagesWithTests, themeTests } from "../reference/test-pages.ts";

const tests = packagesWithTests.flatMap((name) => themeTests(name));

suite("where tests are found", () => {
  test("a test has the name of the source that it tests, or begins with a comment that says what it tests", () => {
    assert.ok(tests.length > 100);
    assert.deepEqual(
      tests.filter(({ theme }) => theme === null).map(({ path }) => path),
      [],
    );
  });

  test("what a test says of itself is a sentence or a place in the documentation", () => {
    const wrong = tests.filter(({ theme }) => !/^[A-Z`]\S*\s.+[.:]$|^docs\/\S+/s.test(theme ?? ""));
    assert.deepEqual(
      wrong.map(({ path, theme }) => `${path}: ${theme}`),
      [],
    );
  });

  test("the sources are those of the test's own package, without its other files", () => {
    const { sources = [] } = tests.find(({ path }) => path === "tools/test/names.test.ts") ?? {};
    assert.deepEqual(sources, []);
    const packed = tests.find(({ path }) => path === "tools/test/installed.long.test.ts");
    assert.deepEqual(packed?.sources, ["packages.ts"]);
  });
});
