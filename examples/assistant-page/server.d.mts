export function startAssistantPage(options?: { port?: number; host?: string }): Promise<{
  readonly address: string;
  close(): Promise<void>;
}>;
