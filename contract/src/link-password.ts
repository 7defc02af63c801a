import { Type, type Static } from "typebox";
import { passwordLengthMax, passwordLengthMin } from "./person.ts";
import { Closed, Nullable, StorableText } from "./scalars.ts";

/** The password of a link to a report, or of an address of figures. */
export const linkPassword = StorableText({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: `Whoever opens it has to know this password. At least ${passwordLengthMin} characters; those that are known from breaches, or that are guessed as easily, are refused. It is never shown again. Null, or left out: none.`,
});

/** Sets, changes or removes the password of a link. */
export const LinkPassword = Closed({ password: Nullable(linkPassword) });
export type LinkPassword = Static<typeof LinkPassword>;

/** What the page that asks for the password of a link sends. */
export const LinkPasswordForm = Closed({
  password: Type.String({ maxLength: passwordLengthMax, description: "The link's password." }),
});
