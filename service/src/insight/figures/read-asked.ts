/** What the revisions of a panel asked: its answers are of the revision that asked them, also after it was changed. */
import type { PanelContent, StoredPanel } from "@querent/contract";
import type { AskedRevision } from "@querent/figures";
import canonicalize from "canonicalize";
import { rowsAs, type Queryable } from "../../db/index.ts";
import { textDigest } from "../panels/digest.ts";

/** Answers of revisions before the newest ones are figured with the prompts that are left of theirs. */
const revisionsMax = 50;
/** As many as a panel may have now: each is searched for the names of brands. */
const formerMax = 1_000;

interface FormerText {
  readonly promptId: string;
  readonly digest: string;
  readonly text: string;
  readonly topic: string | null;
  readonly intent: string | null;
  readonly lastRevision: number;
}

type Asked = Pick<PanelContent, "options" | "personas"> & {
  readonly revision: number;
  /** The digests of the texts. */
  readonly prompts: readonly string[];
};

const currentPrompts = rowsAs<{ readonly promptId: string; readonly text: string }>("current", {
  id: ["text", ({ promptId }) => promptId],
  wording: ["text", ({ text }) => textDigest(text)],
});

export async function readAsked(
  db: Queryable,
  accountId: string,
  panel: StoredPanel,
): Promise<{ readonly asked: readonly AskedRevision[]; readonly former: readonly FormerText[] }> {
  const { revision, options, personas } = panel;
  const texts = panel.prompts.map(({ text }) => textDigest(text));
  const now = { revision, options, personas, prompts: texts };
  // Index: the primary keys. Locks nothing. PostgreSQL makes the digests, so that texts which have not changed are not sent.
  const { rows } = await db.query<Asked & Record<string, unknown>>(
    `select revision, content->'options' as options, content->'personas' as personas,
            array(select encode(sha256(convert_to(prompt->>'text', 'UTF8')), 'hex')
                    from jsonb_array_elements(content->'prompts') as prompt) as prompts
       from panel_revisions where account_id = $1 and panel_id = $2 and revision <> $3
      order by revision desc limit $4`,
    [accountId, panel.panelId, revision, revisionsMax],
  );
  if (rows.length === 0) return { asked: [askedBy(now)], former: [] };
  const all = [...rows, now].toSorted((one, other) => one.revision - other.revision);
  const { rows: former } = await db.query<{
    prompt: Omit<FormerText, "digest" | "lastRevision">;
    digest: string;
    revision: number;
  }>(
    `select * from (
       select distinct on (prompt->>'promptId', of_text.wording) prompt, of_text.wording as digest, revision
       from panel_revisions
      cross join jsonb_array_elements(content->'prompts') as prompt
      cross join lateral (select encode(sha256(convert_to(prompt->>'text', 'UTF8')), 'hex') as wording) of_text
      where account_id = $1 and panel_id = $2 and revision = any($3::int[])
        and not exists (select from ${currentPrompts.after(4)}
                         where current.id = prompt->>'promptId' and current.wording = of_text.wording)
      order by prompt->>'promptId', of_text.wording, revision desc) wordings
      order by revision desc limit $4`,
    [accountId, panel.panelId, rows.map((row) => row.revision), formerMax, ...currentPrompts.values(panel.prompts)],
  );
  return {
    asked: withoutSame(all.map(askedBy)),
    former: former
      .map(({ prompt: { promptId, text, topic, intent }, digest, revision: lastRevision }) => ({
        promptId,
        digest,
        text,
        topic,
        intent,
        lastRevision,
      }))
      .toSorted((one, other) => one.lastRevision - other.lastRevision),
  };
}

function askedBy({ revision, options, personas, prompts }: Asked): AskedRevision {
  const askedAs = [{ name: "", text: null }, ...personas];
  return {
    revision,
    prompts: digestOf(prompts.toSorted()),
    conditions: Object.fromEntries(askedAs.map(({ name, text }) => [name, digestOf([options, text])])),
  };
}

/** As short as a report may contain it many times. */
const digestOf = (value: unknown): string => textDigest(canonicalize(value) ?? "").slice(0, 16);

const withoutSame = (revisions: readonly AskedRevision[]): AskedRevision[] =>
  revisions.filter((one, index) => {
    const before = revisions[index - 1];
    return before?.prompts !== one.prompts || canonicalize(before.conditions) !== canonicalize(one.conditions);
  });
