/** The logger methods that are needed; pino provides them. */
export interface NotifierLog {
  debug(event: object): void;
  info(event: object): void;
  warn(event: object): void;
  error(event: object): void;
}
