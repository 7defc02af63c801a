import { Type, type Static } from "typebox";
import { Closed, Nullable, StorableText, Timestamp, Uuid } from "./scalars.ts";

export const SessionName = Type.String({
  pattern: "^[a-z0-9][a-z0-9._-]{0,63}$",
  description:
    "Names the account at the platform: 1 to 64 lowercase letters, digits, dots, hyphens and underscores, beginning with a letter or digit.",
});

export const SignInRequest = Closed({
  platformCode: StorableText({ minLength: 1, maxLength: 64, description: "A web platform." }),
  name: SessionName,
  country: Type.Optional(
    Nullable(
      Type.String({
        pattern: "^[A-Z]{2}$",
        description:
          "Visit the page from this country, through the proxy that tasks with `options.country` use. Default: from where the service is.",
      }),
    ),
  ),
});
export type SignInRequest = Static<typeof SignInRequest>;

/** A page of a browser of the service, in which an operator signs in to a web platform. */
export const SignIn = Type.Object({
  signInId: Uuid,
  platformCode: Type.String(),
  name: Type.String({ description: "The name that the session will have." }),
  expiresAt: Timestamp,
  version: Type.Integer({ minimum: 0, description: "Increases with every change. Pass it as `after`." }),
  pages: Type.Array(
    Type.Object({
      pageId: Type.String(),
      address: Type.String({ description: "The origin and path that the page is on, without its query." }),
    }),
    { description: "The platform's page, and windows that it has opened." },
  ),
  shownPageId: Nullable(Type.String(), { description: "The page that the picture shows and that receives input." }),
  picture: Nullable(
    Type.Object({
      jpeg: Type.String({ description: "A JPEG file, in base64." }),
      width: Type.Integer({ description: "The width of the page in CSS pixels. Positions of input refer to it." }),
      height: Type.Integer(),
    }),
  ),
});
export type SignIn = Static<typeof SignIn>;

const place = {
  x: Type.Number({ minimum: 0, maximum: 10_000 }),
  y: Type.Number({ minimum: 0, maximum: 10_000 }),
};
const distance = Type.Number({ minimum: -10_000, maximum: 10_000 });

export const SignInEvent = Type.Union([
  Closed({ type: Type.Literal("move"), ...place }),
  Closed({ type: Type.Literal("press"), ...place, clicks: Type.Integer({ minimum: 1, maximum: 3 }) }),
  Closed({ type: Type.Literal("release"), ...place, clicks: Type.Integer({ minimum: 1, maximum: 3 }) }),
  Closed({ type: Type.Literal("wheel"), ...place, deltaX: distance, deltaY: distance }),
  Closed({
    type: Type.Literal("key"),
    key: Type.String({
      pattern:
        "^(Enter|Tab|Backspace|Delete|Escape|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|Home|End|PageUp|PageDown|[a-z])$",
    }),
    shift: Type.Boolean(),
    control: Type.Boolean(),
  }),
  Closed({ type: Type.Literal("text"), text: Type.String({ minLength: 1, maxLength: 4096 }) }),
  Closed({ type: Type.Literal("show"), pageId: Type.String({ minLength: 1, maxLength: 36 }) }),
]);
export type SignInEvent = Static<typeof SignInEvent>;

export const SignInInput = Closed({ events: Type.Array(SignInEvent, { minItems: 1, maxItems: 64 }) });
export type SignInInput = Static<typeof SignInInput>;

/** What is relied on of a session that is imported; the browser checks the rest. */
export const SessionState = Type.Object(
  {
    cookies: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), domain: Type.String() }), {
      maxItems: 5_000,
    }),
    origins: Type.Array(Type.Object({ origin: Type.String() }), { maxItems: 1_000 }),
  },
  { description: "Playwright's storage state, as `querentd recipe sign-in` writes it." },
);
export type SessionState = Static<typeof SessionState>;
