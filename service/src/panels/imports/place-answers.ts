/** To which cell of which panel each imported answer belongs, or every reason why it belongs to none. */
import { createHash } from "node:crypto";
import {
  panelPromptsMax,
  promptIdPattern,
  questionLengthMax,
  type ImportedAnswer,
  type ProblemItem,
} from "@querent/contract";
import { rowsAs, type Queryable, type Transaction } from "../../db/index.ts";
import { idPattern, newId } from "../../kernel/ids.ts";
import { derivedPromptId } from "../definitions/cells.ts";
import { addPrompts, insertImportedPanel } from "../definitions/panels.ts";

/** The panel of the answers that name none: one that is there, or that of a name, which is made if it is not there. */
export type PanelChoice = { readonly panelId: string } | { readonly name: string } | null;

export interface LocatedAnswer {
  readonly answer: ImportedAnswer;
  /** `/LINE`, with the line's number in its file. */
  readonly at: string;
}

export interface PlacedAnswer {
  readonly panelId: string | null;
  readonly revision: number | null;
  readonly promptId: string | null;
  readonly runId: string | null;
}

export interface Placed {
  /** One for each answer; meaningless if there are faults. */
  readonly places: readonly PlacedAnswer[];
  readonly faults: readonly ProblemItem[];
  /** The panel of the request; null: it names none. */
  readonly panelId: string | null;
  /** The panel of the request is made, or gets more prompts. */
  readonly changesPanel: boolean;
  /** Makes the panel of the request, or adds its prompts. Returns where the answers belong then. */
  readonly write: (tx: Transaction) => Promise<readonly PlacedAnswer[]>;
}

interface Batch {
  readonly accountId: string;
  readonly choice: PanelChoice;
  readonly answers: readonly LocatedAnswer[];
}

/** Panels of one request: their prompts are read at once. */
const panelsMax = 20;
const isPromptId = new RegExp(promptIdPattern);

/** @param lock true in the transaction that stores the answers: the panels stay as they are until its end */
export async function placeAnswers(db: Queryable, batch: Batch, lock: boolean): Promise<Placed> {
  const { accountId, choice, answers } = batch;
  const faults: ProblemItem[] = [];
  const chosen = await choosePanel(db, accountId, choice, lock);
  if ("fault" in chosen) return unplaced([chosen.fault]);
  const named = new Set(answers.flatMap(({ answer }) => answer.panelId ?? []));
  if (chosen.id !== null && !chosen.isNew) named.add(chosen.id);
  if (named.size > panelsMax)
    return unplaced([
      { pointer: "", code: "too_many", detail: `At most ${panelsMax} panels; these lines name ${named.size}.` },
    ]);
  const panels = await readPanels(db, accountId, [...named], lock);
  if (chosen.id !== null && chosen.isNew) panels.set(chosen.id, newPanel());
  if (choice !== null && "panelId" in choice && !panels.has(choice.panelId))
    return unplaced([{ pointer: "?panelId", code: "not_allowed", detail: "The account has no such panel." }]);
  const runs = await readRuns(db, accountId, answers, chosen.id);
  const isByName = choice !== null && "name" in choice;
  const places = answers.map(({ answer, at }): PlacedAnswer => {
    const fault = (member: string, detail: string, code: ProblemItem["code"] = "not_allowed") => {
      faults.push({ pointer: `${at}/${member}`, code, detail });
      return nowhere;
    };
    const panelId = answer.panelId ?? chosen.id;
    const label = answer.run ?? null;
    if (panelId === null)
      return label === null ? nowhere : fault("panelId", "A run is one of a panel: name the panel, too.", "required");
    const panel = panels.get(panelId);
    if (panel === undefined) return fault("panelId", "The account has no such panel.");
    const found = promptOf(panel, answer, isByName && panelId === chosen.id);
    if ("member" in found) return fault(found.member, found.detail, found.code);
    if (label !== null && idPattern.test(label) && !runs.has(`${panelId} ${label}`))
      return fault("run", "The panel has no such run. A name of your own does not have the form of an id.");
    const runId = label === null || idPattern.test(label) ? label : runIdOf(panelId, label);
    return { panelId, revision: panel.revision, promptId: found.promptId, runId };
  });
  const added = chosen.id === null ? [] : (panels.get(chosen.id)?.added ?? []);
  return {
    places,
    faults,
    panelId: chosen.id,
    changesPanel: added.length > 0,
    write: async (tx) => {
      if (chosen.id === null || added.length === 0) return places;
      const { id, isNew } = chosen;
      if (isNew && choice !== null && "name" in choice)
        await insertImportedPanel(tx, { accountId, id, name: choice.name, prompts: added });
      const revision = isNew ? 1 : await addPrompts(tx, { accountId, panelId: id, prompts: added });
      return places.map((place) => (place.panelId === id ? { ...place, revision } : place));
    },
  };
}

const nowhere: PlacedAnswer = { panelId: null, revision: null, promptId: null, runId: null };

const unplaced = (faults: readonly ProblemItem[]): Placed => ({
  places: [],
  faults,
  panelId: null,
  changesPanel: false,
  write: () => Promise.resolve([]),
});

type Chosen = { readonly id: string | null; readonly isNew: boolean } | { readonly fault: ProblemItem };

async function choosePanel(db: Queryable, accountId: string, choice: PanelChoice, lock: boolean): Promise<Chosen> {
  if (choice === null) return { id: null, isNew: false };
  if ("panelId" in choice) return { id: choice.panelId, isNew: false };
  // Locks: the name, by an advisory lock until the commit, so that two requests do not both make the panel.
  if (lock)
    await db.query("select pg_advisory_xact_lock(hashtextextended('panel of imports ' || $1 || ' ' || $2, 0))", [
      accountId,
      choice.name,
    ]);
  // Index: the primary key, over the account's panels.
  const { rows } = await db.query<{ id: string }>(
    "select id from panels where account_id = $1 and name = $2 order by id limit 2",
    [accountId, choice.name],
  );
  const [first, second] = rows;
  if (second !== undefined)
    return {
      fault: { pointer: "?panel", code: "not_allowed", detail: "Several panels have this name: use `panelId`." },
    };
  return first === undefined ? { id: newId(), isNew: true } : { id: first.id, isNew: false };
}

type NewPrompt = Parameters<typeof insertImportedPanel>[1]["prompts"][number];

interface KnownPanel {
  readonly revision: number;
  /** It is never asked: more questions become prompts. */
  readonly isOfImports: boolean;
  readonly promptIds: Set<string>;
  /** By the digest of its text: the first prompt with it. */
  readonly byText: Map<string, string>;
  readonly added: NewPrompt[];
}

const newPanel = (): KnownPanel => ({
  revision: 1,
  isOfImports: true,
  promptIds: new Set(),
  byText: new Map(),
  added: [],
});

/** The panels that the account has, with the ids of their prompts and the digests of their texts: no texts are read. */
async function readPanels(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
  lock: boolean,
): Promise<Map<string, KnownPanel>> {
  if (ids.length === 0) return new Map();
  // Locks, if wanted: the panels' rows, in the order of their ids. Index: the primary key.
  const { rows } = await db.query<{ id: string; revision: number; of_imports: boolean; prompts: [string, string][] }>(
    `select p.id, p.revision, jsonb_array_length(r.content->'platforms') = 0 as of_imports,
            (select json_agg(json_build_array(one->>'promptId', encode(sha256(convert_to(btrim(one->>'text', E' \\t\\r\\n'), 'UTF8')), 'hex')) order by nth)
               from jsonb_array_elements(r.content->'prompts') with ordinality as prompt(one, nth)) as prompts
       from panels p join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
      where p.account_id = $1 and p.id = any($2::uuid[]) order by p.id ${lock ? "for update of p" : ""}`,
    [accountId, ids],
  );
  return new Map(
    rows.map(({ id, revision, of_imports: isOfImports, prompts }) => [
      id,
      {
        revision,
        isOfImports,
        promptIds: new Set(prompts.map(([promptId]) => promptId)),
        byText: new Map(prompts.toReversed().map(([promptId, digest]) => [digest, promptId])),
        added: [],
      },
    ]),
  );
}

type Fault = { readonly member: string; readonly code?: ProblemItem["code"]; readonly detail: string };

/** The prompt of an answer. `mayAdd`: a panel of imported answers gets the prompts that it does not have. */
function promptOf(panel: KnownPanel, answer: ImportedAnswer, mayAdd: boolean): { readonly promptId: string } | Fault {
  const given = answer.promptId ?? null;
  const text = answer.question.trim();
  const digest = sha256(text);
  const known = given === null ? panel.byText.get(digest) : panel.promptIds.has(given) ? given : undefined;
  if (known !== undefined) return { promptId: known };
  if (!mayAdd || !panel.isOfImports)
    return given === null
      ? { member: "question", detail: "The panel has no prompt with this text. Name the prompt as `promptId`." }
      : { member: "promptId", detail: "The panel has no such prompt at its current revision." };
  if (given !== null && !isPromptId.test(given))
    return {
      member: "promptId",
      code: "malformed",
      detail:
        "The id of a panel's prompt has 1 to 64 letters, digits, `.`, `_` and `-`, and starts with one of the first two.",
    };
  if (text === "") return { member: "question", code: "too_short", detail: "The question is blank." };
  // Code points are fewer than code units, so most texts need not be counted.
  const length = text.length > questionLengthMax ? [...text].length : text.length;
  if (length > questionLengthMax)
    return {
      member: "question",
      code: "too_long",
      detail: `A panel's prompt has at most ${questionLengthMax} characters; this one has ${length}.`,
    };
  if (panel.promptIds.size >= panelPromptsMax)
    return { member: "question", code: "too_many", detail: `A panel has at most ${panelPromptsMax} prompts.` };
  const promptId = given ?? derivedPromptId(text);
  panel.promptIds.add(promptId);
  if (!panel.byText.has(digest)) panel.byText.set(digest, promptId);
  panel.added.push({ promptId, text, topic: answer.topic ?? null, intent: null });
  return { promptId };
}

const namedRows = rowsAs<readonly [panelId: string, runId: string]>("named", {
  panel_id: ["uuid", ([panelId]) => panelId],
  id: ["uuid", ([, runId]) => runId],
});

/** The runs that answers name by their ids, as `PANEL RUN`. */
async function readRuns(
  db: Queryable,
  accountId: string,
  answers: readonly LocatedAnswer[],
  chosen: string | null,
): Promise<ReadonlySet<string>> {
  const named = new Map<string, [panelId: string, runId: string]>();
  for (const { answer } of answers) {
    const panelId = answer.panelId ?? chosen;
    const run = answer.run ?? "";
    if (panelId !== null && idPattern.test(run)) named.set(`${panelId} ${run}`, [panelId, run]);
  }
  if (named.size === 0) return new Set();
  // Index: the primary key.
  const { rows } = await db.query<{ key: string }>(
    `select r.panel_id || ' ' || r.id as key from panel_runs r
       join ${namedRows.after(1)} on named.panel_id = r.panel_id and named.id = r.id
      where r.account_id = $1`,
    [accountId, ...namedRows.values([...named.values()])],
  );
  return new Set(rows.map(({ key }) => key));
}

/** A UUIDv8 (RFC 9562) of the run's name in its panel: the service has no row of such a run. */
function runIdOf(panelId: string, label: string): string {
  const hex = sha256(JSON.stringify([panelId, label]));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
