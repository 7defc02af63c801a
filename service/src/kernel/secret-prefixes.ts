/** What the secrets of each kind begin with, so that one of another kind is told apart before anything is looked for. */
export const secretPrefixes = {
  accessToken: "qrt_",
  /** An access token of a connected assistant. */
  connection: "qrc_",
  signing: "whsec_",
} as const;
