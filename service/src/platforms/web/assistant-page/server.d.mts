export interface AssistantPage {
  readonly address: string;
  readonly port: number;
  /** Questions so far. */
  asked(): number;
  close(): Promise<void>;
}

export function startAssistantPage(options?: {
  port?: number;
  host?: string;
  standInFor?: (host: string) => string | null | undefined;
}): Promise<AssistantPage>;
