/**
 * The tools of assistants, generated from the operations by `npm run docs`. Do not edit.
 */

/** The JSON Schema of each argument. */
export type ToolProperties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ToolRow {
  readonly title: string;
  readonly description: string;
  readonly scope: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The operation's path, with the names of arguments. */
  readonly path: string;
  /** The names of parameters whose argument has another name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** JSON Schema. */
  readonly input: {
    readonly type: "object";
    readonly required?: readonly string[];
    readonly properties: ToolProperties;
  };
  /** JSON Schema. Absent: the tool returns what its operation returns. */
  readonly output?: object;
}

export const toolTable: Readonly<Record<keyof ToolArguments, ToolRow>> = {
  ask: {
    title: "Ask answer platforms",
    description:
      "Asks one or more AI answer platforms a question and waits for their answers with sources. This costs points. If it takes longer than waitSeconds, the tasks continue: call results with their taskIds.",
    scope: "tasks:write",
    method: "POST",
    path: "/v1/tasks/batch",
    parameters: {},
    input: {
      type: "object",
      required: ["question", "platforms"],
      properties: {
        question: {
          type: "string",
          minLength: 1,
          description: "The question: 1 to 10,000 characters after trimming. Must not be blank.",
        },
        platforms: {
          type: "array",
          minItems: 1,
          maxItems: 10,
          description: "Codes from the tool platforms.",
          items: {
            type: "string",
            minLength: 1,
            maxLength: 64,
            description: "Code of the answer platform, as listed by `GET /v1/platforms`.",
          },
        },
        deepAnalysis: { type: "boolean", description: "Requests a deeper analysis. Default: false." },
        country: {
          type: "string",
          description: "ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case.",
        },
        language: {
          type: "string",
          maxLength: 35,
          description: "Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form.",
        },
        location: {
          type: "object",
          description: "Where in the country: a place, coordinates, or both.",
          properties: {
            city: {
              type: "string",
              minLength: 1,
              maxLength: 100,
              pattern: "\\S",
              description: "City, such as `Munich`.",
            },
            region: {
              type: "string",
              minLength: 1,
              maxLength: 100,
              pattern: "\\S",
              description: "Region or state, such as `Bavaria`.",
            },
            latitude: {
              type: "number",
              minimum: -90,
              maximum: 90,
              description: "Degrees north. Requires `longitude`.",
            },
            longitude: {
              type: "number",
              minimum: -180,
              maximum: 180,
              description: "Degrees east. Requires `latitude`.",
            },
          },
        },
        persona: {
          type: "string",
          minLength: 1,
          maxLength: 2000,
          pattern: "\\S",
          description:
            "Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed.",
        },
        model: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "One of the models that the platform lists in `optionValues.model`.",
        },
        searchDepth: {
          enum: ["low", "medium", "high"],
          description: "How much the platform searches before it answers.",
        },
        domains: {
          type: "object",
          description: "Domains to search.",
          properties: {
            allow: {
              type: "array",
              maxItems: 100,
              description: "Search only these domains and their subdomains.",
              items: { type: "string", maxLength: 253 },
            },
            deny: {
              type: "array",
              maxItems: 100,
              description: "Don't use these domains and their subdomains.",
              items: { type: "string", maxLength: 253 },
            },
          },
        },
        since: {
          type: "string",
          description:
            "Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future.",
          format: "date",
        },
        onUnsupported: {
          enum: ["refuse", "ignore"],
          description:
            "What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`.",
        },
        waitSeconds: { type: "integer", minimum: 1, maximum: 600, default: 120 },
      },
    },
    output: {
      type: "object",
      required: ["tasks"],
      properties: {
        tasks: {
          type: "array",
          items: {
            type: "object",
            required: [
              "taskId",
              "platformCode",
              "state",
              "question",
              "content",
              "contentCut",
              "sources",
              "failure",
              "chargedPoints",
            ],
            properties: {
              taskId: { type: "string" },
              platformCode: { type: "string" },
              state: { type: "string" },
              question: { type: "string" },
              content: { anyOf: [{ type: "string" }, { type: "null" }] },
              contentCut: { type: "boolean" },
              sources: {
                type: "array",
                items: {
                  type: "object",
                  required: ["title", "url"],
                  properties: { title: { type: "string" }, url: { type: "string" } },
                },
              },
              failure: { anyOf: [{ type: "string" }, { type: "null" }] },
              chargedPoints: { type: "number" },
            },
          },
        },
      },
    },
  },
  results: {
    title: "Read results",
    description: "Returns the current state of tasks, by their ids or by batch. Costs nothing.",
    scope: "tasks:read",
    method: "GET",
    path: "/v1/tasks/{taskId}",
    parameters: {},
    input: {
      type: "object",
      properties: {
        taskIds: {
          type: "array",
          maxItems: 50,
          items: {
            type: "string",
            description: "UUID, lower case. Ids created by the service are UUIDv7.",
            format: "uuid",
          },
        },
        batchId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
      },
    },
    output: {
      type: "object",
      required: ["tasks"],
      properties: {
        tasks: {
          type: "array",
          items: {
            type: "object",
            required: [
              "taskId",
              "platformCode",
              "state",
              "question",
              "content",
              "contentCut",
              "sources",
              "failure",
              "chargedPoints",
            ],
            properties: {
              taskId: { type: "string" },
              platformCode: { type: "string" },
              state: { type: "string" },
              question: { type: "string" },
              content: { anyOf: [{ type: "string" }, { type: "null" }] },
              contentCut: { type: "boolean" },
              sources: {
                type: "array",
                items: {
                  type: "object",
                  required: ["title", "url"],
                  properties: { title: { type: "string" }, url: { type: "string" } },
                },
              },
              failure: { anyOf: [{ type: "string" }, { type: "null" }] },
              chargedPoints: { type: "number" },
            },
          },
        },
      },
    },
  },
  platforms: {
    title: "List answer platforms",
    description:
      "Lists the available platforms with the fields that they return, their prices in points, and their health.",
    scope: "tasks:read",
    method: "GET",
    path: "/v1/platforms",
    parameters: {},
    input: { type: "object", properties: {} },
  },
  observations: {
    title: "List observed answers",
    description:
      "Lists what was observed of answers, newest first: which brands an answer names and where, which sources it cites, and with which model it was made. These are the answers that figures are made of. Read the answers themselves with the tool results.",
    scope: "tasks:read",
    method: "GET",
    path: "/v1/observations",
    parameters: { from: "observedFrom", to: "observedBefore" },
    input: {
      type: "object",
      properties: {
        project: {
          type: "string",
          minLength: 1,
          maxLength: 100,
          description: "The id or the name of a project: what its panels have asked, or what was imported into them.",
        },
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        runId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        batchId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        taskId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        importId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        platformCode: { type: "string", minLength: 1, maxLength: 64, description: "Code of a platform." },
        locale: { type: "string", minLength: 1, maxLength: 255, description: "The locale as in `cell.locale`." },
        persona: { type: "string", minLength: 1, maxLength: 255, description: "The persona as in `cell.persona`." },
        promptId: { type: "string", minLength: 1, maxLength: 255, description: "A prompt of a panel." },
        tag: { type: "string", minLength: 1, maxLength: 64, description: "A tag." },
        clientReference: { type: "string", minLength: 1, maxLength: 255, description: "Exact match." },
        entityId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        domain: { type: "string", minLength: 1, maxLength: 255, description: "Answers that cite this domain." },
        from: { type: "string", description: "ISO 8601 in UTC. Default: 28 days before the end.", format: "date-time" },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
        cursor: { type: "string", minLength: 1, maxLength: 512, description: "The `nextCursor` of the previous page." },
      },
    },
  },
  sources: {
    title: "Count sources",
    description:
      "Counts the domains that answers cite, or their addresses: those of most answers first. These are counts of a sample, without intervals.",
    scope: "tasks:read",
    method: "GET",
    path: "/v1/sources",
    parameters: { from: "observedFrom", to: "observedBefore" },
    input: {
      type: "object",
      properties: {
        project: {
          type: "string",
          minLength: 1,
          maxLength: 100,
          description: "The id or the name of a project: what its panels have asked, or what was imported into them.",
        },
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        runId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        batchId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        taskId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        importId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        platformCode: { type: "string", minLength: 1, maxLength: 64, description: "Code of a platform." },
        locale: { type: "string", minLength: 1, maxLength: 255, description: "The locale as in `cell.locale`." },
        persona: { type: "string", minLength: 1, maxLength: 255, description: "The persona as in `cell.persona`." },
        promptId: { type: "string", minLength: 1, maxLength: 255, description: "A prompt of a panel." },
        tag: { type: "string", minLength: 1, maxLength: 64, description: "A tag." },
        clientReference: { type: "string", minLength: 1, maxLength: 255, description: "Exact match." },
        entityId: {
          type: "string",
          description: "UUID, lower case. Ids created by the service are UUIDv7.",
          format: "uuid",
        },
        domain: { type: "string", minLength: 1, maxLength: 255, description: "Answers that cite this domain." },
        from: { type: "string", description: "ISO 8601 in UTC. Default: 28 days before the end.", format: "date-time" },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
        by: { enum: ["domain", "address"], default: "domain" },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 20 },
      },
    },
  },
  panels: {
    title: "List panels and brands",
    description:
      "Lists the panels (sets of prompts that are asked again and again), newest first, and the brands, products and people that their answers are searched for. A panel's figures are of the brands in its own set, whatever the relation of a brand here. Both stand in projects, such as one for each client of an agency, and a brand can be in several of them under the same name. Their ids are inputs of the other tools.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels",
    parameters: {},
    input: {
      type: "object",
      properties: {
        project: { type: "string", minLength: 1, maxLength: 100, description: "The id or the name of a project." },
      },
    },
  },
  figures: {
    title: "Figures of a panel",
    description:
      "Computes figures of a panel's answers, such as how often a brand is named. Each comes with its interval for exactly these prompts and for prompts like these, the number of answers, the period and its definition: state them together. One row for each platform, locale and persona, which are never added up. Neither are instruments (model versions): a figure is of the latest one with enough runs, and the others stand beside it. Default: the summary for every own brand and competitor, with failure_rate and refusal_rate: if many tasks fail, the other figures may be biased.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels/{panelId}/figures",
    parameters: { measures: "measure" },
    input: {
      type: "object",
      required: ["panelId"],
      properties: {
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        measures: {
          type: "array",
          minItems: 1,
          maxItems: 50,
          description: "Such as presence or mention_share. Default: the summary.",
          items: { type: "string", pattern: "^[a-z_]{1,40}$" },
        },
        entityId: { type: "string", description: "From the tool panels.", format: "uuid" },
        domain: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description:
            "For measures of a domain. Default: the ten that most answers cite, or that advertise beside or sell in most answers.",
        },
        sourceType: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "For measures of a type of sites, such as `news`. Default: the ten that most answers cite.",
        },
        by: {
          enum: ["none", "prompt", "topic", "run", "day"],
          default: "none",
          description: "One row for each of these. Default: `none`.",
        },
        blend: {
          type: "boolean",
          description: "Add up answers of all instruments, which are not comparable. Say so beside such a figure.",
        },
        platformCode: { type: "string", minLength: 1, maxLength: 255, description: "Code of a platform." },
        locale: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The locale as in `cell.locale` of observations.",
        },
        persona: { type: "string", minLength: 1, maxLength: 255, description: "The name of the persona." },
        from: {
          type: "string",
          description:
            "ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier.",
          format: "date-time",
        },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
      },
    },
  },
  changes: {
    title: "Changes of a panel",
    description:
      "Says what has changed in a panel's answers, and what cannot be told from chance. A change of the instrument, such as of a model's version, is no change of a brand.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels/{panelId}/changes",
    parameters: {},
    input: {
      type: "object",
      required: ["panelId"],
      properties: { panelId: { type: "string", description: "From the tool panels.", format: "uuid" } },
    },
  },
  compare: {
    title: "Compare two panels, platforms, locales or imports",
    description:
      "Says how two sides differ that were asked the same prompts: another panel, platform, locale, persona, import or window. Each difference comes with its interval, for exactly these prompts and for prompts like these, and a p-value that is adjusted for all differences of the comparison. Not for changes over time: use the tool changes.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels/{panelId}/comparison",
    parameters: { measures: "measure" },
    input: {
      type: "object",
      required: ["panelId"],
      properties: {
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        measures: {
          type: "array",
          minItems: 1,
          maxItems: 50,
          description: "Such as presence or mention_share. Default: the summary.",
          items: { type: "string", pattern: "^[a-z_]{1,40}$" },
        },
        entityId: { type: "string", description: "From the tool panels.", format: "uuid" },
        domain: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "For measures of a domain. Default: the ten that most answers of both arms cite.",
        },
        sourceType: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "For measures of a type of sites. Default: the ten that most answers of both arms cite.",
        },
        platformCode: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "Code of the platform. Required if the panel has answers of several.",
        },
        locale: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The locale as in `cell.locale` of observations. Required if there are several.",
        },
        persona: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The name of the persona. Required if there are several.",
        },
        kind: {
          enum: ["api", "web", "sample", "imported"],
          description: "The kind of platform. Default: answers that the service has asked for, if there are any.",
        },
        importId: { type: "string", description: "Only answers of this import.", format: "uuid" },
        from: {
          type: "string",
          description:
            "ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier.",
          format: "date-time",
        },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
        withPanelId: {
          type: "string",
          description: "The other panel, from the tool panels. Default: the same.",
          format: "uuid",
        },
        withPlatformCode: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The platform of the other arm. Default: the same.",
        },
        withLocale: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The locale of the other arm. Default: the same.",
        },
        withPersona: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The persona of the other arm. Default: the same.",
        },
        withKind: {
          enum: ["api", "web", "sample", "imported"],
          description: "The kind of platform. Default: answers that the service has asked for, if there are any.",
        },
        withImportId: { type: "string", description: "Only answers of this import.", format: "uuid" },
        withFrom: { type: "string", description: "Default: the same as `from`.", format: "date-time" },
        withTo: { type: "string", description: "Default: the same as `to`.", format: "date-time" },
      },
    },
  },
  pairs: {
    title: "Pairs of answers that disagree",
    description:
      "Lists the pairs of answers to the same prompt of which a figure of stability is the mean, by default those that name another brand first from one run to the next. Read the answers themselves with the tool results.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels/{panelId}/pairs",
    parameters: {},
    input: {
      type: "object",
      required: ["panelId"],
      properties: {
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        measure: {
          enum: [
            "source_agreement_within_days",
            "source_agreement_between_days",
            "order_agreement_within_days",
            "order_agreement_between_days",
            "first_place_changes",
            "first_place_changes_between_runs",
          ],
          default: "first_place_changes_between_runs",
          description: "Default: `first_place_changes_between_runs`.",
        },
        all: { type: "boolean", default: false, description: "Whether pairs that agree are listed, too." },
        promptId: { type: "string", minLength: 1, maxLength: 255, description: "Only pairs of this prompt." },
        platformCode: { type: "string", minLength: 1, maxLength: 255, description: "Code of a platform." },
        locale: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The locale as in `cell.locale` of observations.",
        },
        persona: { type: "string", minLength: 1, maxLength: 255, description: "The name of the persona." },
        kind: {
          enum: ["api", "web", "sample", "imported"],
          description: "The kind of platform. Default: pairs of every kind.",
        },
        from: {
          type: "string",
          description:
            "ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier.",
          format: "date-time",
        },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      },
    },
  },
  searches: {
    title: "Searches behind answers",
    description:
      "Lists the searches that platforms made to answer the prompts of a panel (fan-out), or the related questions or searches that they showed: how often, which brands they name, and which are new or gone. Counts, without intervals.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels/{panelId}/searches",
    parameters: {},
    input: {
      type: "object",
      required: ["panelId"],
      properties: {
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        kind: {
          enum: ["search", "related_question", "related_search"],
          default: "search",
          description: "Default: the searches that were made.",
        },
        by: { enum: ["none", "prompt"], default: "none", description: "`prompt`: a row for each prompt." },
        promptId: { type: "string", minLength: 1, maxLength: 255, description: "Only answers to this prompt." },
        entityId: { type: "string", description: "Only searches that name this entity.", format: "uuid" },
        platformCode: { type: "string", minLength: 1, maxLength: 255, description: "Code of a platform." },
        locale: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The locale as in `cell.locale` of observations.",
        },
        persona: { type: "string", minLength: 1, maxLength: 255, description: "The name of the persona." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 200,
          default: 50,
          description: "The most searches of a row. Default: 50.",
        },
        from: {
          type: "string",
          description:
            "ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier.",
          format: "date-time",
        },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
      },
    },
  },
  prices: {
    title: "Prices of products over time",
    description:
      "Lists the prices of the products that answers show, by product, shop, currency and day: the lowest, the highest, and where there are enough, the median and quartiles. Never combine currencies.",
    scope: "reports:read",
    method: "GET",
    path: "/v1/panels/{panelId}/prices",
    parameters: {},
    input: {
      type: "object",
      required: ["panelId"],
      properties: {
        panelId: { type: "string", description: "From the tool panels.", format: "uuid" },
        entityId: { type: "string", description: "Only products whose headings name this entity.", format: "uuid" },
        shop: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "Only products of this shop: as in the reply.",
        },
        currency: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "Only prices in this currency: as in the reply.",
        },
        promptId: { type: "string", minLength: 1, maxLength: 255, description: "Only answers to this prompt." },
        platformCode: { type: "string", minLength: 1, maxLength: 255, description: "Code of a platform." },
        locale: {
          type: "string",
          minLength: 1,
          maxLength: 255,
          description: "The locale as in `cell.locale` of observations.",
        },
        persona: { type: "string", minLength: 1, maxLength: 255, description: "The name of the persona." },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 50, description: "The most series. Default: 50." },
        from: {
          type: "string",
          description:
            "ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier.",
          format: "date-time",
        },
        to: { type: "string", description: "The first moment after the period. Default: now.", format: "date-time" },
      },
    },
  },
};

/** The arguments of each tool, after they were validated. */
export interface ToolArguments {
  ask: {
    /** The question: 1 to 10,000 characters after trimming. Must not be blank. */
    question: string;
    /** Codes from the tool platforms. */
    platforms: string[];
    /** Requests a deeper analysis. Default: false. */
    deepAnalysis?: boolean;
    /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
    country?: string;
    /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
    language?: string;
    /** Where in the country: a place, coordinates, or both. */
    location?: {
      /** City, such as `Munich`. */
      city?: string;
      /** Region or state, such as `Bavaria`. */
      region?: string;
      /** Degrees north. Requires `longitude`. */
      latitude?: number;
      /** Degrees east. Requires `latitude`. */
      longitude?: number;
    };
    /** Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed. */
    persona?: string;
    /** One of the models that the platform lists in `optionValues.model`. */
    model?: string;
    /** How much the platform searches before it answers. */
    searchDepth?: "low" | "medium" | "high";
    /** Domains to search. */
    domains?: {
      /** Search only these domains and their subdomains. */
      allow?: string[];
      /** Don't use these domains and their subdomains. */
      deny?: string[];
    };
    /** Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future. */
    since?: string;
    /** What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`. */
    onUnsupported?: "refuse" | "ignore";
    waitSeconds?: number;
  };
  results: {
    taskIds?: string[];
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    batchId?: string;
  };
  platforms: {};
  observations: {
    /** The id or the name of a project: what its panels have asked, or what was imported into them. */
    project?: string;
    /** From the tool panels. */
    panelId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    runId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    batchId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    taskId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    importId?: string;
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale`. */
    locale?: string;
    /** The persona as in `cell.persona`. */
    persona?: string;
    /** A prompt of a panel. */
    promptId?: string;
    /** A tag. */
    tag?: string;
    /** Exact match. */
    clientReference?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    entityId?: string;
    /** Answers that cite this domain. */
    domain?: string;
    /** ISO 8601 in UTC. Default: 28 days before the end. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
  };
  sources: {
    /** The id or the name of a project: what its panels have asked, or what was imported into them. */
    project?: string;
    /** From the tool panels. */
    panelId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    runId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    batchId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    taskId?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    importId?: string;
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale`. */
    locale?: string;
    /** The persona as in `cell.persona`. */
    persona?: string;
    /** A prompt of a panel. */
    promptId?: string;
    /** A tag. */
    tag?: string;
    /** Exact match. */
    clientReference?: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    entityId?: string;
    /** Answers that cite this domain. */
    domain?: string;
    /** ISO 8601 in UTC. Default: 28 days before the end. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
    by?: "domain" | "address";
    limit?: number;
  };
  panels: {
    /** The id or the name of a project. */
    project?: string;
  };
  figures: {
    /** From the tool panels. */
    panelId: string;
    /** Such as presence or mention_share. Default: the summary. */
    measures?: string[];
    /** From the tool panels. */
    entityId?: string;
    /** For measures of a domain. Default: the ten that most answers cite, or that advertise beside or sell in most answers. */
    domain?: string;
    /** For measures of a type of sites, such as `news`. Default: the ten that most answers cite. */
    sourceType?: string;
    /** One row for each of these. Default: `none`. */
    by?: "none" | "prompt" | "topic" | "run" | "day";
    /** Add up answers of all instruments, which are not comparable. Say so beside such a figure. */
    blend?: boolean;
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale` of observations. */
    locale?: string;
    /** The name of the persona. */
    persona?: string;
    /** ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
  };
  changes: {
    /** From the tool panels. */
    panelId: string;
  };
  compare: {
    /** From the tool panels. */
    panelId: string;
    /** Such as presence or mention_share. Default: the summary. */
    measures?: string[];
    /** From the tool panels. */
    entityId?: string;
    /** For measures of a domain. Default: the ten that most answers of both arms cite. */
    domain?: string;
    /** For measures of a type of sites. Default: the ten that most answers of both arms cite. */
    sourceType?: string;
    /** Code of the platform. Required if the panel has answers of several. */
    platformCode?: string;
    /** The locale as in `cell.locale` of observations. Required if there are several. */
    locale?: string;
    /** The name of the persona. Required if there are several. */
    persona?: string;
    /** The kind of platform. Default: answers that the service has asked for, if there are any. */
    kind?: "api" | "web" | "sample" | "imported";
    /** Only answers of this import. */
    importId?: string;
    /** ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
    /** The other panel, from the tool panels. Default: the same. */
    withPanelId?: string;
    /** The platform of the other arm. Default: the same. */
    withPlatformCode?: string;
    /** The locale of the other arm. Default: the same. */
    withLocale?: string;
    /** The persona of the other arm. Default: the same. */
    withPersona?: string;
    /** The kind of platform. Default: answers that the service has asked for, if there are any. */
    withKind?: "api" | "web" | "sample" | "imported";
    /** Only answers of this import. */
    withImportId?: string;
    /** Default: the same as `from`. */
    withFrom?: string;
    /** Default: the same as `to`. */
    withTo?: string;
  };
  pairs: {
    /** From the tool panels. */
    panelId: string;
    /** Default: `first_place_changes_between_runs`. */
    measure?:
      | "source_agreement_within_days"
      | "source_agreement_between_days"
      | "order_agreement_within_days"
      | "order_agreement_between_days"
      | "first_place_changes"
      | "first_place_changes_between_runs";
    /** Whether pairs that agree are listed, too. */
    all?: boolean;
    /** Only pairs of this prompt. */
    promptId?: string;
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale` of observations. */
    locale?: string;
    /** The name of the persona. */
    persona?: string;
    /** The kind of platform. Default: pairs of every kind. */
    kind?: "api" | "web" | "sample" | "imported";
    /** ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
    limit?: number;
  };
  searches: {
    /** From the tool panels. */
    panelId: string;
    /** Default: the searches that were made. */
    kind?: "search" | "related_question" | "related_search";
    /** `prompt`: a row for each prompt. */
    by?: "none" | "prompt";
    /** Only answers to this prompt. */
    promptId?: string;
    /** Only searches that name this entity. */
    entityId?: string;
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale` of observations. */
    locale?: string;
    /** The name of the persona. */
    persona?: string;
    /** The most searches of a row. Default: 50. */
    limit?: number;
    /** ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
  };
  prices: {
    /** From the tool panels. */
    panelId: string;
    /** Only products whose headings name this entity. */
    entityId?: string;
    /** Only products of this shop: as in the reply. */
    shop?: string;
    /** Only prices in this currency: as in the reply. */
    currency?: string;
    /** Only answers to this prompt. */
    promptId?: string;
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale` of observations. */
    locale?: string;
    /** The name of the persona. */
    persona?: string;
    /** The most series. Default: 50. */
    limit?: number;
    /** ISO 8601 in UTC. Default: 28 days before the end, or the last seven runs if they began earlier. */
    from?: string;
    /** The first moment after the period. Default: now. */
    to?: string;
  };
}

/** What tools return that do not return what their operation returns. */
export interface ToolOutput {
  ask: {
    tasks: {
      taskId: string;
      platformCode: string;
      state: string;
      question: string;
      content: string | null;
      contentCut: boolean;
      sources: {
        title: string;
        url: string;
      }[];
      failure: string | null;
      chargedPoints: number;
    }[];
  };
  results: {
    tasks: {
      taskId: string;
      platformCode: string;
      state: string;
      question: string;
      content: string | null;
      contentCut: boolean;
      sources: {
        title: string;
        url: string;
      }[];
      failure: string | null;
      chargedPoints: number;
    }[];
  };
}
