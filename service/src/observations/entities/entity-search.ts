import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../db/index.ts";
import { Batcher } from "../../runtime/batcher.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { compileEntities, type CompiledEntities } from "./compile-entities.ts";
import { definitionOf, type EntityContent } from "./entity-content.ts";
import { findHere, type FoundInText, type SearchKind } from "./find-in-text.ts";
import { SearchPool, type PoolResult, type SearchPoolLimits } from "./search-pool.ts";
import type { FoundProposals, ProposalOptions } from "./propose-names.ts";
import type { AnswerText, StoredEntity } from "./search-process.ts";
import { ProblemError } from "../../api/problem-error.ts";

export interface ProposalRequest extends ProposalOptions {
  readonly accountId: string;
  readonly entityId: string;
  readonly content: EntityContent;
  readonly answers: readonly AnswerText[];
}

/** A text and the entities of an account. */
export type Searched = {
  /** The version of the entities that were looked for; null: the account has had none. */
  readonly entities: string | null;
} & ({ readonly found: FoundInText } | { readonly notSearched: NotSearched });

export interface SearchCounts {
  /** Texts that were searched on the main thread, and in a process of their own. */
  here: number;
  elsewhere: number;
  limit: number;
  busy: number;
}

/** The entities of an account, if they are few. */
interface KnownEntities {
  readonly version: string;
  /** The compiled entities; null if they are too many for the main thread. */
  readonly compiled: CompiledEntities | null;
}

/** Entities up to this size as JSON are compiled in some milliseconds. */
const contentCharsHere = 64 * 1024;
/** The size of all that are kept here, in units of `CompiledEntities`: 20 MB. A large account counts as one. */
const sizesHere = 500_000;
/** At most so many entities are read at once: each is up to 100 kB. */
const pageEntities = 40;
/** An answer waits so long for its search, and then ends without. */
const observeMs = 10_000;
/** How long the database may take to say that entities have not changed. */
const versionMs = 2_000;

/** For each text the ids of the entities that it names. */
type NamedEntities = readonly (readonly string[])[];

/** The number of ids of all panels that are remembered: 15 MB. */
const namedIdsMax = 200_000;
/** The prompts of a panel take at most so long, and are not tried again for a while if they could not be searched. */
const namedMs = 5_000;
const notSearchedMs = 10_000;

const nothing: FoundInText = { mentions: [], observed: [], isComplete: true };

/**
 * Searches texts for the entities of accounts. Short texts are searched for few entities here, because they take less than a
 * millisecond; all others by processes of their own, which are shared by the accounts in turns.
 */
export class EntitySearch {
  readonly counts: SearchCounts = { here: 0, elsewhere: 0, limit: 0, busy: 0 };
  readonly #database: Queryable;
  readonly #pool: SearchPool;
  readonly #known = new LRUCache<string, KnownEntities>({
    maxSize: sizesHere,
    sizeCalculation: ({ compiled }) => compiled?.size ?? 1,
  });
  /** What the texts of panels name, or why they could not be searched. */
  readonly #named = new LRUCache<string, NamedEntities | NotSearched>({
    maxSize: namedIdsMax,
    sizeCalculation: (named) => (Array.isArray(named) ? named.reduce((sum, ids) => sum + 1 + ids.length, 1) : 1),
  });
  readonly #naming = new Map<string, Promise<NamedEntities | NotSearched>>();
  readonly #loading = new Map<string, Promise<KnownEntities>>();
  /** The last versions, for while the database is away. */
  readonly #versions = new LRUCache<string, { readonly version: string | null }>({ max: 10_000 });
  readonly #reader: Batcher<string, string | null>;
  #sliceEnd = 0;

  constructor(database: Queryable, limits: Partial<SearchPoolLimits> = {}) {
    this.#database = database;
    this.#pool = new SearchPool(limits);
    this.#reader = new Batcher({ delayMs: 0, itemsMax: 500, write: (accountIds) => this.#readVersions(accountIds) });
  }

  /** Texts that wait for a process, for metrics. */
  get waiting(): number {
    return this.#pool.waiting;
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }

  /**
   * The mentions of an answer for its observation. Never throws, and takes at most some seconds: an answer does not wait for its
   * search any longer, nor for a database that is away.
   */
  async observe(accountId: string, text: string | null, signal?: AbortSignal): Promise<Searched> {
    const [searched] = await this.observeAll(accountId, [text ?? ""], signal);
    return searched ?? { entities: null, notSearched: "busy" };
  }

  /** The same for several answers, which take at most some seconds together. */
  async observeAll(accountId: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly Searched[]> {
    const version = await this.#versionSoon(accountId);
    // Made once a search needs it: a signal costs more than a search on the main thread.
    let ended: AbortSignal | undefined;
    const untilEnded = () => (ended ??= AbortSignal.any([AbortSignal.timeout(observeMs), ...(signal ? [signal] : [])]));
    const all: Searched[] = [];
    for (const [index, text] of texts.entries()) {
      if (index > 0) await yieldToEventLoop();
      try {
        all.push(await this.#search({ accountId, version, text, as: "observed" }, untilEnded));
      } catch {
        // Its entities could not be read.
        all.push(this.#count({ entities: version, notSearched: "busy" }));
      }
    }
    return all;
  }

  /** The mentions of a text as somebody asks for them. Throws if the database is away. */
  async find(accountId: string, text: string, signal?: AbortSignal): Promise<Searched> {
    const version = await this.#reader.add(accountId);
    return this.#search({ accountId, version, text, as: "mentions" }, () => signal);
  }

  /**
   * The entities that each of these texts names, in order of their ids. `digest` is that of the texts: their search is remembered as
   * long as the entities do not change. Throws a problem if they cannot be searched.
   */
  async namedIn(accountId: string, digest: string, texts: readonly string[]): Promise<NamedEntities> {
    const version = await this.#reader.add(accountId);
    if (version === null) return texts.map(() => []);
    const key = `${accountId} ${version} ${digest}`;
    const named = this.#named.get(key) ?? (await this.#nameOnce(key, () => this.#namedIn(accountId, version, texts)));
    if (typeof named === "string") throw new NotSearchedError(named);
    return named;
  }

  /** Requests that need the same at once wait for one search. */
  #nameOnce(key: string, search: () => Promise<NamedEntities | NotSearched>): Promise<NamedEntities | NotSearched> {
    let naming = this.#naming.get(key);
    if (naming === undefined) {
      naming = search()
        .then((named) => {
          this.#named.set(key, named, { ttl: Array.isArray(named) ? 0 : notSearchedMs });
          return named;
        })
        .finally(() => this.#naming.delete(key));
      this.#naming.set(key, naming);
    }
    return naming;
  }

  async #namedIn(accountId: string, version: string, texts: readonly string[]): Promise<NamedEntities | NotSearched> {
    const timeout = AbortSignal.timeout(namedMs);
    const named: string[][] = [];
    for (const text of texts) {
      const searched = await this.#search({ accountId, version, text, as: "mentions" }, () => timeout);
      if (!("found" in searched)) return searched.notSearched;
      if (!searched.found.isComplete) return "limit";
      named.push([...new Set(searched.found.mentions.map(({ entityId }) => entityId))].toSorted());
      await yieldToEventLoop();
    }
    return named;
  }

  /** The same for an entity that is not stored. */
  async findOne(accountId: string, content: EntityContent, text: string, signal?: AbortSignal): Promise<Searched> {
    await this.#turn();
    const compiled = compileEntities([definitionOf("", content)]);
    const found = findHere(text, compiled, "mentions");
    if (found !== null) return this.#count({ entities: null, found }, "here");
    const json = JSON.stringify(content);
    const entities = async function* (): AsyncGenerator<StoredEntity[]> {
      yield [{ id: "", content: json }];
    };
    const key = `${accountId} ${hash("sha256", json)}`;
    const job = { accountId, key, text, as: "mentions" as const, entities };
    return this.#count({ entities: null, ...(await this.#pool.search(job, signal)) });
  }

  /** Proposes names for an entity, by the answers of its account, in a process of its own. Throws a problem if it cannot be done. */
  async propose(
    { accountId, entityId, content, answers, ...options }: ProposalRequest,
    signal?: AbortSignal,
  ): Promise<FoundProposals> {
    const version = await this.#reader.add(accountId);
    const { declined = new Set(), withNeighbours = false } = options;
    const question = {
      ...{ kind: "propose" as const, entityId, content: JSON.stringify(content), answers },
      ...{ declined: [...declined], withNeighbours },
    };
    const job = { accountId, key: `${accountId} ${version}`, question, entities: () => this.#pages(accountId) };
    const result = await this.#pool.propose(job, signal);
    if ("notSearched" in result) throw new NotSearchedError(result.notSearched);
    return result.proposed;
  }

  async #search(
    { accountId, version, text, as }: { accountId: string; version: string | null; text: string; as: SearchKind },
    signalOf: () => AbortSignal | undefined,
  ): Promise<Searched> {
    if (version === null || text === "") return { entities: version, found: nothing };
    const { compiled } = await this.#entitiesOf(accountId, version);
    if (compiled !== null) await this.#turn();
    const found = compiled === null ? null : findHere(text, compiled, as);
    if (found !== null) return this.#count({ entities: version, found }, "here");
    const key = `${accountId} ${version}`;
    const job = { accountId, key, text, as, entities: () => this.#pages(accountId) };
    const result: PoolResult = await this.#pool.search(job, signalOf());
    if ("found" in result && as === "observed" && !result.found.isComplete)
      return this.#count({ entities: version, notSearched: "limit" });
    return this.#count({ entities: version, ...result });
  }

  /** The answers of many tasks may arrive at once: their searches pause for everything else. */
  async #turn(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await yieldToEventLoop();
    this.#sliceEnd = performance.now() + sliceMs;
  }

  #count(searched: Searched, where: "here" | "elsewhere" = "elsewhere"): Searched {
    this.counts["found" in searched ? where : searched.notSearched]++;
    return searched;
  }

  /** The current version; if the database does not say it soon, the last one that is known. The statement that writes the observation compares it. */
  #versionSoon(accountId: string): Promise<string | null> {
    return new Promise((resolve) => {
      const answerLast = () => resolve(this.#lastVersion(accountId));
      const timer = setTimeout(answerLast, versionMs);
      void this.#reader
        .add(accountId)
        .then(resolve, answerLast)
        .finally(() => clearTimeout(timer));
    });
  }

  #lastVersion(accountId: string): string | null {
    return this.#versions.get(accountId)?.version ?? null;
  }

  async #readVersions(accountIds: readonly string[]): Promise<readonly (string | null)[]> {
    // Index: the primary key.
    const { rows } = await this.#database.query<{ account_id: string; version: string }>({
      name: "entity versions",
      text: "select account_id, version::text from entity_versions where account_id = any($1::uuid[])",
      values: [[...new Set(accountIds)]],
    });
    const versions = new Map(rows.map(({ account_id: accountId, version }) => [accountId, version]));
    return accountIds.map((accountId) => {
      const version = versions.get(accountId) ?? null;
      if (this.#versions.get(accountId)?.version !== version) this.#versions.set(accountId, { version });
      return version;
    });
  }

  /** Read once for each change of them. */
  #entitiesOf(accountId: string, version: string): KnownEntities | Promise<KnownEntities> {
    const known = this.#known.get(accountId);
    if (known?.version === version) return known;
    const key = `${accountId} ${version}`;
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      loading = this.#load(accountId, version).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  async #load(accountId: string, version: string): Promise<KnownEntities> {
    const entities: StoredEntity[] = [];
    let chars = 0;
    let isSmall = true;
    for await (const page of this.#pages(accountId)) {
      chars = page.reduce((sum, { content }) => sum + content.length, chars);
      isSmall = chars <= contentCharsHere;
      if (!isSmall) break;
      entities.push(...page);
    }
    const compiled = isSmall
      ? compileEntities(
          // Stored after it was checked.
          entities.map(({ id, content, project = null }) =>
            definitionOf(id, JSON.parse(content) as EntityContent, project),
          ),
        )
      : null;
    const known = { version, compiled };
    this.#known.set(accountId, known);
    return known;
  }

  /** An account's entities. A change that is committed in between is found with the next version. */
  async *#pages(accountId: string): AsyncGenerator<StoredEntity[]> {
    for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
      // Index: the primary key. As text: whoever compiles them parses it.
      const { rows } = await this.#database.query<StoredEntity>({
        name: "entities to search for",
        text: "select id, project_id as project, content::text as content from entities where account_id = $1 and id > $2 order by id limit $3",
        values: [accountId, after, pageEntities],
      });
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageEntities) return;
      after = last.id;
    }
  }
}

/** Why a text was not searched: see the flags of observations. */
export type NotSearched = "limit" | "busy";

/** For a request that needs the search. */
export class NotSearchedError extends ProblemError {
  readonly why: NotSearched;

  constructor(why: NotSearched) {
    super("unavailable", notSearchedDetails[why], { headers: { "retry-after": why === "limit" ? "60" : "10" } });
    this.why = why;
  }
}

const notSearchedDetails: Readonly<Record<NotSearched, string>> = {
  limit:
    "The account's entities take more memory or time than a search may. Nothing was searched. Delete aliases or negative contexts, above all those that contain each other or differ only in their separators, and try again after a minute.",
  busy: "The account or the service has as many texts to search as it takes at once. Nothing was searched. Try again in a moment.",
};
