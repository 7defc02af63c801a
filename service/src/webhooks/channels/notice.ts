/** A message for people, whatever it arrives in. Its texts may have names that anybody has chosen. */
export interface Notice {
  /** One sentence: what it is about. */
  readonly title: string;
  readonly paragraphs: readonly NoticePart[];
  /** Addresses of the service itself. */
  readonly links: readonly { readonly words: string; readonly url: string }[];
  /** Ends a list that was cut. */
  readonly more: (count: number) => string;
  readonly at: Date;
  readonly incident: Incident;
}

export type NoticePart = string | { readonly list: readonly string[] };

/** What a service for incidents makes of it. */
export interface Incident {
  /** Notices with the same key are about the same incident. */
  readonly key: string;
  readonly severity: "critical" | "error" | "warning" | "info";
  /** It is over: the incident is resolved. */
  readonly isOver: boolean;
  /** What is affected. */
  readonly source: string;
}

/** Event of a delivery to a channel, from which its notice is composed. */
export interface EventToTell {
  readonly accountId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: unknown;
}

/** Makes the notice of an event. Null: it says nothing to people. */
export type ComposeNotice = (event: EventToTell) => Notice | null;
