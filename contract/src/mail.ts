/** Mail: whether the service can send it, with what, and the test of it. */
import { Type, type Static } from "typebox";
import { Closed, Nullable, StorableText } from "./scalars.ts";

export const mailAddress = StorableText({
  minLength: 3,
  maxLength: 254,
  description: "A mail address. Case does not matter.",
});

export const MailReadiness = Type.Object({
  from: Nullable(Type.String(), { description: "From whom mail is." }),
  missing: Nullable(Type.String(), { description: "Why no mail can be sent, for people. Null: it can be tried." }),
});

/** What mail is sent with, for operators. */
export const MailSettings = Type.Object({
  ...MailReadiness.properties,
  server: Nullable(
    Type.Object({ host: Type.String(), port: Type.Integer(), tls: Type.Enum(["implicit", "starttls", "off"]) }),
  ),
});
export type MailSettings = Static<typeof MailSettings>;

export const MailTestRequest = Closed({ to: mailAddress });
export const MailTest = Type.Object({
  passed: Type.Boolean({ description: "The mail server has taken the message." }),
  detail: Type.String({ description: "What happened and what to do, for people." }),
  stage: Nullable(
    Type.Enum(["settings", "name", "connection", "tls", "sign_in", "sender", "recipient", "message"], {
      description: "Where it failed. Null: it passed.",
    }),
  ),
  status: Nullable(Type.Integer(), { description: "The server's SMTP reply code. Null: it gave none." }),
  durationMs: Type.Integer({ minimum: 0 }),
});
export type MailTest = Static<typeof MailTest>;
