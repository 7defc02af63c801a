/** Classifies a response: a success, a problem, or not from a Querent service. */
import { UnexpectedReplyError, type ErrorContext } from "./errors.ts";
import type { Problem } from "./wire.ts";
export declare function problemIn(text: string): Problem | null;
export declare function parseJson(text: string, response: Response): unknown;
export declare function notOurs(response: Response, text: string, context?: ErrorContext): UnexpectedReplyError;
/** The message of the innermost cause, because the error of fetch is only "fetch failed". */
export declare function causeText(error: unknown): string;
