import { querentd, startCommand } from "../kernel/program-name.ts";

/** What a platform lacks, and the command with which the operator sets it up. Clients see both, so neither has a path or a secret. */
export interface SetUp {
  readonly reason: string;
  readonly command: string;
}

/** What sets up each kind of platform: the start of the service, `GET /v1/platforms`, errors of submissions and commands say the same. */
export const setUps = {
  /** A model API: one of these variables contains its key. */
  key: (variables: readonly string[]): SetUp => ({
    reason: `No key: add one in the console, or set the environment variable ${variables.join(" or ")}.`,
    command: `${variables[0] ?? "KEY"}=YOUR_KEY ${startCommand}`,
  }),
  /** A page whose recipe is included. The operator is responsible for the page's terms, so signing in to it is the operator's choice. */
  page: (code: string): SetUp => ({
    reason: `Its recipe was not checked on the live page, so it is off until the operator signs in to the page with a command or in the console, or writes \`${code}: {recipe: built-in}\` into the file of QUERENT_CONFIG.`,
    command: `${querentd} session sign-in ${code}`,
  }),
  /** The same while a stand-in answers. */
  standIn: (code: string): SetUp => ({
    reason:
      "An example page of this service answers in place of this platform until the operator signs in to the real page with a command or in the console.",
    command: `${querentd} session sign-in ${code}`,
  }),
  /** Each of its sessions needs a person. */
  signedOut: (code: string): SetUp => ({
    reason: "Each session of this page is signed out or needs a person.",
    command: `${querentd} session sign-in ${code}`,
  }),
  /** A web page, and no worker has a browser for it. The command tells the operator why, and what to install. */
  browser: {
    reason:
      "This platform is a web page, and no worker of this service has a browser that works. Tasks for it are accepted again once one has.",
    command: `${querentd} doctor`,
  },
  /** Anything else, which only the operator may see. */
  other: {
    reason: "The operator has not configured this platform.",
    command: `${querentd} doctor`,
  },
} as const satisfies Readonly<Record<string, SetUp | ((...given: never[]) => SetUp)>>;

/** In one sentence or two, with the command. */
export const describeSetUp = ({ reason, command }: SetUp): string =>
  `${reason} To set it up, the operator runs: ${command}`;
