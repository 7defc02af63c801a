import assert from "node:assert/strict";
import { test } from "node:test";
import { testDatabase } from "../harness/database.ts";

test("of statements that go out together the first failure is the one that is told, however deep it was asked", async () => {
  const { database } = await testDatabase();
  // Each level adds turns of the event loop before the failure is heard of.
  const deep = async (work: () => Promise<unknown>, levels = 3): Promise<void> => {
    if (levels === 0) await work();
    else await deep(work, levels - 1);
  };
  await assert.rejects(
    database.transaction(async (tx) => {
      await Promise.all([deep(() => tx.query("select 1 / 0")), tx.query("select 2"), deep(() => tx.query("select 3"))]);
    }),
    { code: "22012" },
  );
});
