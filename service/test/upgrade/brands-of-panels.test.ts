/** Panels of a version that had no brands of their own, after the migration that gives them those of their account. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Database, migrate } from "../../src/db/index.ts";
import { fixBrands } from "../../src/panels/definitions/panel-brands.ts";
import { getPanel } from "../../src/panels/definitions/panels.ts";
import { newId } from "../../src/kernel/ids.ts";
import { emptyDatabase } from "../harness/database.ts";

const migrations = join(import.meta.dirname, "../../src/db/migrations");

test("a panel gets the brands that its account has then; without any, at the first run at which it has some", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations))
    if (name < "0052" && name.endsWith(".sql")) copyFileSync(join(migrations, name), join(folder, name));
  try {
    await migrate(database, { folder });
    const [agency, newcomer] = [newId(), newId()];
    // As that version writes them; old code may go on doing so after the migration.
    const panelOf = async (accountId: string) => {
      const id = newId();
      const content = { prompts: [], platforms: [], locales: [], personas: [], repeats: 1, tags: [], options: {} };
      await database.query(
        "insert into panels (account_id, id, revision, name, created_at, updated_at) values ($1, $2, 1, 'p', now(), now())",
        [accountId, id],
      );
      await database.query(
        "insert into panel_revisions (account_id, panel_id, revision, digest, content, created_at) values ($1, $2, 1, sha256(''), $3, now())",
        [accountId, id, JSON.stringify(content)],
      );
      return id;
    };
    const entity = async (accountId: string, relation: string) => {
      const id = newId();
      await database.query(
        "insert into entities (account_id, id, revision, name, relation, content, created_at, updated_at) values ($1, $2, 1, $4, $3, '{}', now(), now())",
        [accountId, id, relation, id],
      );
      return id;
    };
    const brandsOf = async (accountId: string, panelId: string) =>
      (await getPanel(database, accountId, panelId))?.brands ?? null;
    const own = await entity(agency, "own");
    const competitors = [await entity(agency, "competitor"), await entity(agency, "competitor")];
    await entity(agency, "other");
    const panels = [await panelOf(agency), await panelOf(agency)];
    const open = await panelOf(newcomer);
    await migrate(database);
    for (const panelId of panels) assert.deepEqual(await brandsOf(agency, panelId), { own: [own], competitors });
    assert.equal(await brandsOf(newcomer, open), null);
    await entity(agency, "competitor");
    await database.transaction((tx) => fixBrands(tx, { accountId: agency, panelId: panels[0] ?? "" }));
    assert.deepEqual(await brandsOf(agency, panels[0] ?? ""), { own: [own], competitors });
    const fixOpen = () => database.transaction((tx) => fixBrands(tx, { accountId: newcomer, panelId: open }));
    await fixOpen();
    assert.equal(await brandsOf(newcomer, open), null);
    const first = await entity(newcomer, "own");
    await fixOpen();
    await entity(newcomer, "own");
    await fixOpen();
    assert.deepEqual(await brandsOf(newcomer, open), { own: [first], competitors: [] });
  } finally {
    await database.close();
  }
});
