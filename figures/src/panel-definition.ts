/** A panel, as its figures need it: the revision in force, and the account's entities. Plain JSON, so that a report can contain it. */
export interface PanelDefinition {
  readonly panelId: string;
  readonly name: string;
  readonly revision: number;
  /** The digest of what is asked. */
  readonly digest: string;
  readonly prompts: readonly PanelPromptDefinition[];
  readonly platforms: readonly string[];
  readonly locales: readonly string[];
  readonly personas: readonly string[];
  readonly repeats: number;
  readonly entities: readonly PanelEntity[];
  /** From when on the tasks that failed were recorded. Without it, it is not known which did. */
  readonly failuresSince?: string;
}

export interface PanelPromptDefinition {
  readonly promptId: string;
  /** Prompts of one topic tend to agree. Those without one are taken for one topic. */
  readonly topic: string | null;
  readonly intent: string | null;
  /** The entities that the text of the prompt names: an answer names them because it was asked about them. */
  readonly branded: readonly string[];
  /** How much the prompt counts. Default: 1. */
  readonly weight?: number;
}

export interface PanelEntity {
  readonly entityId: string;
  readonly name: string;
  readonly kind: "brand" | "product" | "person";
  readonly relation: "own" | "competitor" | "other";
  /** Its own sites, with their subdomains. */
  readonly domains: readonly string[];
  /** Answers that were recorded before were not searched for it. */
  readonly createdAt: string;
}
