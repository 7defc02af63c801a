/** Begins each access token of a connection, so that other tokens are never looked for among them. */
export const connectionTokenPrefix = "qrc_";

/** Whether a token is that of a connected assistant, if it is a token at all. */
export const isConnectionToken = (token: string) => token.startsWith(connectionTokenPrefix);
