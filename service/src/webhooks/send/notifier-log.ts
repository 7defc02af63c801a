/** The few methods of a logger that are needed; pino's fit. */
export interface NotifierLog {
  debug(event: object): void;
  info(event: object): void;
  warn(event: object): void;
  error(event: object): void;
}
