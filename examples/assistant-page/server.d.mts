export function startAssistantPage(options?: { port?: number; host?: string }): Promise<{
  readonly address: string;
  /** Questions so far. */
  asked(): number;
  close(): Promise<void>;
}>;
