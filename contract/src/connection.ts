/** Assistants that people connect by signing in, in place of a token that is pasted. */
import { Type, type Static } from "typebox";
import { scopes, type Scope } from "./operation.ts";
import { Closed, Nullable, Timestamp, Uuid } from "./scalars.ts";

/** What an assistant can be given: the scopes of the tools. The last one costs points. */
export const assistantScopes = ["tasks:read", "reports:read", "tasks:write"] as const satisfies readonly Scope[];
export type AssistantScope = (typeof assistantScopes)[number];

const assistantScopeList = (description: string) => Type.Array(Type.Enum([...assistantScopes]), { description });

/** Names a request to connect without revealing the secret in the browser's cookie. */
const connectionRequestId = Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" });

const clientName = Type.String({
  description:
    "What the client calls itself, in at most 80 characters that are letters, digits, spaces and punctuation. Nobody has verified it.",
});

/** How a client is known. */
const clientHost = Nullable(Type.String(), {
  description:
    "The host that publishes the client's description, by HTTPS. Null: the client registered itself, and nothing that it says of itself is verified.",
});

const redirectHost = Type.String({
  description:
    "The host to which the browser is sent with the answer, as in its address; of an app on the person's own device, the scheme of its address, such as `cursor:`.",
});

/** A request of an assistant to be connected, for the page on which the person decides. */
export const ConnectionRequest = Type.Object({
  requestId: connectionRequestId,
  client: Type.Object({ name: clientName, host: clientHost }),
  redirect: Type.Object({
    host: redirectHost,
    kind: Type.Enum(["web", "device", "app"], {
      description:
        "`web`: a website. `device`: a program on this device, at an address such as `http://localhost`. `app`: whichever app of this device has claimed the scheme. Every program of a device can pass itself off as another in the last two.",
    }),
  }),
  accountId: Uuid,
  accountName: Type.String(),
  requested: assistantScopeList("What the client asks for, of what assistants can be given."),
  allowed: assistantScopeList("What of it the person's role in the account allows. Nothing else can be given."),
  expiresAt: Timestamp,
});
export type ConnectionRequest = Static<typeof ConnectionRequest>;

/** What the person has decided. */
export const ConnectionDecision = Closed({
  requestId: {
    ...connectionRequestId,
    description: "The request that the page has shown. If the browser has begun another one since, nothing is decided.",
  },
  scopes: Type.Array(Type.Enum([...scopes]), {
    maxItems: scopes.length,
    uniqueItems: true,
    description: "What the assistant may do, of what it asks for and the role allows. Empty: the request is refused.",
  }),
  accountId: {
    ...Uuid,
    description: "The account that the page has shown. If the login is for another one, nothing is decided.",
  },
});
export type ConnectionDecision = Static<typeof ConnectionDecision>;

/** Where the browser goes with the decision. */
export const ConnectionAnswer = Type.Object({
  address: Type.String({ description: "An address of this service, which sends the browser back to the client." }),
});
export type ConnectionAnswer = Static<typeof ConnectionAnswer>;

/** An assistant that a person has connected. */
export const ConnectionRecord = Type.Object({
  connectionId: Uuid,
  accountId: Uuid,
  accountName: Type.String(),
  memberId: Uuid,
  email: Type.String({ description: "The person who has connected it." }),
  client: Type.Object({ name: clientName, host: clientHost }),
  redirectHost,
  scopes: assistantScopeList(
    "What the person has given it. At each request it can do what the person's role allows of that at the time.",
  ),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp, { description: "With a precision of one minute." }),
});
export type ConnectionRecord = Static<typeof ConnectionRecord>;

/** The most connections of a person in one account: the one that was used longest ago gives way. */
export const connectionsMax = 50;
export const ConnectionList = Type.Object({
  connections: Type.Array(ConnectionRecord, { description: "Newest first. At most 500." }),
});
export type ConnectionList = Static<typeof ConnectionList>;
