/** The keys and settings that administrators store, as a process uses them: what changes holds in every process within seconds. */
import type { Database, Queryable } from "../db/index.ts";
import { PollLoop } from "../runtime/poll-loop.ts";
import { MasterKeyError, type MasterKey } from "../vault/index.ts";
import { openKey, readKeys, type KeyRow } from "./stored-keys.ts";

/** What is stored of a platform, as the file of platforms would have it. */
export interface StoredSettings {
  readonly model?: string;
  readonly deepModel?: string;
  readonly price?: Readonly<Partial<Record<"base" | "deepAnalysis" | "screenshot" | "shareLink" | "pageHtml", number>>>;
}

interface StoredKey extends KeyRow {
  /** Null: the master key of this process cannot decrypt it. */
  readonly key: string | null;
}

interface StoredSetupsDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly onFault: (error: unknown) => void;
}

const refreshEveryMs = 4_000;

export class StoredSetups {
  readonly #deps: StoredSetupsDeps;
  readonly #loop: PollLoop;
  readonly #listeners: (() => void)[] = [];
  #keys: ReadonlyMap<string, StoredKey> = new Map();
  #settings: ReadonlyMap<string, StoredSettings> = new Map();
  /** What the settings were made of, to tell whether they have changed. */
  #settingsText = "[]";
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(deps: StoredSetupsDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: refreshEveryMs,
      jitter: 0.1,
      look: () => this.refresh(),
      onFault: deps.onFault,
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Calls the listener after each refresh that has found a change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The key that is stored for a variable; undefined: none, or it can't be decrypted. */
  keyFor(variable: string): string | undefined {
    return this.#keys.get(variable)?.key ?? undefined;
  }

  /** What may be shown of a stored key. */
  about(variable: string): { ending: string | null; storedAt: Date; readable: boolean } | null {
    const stored = this.#keys.get(variable);
    if (stored === undefined) return null;
    return { ending: stored.ending, storedAt: stored.storedAt, readable: stored.key !== null };
  }

  settingsOf(platform: string): StoredSettings {
    return this.#settings.get(platform) ?? {};
  }

  /** One after the other, so that what was read earlier never replaces what was read later. */
  refresh(): Promise<void> {
    const next = this.#refreshing.catch(() => undefined).then(() => this.#refresh());
    this.#refreshing = next;
    return next;
  }

  async #refresh(): Promise<void> {
    const { database } = this.#deps;
    const [keys, settings] = await Promise.all([readKeys(database), readSettings(database)]);
    const settingsText = JSON.stringify(settings);
    const isChanged =
      settingsText !== this.#settingsText ||
      keys.length !== this.#keys.size ||
      keys.some(({ variable, sealed }) => this.#keys.get(variable)?.sealed.equals(sealed) !== true);
    if (!isChanged) return;
    this.#keys = new Map(keys.map((row) => [row.variable, this.#opened(row)]));
    this.#settings = new Map(settings.map(({ platform, settings: stored }) => [platform, stored]));
    this.#settingsText = settingsText;
    for (const listener of this.#listeners) listener();
  }

  #opened(row: KeyRow): StoredKey {
    try {
      return { ...row, key: openKey(this.#deps.masterKey, row) };
    } catch (error) {
      // The platform lacks its key then, and the others go on.
      if (!(error instanceof MasterKeyError)) throw error;
      this.#deps.onFault(error);
      return { ...row, key: null };
    }
  }
}

async function readSettings(db: Queryable): Promise<{ platform: string; settings: StoredSettings }[]> {
  // No index: a row for each platform at most.
  const { rows } = await db.query<{ platform: string; settings: StoredSettings }>(
    "select platform, settings from platform_settings order by platform",
  );
  return rows;
}

/** Replaces what is stored of a platform. */
export async function putSettings(db: Queryable, platform: string, settings: StoredSettings): Promise<void> {
  // Locks: the platform's row. Index: the primary key.
  await (Object.keys(settings).length === 0
    ? db.query("delete from platform_settings where platform = $1", [platform])
    : db.query(
        `insert into platform_settings (platform, settings, updated_at) values ($1, $2, now())
         on conflict (platform) do update set settings = excluded.settings, updated_at = excluded.updated_at`,
        [platform, JSON.stringify(settings)],
      ));
}
