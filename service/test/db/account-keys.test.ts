/** The keys of tables with account data, as the catalog of a migrated database has them. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testDatabase } from "../harness/database.ts";

/** Tables that belong to no single account, and why. */
const sharedTables: Readonly<Record<string, string>> = {
  accounts: "the accounts themselves",
  artifact_contents: "the same bytes are stored once for all accounts",
  assistant_clients: "a client is connected to several accounts",
  authorization_records: "nobody has decided yet, or it belongs to a connection, which has the account",
  evidence_keys: "the keys of the installation",
  migration_progress: "the schema",
  migrations: "the schema",
  node_browsers: "the processes of the installation",
  node_platforms: "the processes of the installation",
  nodes: "the processes of the installation",
  observation_exports: "the export of all accounts to the bucket",
  passkey_attempts: "nobody is signed in yet",
  passkeys: "a person is a member of several accounts",
  person_factors: "a person is a member of several accounts",
  person_links: "a link to set a password is a person's",
  persons: "a person may be a member of several accounts",
  person_identities: "a person is a member of several accounts",
  platform_drift: "what platforms answered to all accounts",
  platform_keys: "the operator's keys, with which the questions of all accounts are asked",
  platform_limits: "the limits of a platform, which all accounts share",
  platform_minutes: "what platforms answered to all accounts",
  platform_session_holds: "the operator's sign-ins, with which the questions of all accounts are asked",
  platform_sessions: "the operator's sign-ins, with which the questions of all accounts are asked",
  platform_settings: "the models and prices of platforms, which all accounts share",
  platforms: "the limits of a platform, which all accounts share",
  provider_attempts: "nobody is signed in yet",
  recovery_codes: "a person is a member of several accounts",
  stored_keys: "the keys of the installation",
};

/** Keys of account tables without the account, and why. */
const exceptions: Readonly<Record<string, string>> = {
  access_tokens_sha256_key: "a token is looked up before its account is known",
  connections_pkey: "a token's connection is looked up before its account is known",
  logins_pkey: "a login goes from one account of its person to another",
  logins_sha256_key: "a login is looked up before its account is known",
  members_pkey: "a member is told to clients by its id alone",
};

suite("the keys of tables with account data", async () => {
  const { database } = await testDatabase();
  const { rows: tables } = await database.query<{ name: string; has_account: boolean; keys: string[] }>(
    `select c.relname as name,
            exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull) as has_account,
            array(select i.indexrelid::regclass::text from pg_index i
                   where i.indrelid = c.oid and i.indisunique and not exists (
                     select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and a.attnum = any(i.indkey))
                   order by 1) as keys
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') order by 1`,
  );
  const shared = (name: string) => name in sharedTables;

  test("every table has an account in each row, unless it is listed as shared by all accounts", () => {
    const names = tables.filter(({ has_account: has }) => !has).map(({ name }) => name);
    assert.deepEqual(names, Object.keys(sharedTables).toSorted());
  });

  test("each primary key and unique index of such a table contains the account, partitions included", () => {
    const without = tables.filter(({ name }) => !shared(name)).flatMap(({ keys }) => keys);
    assert.deepEqual(without, Object.keys(exceptions).toSorted());
  });
});
