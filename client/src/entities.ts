import { paged } from "./paged.ts";
import type { InProject } from "./projects.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type {
  EntityChanges,
  EntityMentions,
  EntityRecord,
  EntityRequest,
  EntityRevision,
  EntityRevisions,
  EntitySpanPage,
  MentionRecount,
  NameDecisions,
  NameProposals,
} from "./wire.ts";

/** Selects mentions of an entity. All given members must match. */
export interface MentionFilters {
  readonly panelId?: string;
  readonly platformCode?: string;
  readonly importId?: string;
  readonly observedFrom?: string;
  readonly observedBefore?: string;
}

/** The brands, products and people that answers are searched for. */
export class Entities {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Iterates over the entities of the account or of a project, newest first. */
  list(
    { relation, project }: InProject & { readonly relation?: EntityRecord["relation"] } = {},
    options: CallOptions = {},
  ): AsyncGenerator<EntityRecord, void, void> {
    return paged(this.#transport, "/v1/entities", { relation, project, limit: 200 }, options, "entities");
  }

  /**
   * After a change of entities, finds mentions again in answers that have not expired, and returns the sums. Takes a while if there
   * are many.
   */
  async recount(options: CallOptions = {}): Promise<Omit<MentionRecount, "nextCursor">> {
    const sum = { recounted: 0, changed: 0, notSearched: 0, expired: 0 };
    for (let cursor: string | undefined; ;) {
      const path = "/v1/observations/recount";
      const call = { ...options, method: "POST", path, query: { cursor }, repeat: "always" } as const;
      const { body } = await this.#transport.json<MentionRecount>(call);
      sum.recounted += body.recounted;
      sum.changed += body.changed;
      sum.notSearched += body.notSearched;
      sum.expired += body.expired;
      if (body.nextCursor === null) return sum;
      cursor = body.nextCursor;
    }
  }

  async get(entityId: string, options: CallOptions = {}): Promise<EntityRecord> {
    const call = { ...options, method: "GET", path: pathOf(entityId), repeat: "always" } as const;
    return (await this.#transport.json<EntityRecord>(call)).body;
  }

  /** Fails with a conflict if there is an entity of the same name. */
  async create(entity: EntityRequest, { project, ...options }: CallOptions & InProject = {}): Promise<EntityRecord> {
    const body = JSON.stringify(entity);
    const call = {
      ...options,
      ...({ method: "POST", path: "/v1/entities", query: { project }, body, repeat: "refused" } as const),
    };
    return (await this.#transport.json<EntityRecord>(call)).body;
  }

  /** Replaces the content of an entity. */
  async change(entityId: string, entity: EntityRequest, options: CallOptions = {}): Promise<EntityRecord> {
    const body = JSON.stringify(entity);
    const call = { ...options, method: "PUT", path: pathOf(entityId), body, repeat: "always" } as const;
    return (await this.#transport.json<EntityRecord>(call)).body;
  }

  /** Creates entities, or replaces those of the same names: all of up to 500, or none. */
  async merge(
    entities: readonly EntityRequest[],
    { project, ...options }: CallOptions & InProject = {},
  ): Promise<EntityChanges> {
    const body = JSON.stringify(entities);
    const call = {
      ...options,
      ...({ method: "PUT", path: "/v1/entities", query: { project }, body, repeat: "always" } as const),
    };
    return (await this.#transport.json<EntityChanges>(call)).body;
  }

  /** Returns the entity as it was. */
  async delete(entityId: string, options: CallOptions = {}): Promise<EntityRecord> {
    const call = { ...options, method: "DELETE", path: pathOf(entityId), repeat: "refused" } as const;
    return (await this.#transport.json<EntityRecord>(call)).body;
  }

  /** The revisions of an entity, newest first. */
  async revisions(entityId: string, options: CallOptions = {}): Promise<EntityRevision[]> {
    const call = { ...options, method: "GET", path: `${pathOf(entityId)}/revisions`, repeat: "always" } as const;
    return (await this.#transport.json<EntityRevisions>(call)).body.revisions;
  }

  /** Returns the mentions of one page of answers, newest first, with the text around them as long as the answer has not expired. */
  async mentionPage(
    entityId: string,
    filters: MentionFilters & { readonly limit?: number; readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<EntitySpanPage> {
    const path = `${pathOf(entityId)}/mentions`;
    const call = { ...options, method: "GET", path, query: { ...filters }, repeat: "always" } as const;
    return (await this.#transport.json<EntitySpanPage>(call)).body;
  }

  /** Proposes aliases and negative contexts by the newest answers. Nothing changes until they are approved. */
  async propose(
    entityId: string,
    {
      panelId,
      neighbours,
      ...options
    }: CallOptions & { readonly panelId?: string; readonly neighbours?: boolean } = {},
  ): Promise<NameProposals> {
    const path = `${pathOf(entityId)}/proposals`;
    const call = {
      ...options,
      method: "GET",
      path,
      query: { panelId, neighbours: neighbours?.toString() },
      repeat: "always",
    } as const;
    return (await this.#transport.json<NameProposals>(call)).body;
  }

  /** Adds approved proposals to an entity, and declines others. */
  async decide(entityId: string, decisions: NameDecisions, options: CallOptions = {}): Promise<EntityRecord> {
    const path = `${pathOf(entityId)}/proposals`;
    const body = JSON.stringify(decisions);
    const call = { ...options, method: "POST", path, body, repeat: "always" } as const;
    return (await this.#transport.json<EntityRecord>(call)).body;
  }

  /** Finds mentions in a text: of the entities of the account or of a project, or of `entity` alone. Nothing is stored. */
  async try(
    text: string,
    { entity, project, ...options }: CallOptions & InProject & { readonly entity?: EntityRequest } = {},
  ): Promise<EntityMentions> {
    const body = JSON.stringify({ text, ...(entity === undefined ? {} : { entity }) });
    const call = {
      ...options,
      ...({ method: "POST", path: "/v1/entities/try", query: { project }, body, repeat: "always" } as const),
    };
    return (await this.#transport.json<EntityMentions>(call)).body;
  }
}

const pathOf = (entityId: string) => `/v1/entities/${encodeURIComponent(entityId)}`;
