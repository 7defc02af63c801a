/** A panel, as its figures need it: the revision in force, and the account's entities. Plain JSON, so that a report can contain it. */
export interface PanelDefinition {
  readonly panelId: string;
  readonly name: string;
  readonly revision: number;
  /** The digest of what is asked. */
  readonly digest: string;
  readonly prompts: readonly PanelPromptDefinition[];
  /** What earlier revisions asked and this one does not: other wordings, and prompts that are gone. Without it, that is not known. */
  readonly formerPrompts?: readonly FormerPrompt[];
  /** What the revisions asked, oldest first, without those that asked the same as the one before. Without it, that is not known. */
  readonly asked?: readonly AskedRevision[];
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
  /** SHA-256 of its text, in hex. */
  readonly digest?: string;
  /** Prompts of one topic tend to agree. Those without one are taken for one topic. */
  readonly topic: string | null;
  readonly intent: string | null;
  /** The entities that the text of the prompt names: an answer names them because it was asked about them. */
  readonly branded: readonly string[];
  /** How much the prompt counts. Default: 1. */
  readonly weight?: number;
}

export interface FormerPrompt extends PanelPromptDefinition {
  readonly digest: string;
  /** The last revision that asked it. */
  readonly lastRevision: number;
}

export interface AskedRevision {
  readonly revision: number;
  /** A digest of the texts of its prompts. */
  readonly prompts: string;
  /** By the name of the persona, empty without one: a digest of its text, and of the options of the questions. */
  readonly conditions: Readonly<Record<string, string>>;
}

/** An entity of the account. Its relation is the one that the panel's set of brands gives it. */
export interface PanelEntity {
  readonly entityId: string;
  readonly name: string;
  readonly kind: "brand" | "product" | "person";
  readonly relation: "own" | "competitor" | "other";
  /** Its own sites, with their subdomains. */
  readonly domains: readonly string[];
  /** Its other names. Earlier versions have none here. */
  readonly aliases?: readonly string[];
  /** Answers that were recorded before were not searched for it. */
  readonly createdAt: string;
  /** From when on answers were searched for it by other names: when it was created, and at each change of its names and contexts. */
  readonly searchedSince?: readonly string[];
}
