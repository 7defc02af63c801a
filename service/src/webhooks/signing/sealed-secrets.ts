import { headOf, type SealedTable, type SealedValue } from "../../vault/index.ts";
import { rowsAs } from "../../db/index.ts";

const idOf = "account_id::text || '/' || version";

/** The signing secrets, for a change of the master key. */
const replacedRows = rowsAs<SealedValue & { readonly former: Buffer }>("k", {
  id: ["text", (value) => value.id],
  former: ["bytea", (value) => value.former],
  sealed: ["bytea", (value) => value.sealed],
});

export const sealedSecrets: SealedTable = {
  what: "signing secrets",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("ciphertext")} as head, count(*)::int as values from signing_secrets group by 1`,
      )
    ).rows,
  async readOthers(db, head, after, limit) {
    const [accountId, version] = after?.split("/") ?? ["00000000-0000-0000-0000-000000000000", "0"];
    // Index: the primary key, in its order.
    const { rows } = await db.query<{ id: string; sealed: Buffer }>(
      `select ${idOf} as id, ciphertext as sealed from signing_secrets
        where ${headOf("ciphertext")} <> $1 and (account_id, version) > ($2::uuid, $3::integer)
        order by account_id, version limit $4`,
      [head, accountId, version, limit],
    );
    return rows;
  },
  encryptAgain(masterKey, { id, sealed }) {
    const [accountId = "", version] = id.split("/");
    return masterKey.encrypt(masterKey.decrypt(sealed, accountId, Number(version)), accountId, Number(version));
  },
  async replace(db, values) {
    // Locks: the rows, for this statement, in the order of their ids.
    await db.query(
      `update signing_secrets s set ciphertext = k.sealed
         from ${replacedRows.after(0)}
        where s.account_id = split_part(k.id, '/', 1)::uuid and s.version = split_part(k.id, '/', 2)::integer
          and s.ciphertext = k.former`,
      replacedRows.values(values),
    );
  },
};
