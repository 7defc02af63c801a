/** The form of CHANGELOG.md. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const headings = [...read("CHANGELOG.md").matchAll(/^(##+) (.+)$/gm)].map(([, level = "", text = ""]) => ({
  level: level.length,
  text,
}));
const versions = headings.filter(({ level }) => level === 2).map(({ text }) => text);
const released = versions.filter((text) => text !== "[Unreleased]");

suite("the changelog", () => {
  test("names each version once with its date, the latest first, and only the first may be unreleased", () => {
    const entries = released.map((text) => /^\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(text));
    assert.ok(entries.length > 0);
    assert.deepEqual(
      released.filter((_, index) => entries[index] === null),
      [],
      "headings without a version and a date",
    );
    const order = entries.map((entry) => (entry ?? []).slice(1, 4).map((part) => part.padStart(6, "0"))).map(String);
    assert.deepEqual(order, [...new Set(order)].toSorted().toReversed());
    const dates = entries.map((entry) => entry?.[4] ?? "");
    assert.deepEqual(dates, dates.toSorted().toReversed());
    assert.deepEqual(
      dates.filter((date) => Number.isNaN(Date.parse(date)) || !new Date(date).toISOString().startsWith(date)),
      [],
    );
    assert.ok(versions.lastIndexOf("[Unreleased]") <= 0);
  });

  test("has an entry for the version of the service", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    assert.ok(released[0]?.startsWith(`[${version}] `), `${released[0]} is not ${version}`);
  });

  test("groups changes as Keep a Changelog does", () => {
    const groups = headings.filter(({ level }) => level > 2).map(({ text }) => text);
    const known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    assert.deepEqual(
      groups.filter((group) => !known.includes(group)),
      [],
    );
  });

  test("describes a version in a page", () => {
    const entries = read("CHANGELOG.md").split(/^## /m).slice(1);
    assert.deepEqual(
      entries.map((entry) => entry.split(/\s+/).length).filter((words) => words > 800),
      [],
    );
  });
});
