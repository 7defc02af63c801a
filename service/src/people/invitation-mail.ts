/** Mails an invitation's link to the person, and says to whoever invites what became of it. */
import type { consoleLanguages, InvitationMail } from "@querent/contract";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { newId } from "../kernel/ids.ts";
import { composed, type Letter, type Mailer, type MailOutcome } from "../mail/index.ts";

export interface InvitationToMail {
  readonly accountId: string;
  readonly accountName: string;
  readonly email: string;
  /** The e-mail address of who invites; null: a program. */
  readonly by: string | null;
  readonly link: string;
  readonly expiresAt: Date;
  readonly language: Language;
}

type Language = (typeof consoleLanguages)[number];

/** Mails of one account, and to one address, from a process: nobody fills somebody's mailbox with the service's good name. */
const ofAccount = { points: 100, duration: 24 * 3600 };
const toAddress = { points: 5, duration: 24 * 3600 };

export class InvitationMailer {
  readonly #mailer: Mailer;
  readonly #onRefused: (outcome: MailOutcome) => void;
  readonly #ofAccount = new RateLimiterMemory(ofAccount);
  readonly #toAddress = new RateLimiterMemory(toAddress);

  /** `onRefused` is called with what the operator has to know. */
  constructor(mailer: Mailer, onRefused: (outcome: MailOutcome) => void) {
    this.#mailer = mailer;
    this.#onRefused = onRefused;
  }

  get readiness() {
    const { from, missing } = this.#mailer;
    return { from, missing };
  }

  /** Returns when the mail server has taken it or not. The invitation stays as it is: its link can be sent by hand. */
  async send(invitation: InvitationToMail): Promise<InvitationMail> {
    const { accountId, email } = invitation;
    const { missing } = this.#mailer;
    if (missing !== null) return { state: "failed", detail: `${missing} Send the link yourself.` };
    const isWithin = await Promise.all([
      this.#ofAccount.consume(accountId),
      this.#toAddress.consume(email.toLowerCase()),
    ]).then(...settled);
    if (!isWithin)
      return {
        state: "failed",
        detail: `Nothing was sent: in a day, an account mails at most ${ofAccount.points} invitations, and ${toAddress.points} to one address. Send the link yourself.`,
      };
    const id = newId();
    const outcome = await this.#mailer.send({
      ...composed(id, letter(invitation)),
      ...{ to: email, id, date: new Date(), unsubscribe: null },
    });
    if (outcome.kind !== "accepted") this.#onRefused(outcome);
    return described(outcome, email);
  }
}

const settled = [() => true, () => false] as const;

/** Without what concerns the operator alone, such as the server's name and what it replied. */
function described(outcome: MailOutcome, email: string): InvitationMail {
  if (outcome.kind === "accepted")
    return { state: "accepted", detail: `The mail server has taken the mail to ${email}.` };
  if (outcome.kind === "refused" && outcome.stage === "recipient" && outcome.isFinal)
    return {
      state: "refused",
      detail: `The mail server takes no mail for ${email}. Check the address, or send the link yourself.`,
    };
  if (outcome.kind === "faulted" && outcome.stage === "message")
    return {
      state: "unknown",
      detail: `The mail server did not say whether it has taken the mail to ${email}. If nothing arrives, send the link yourself.`,
    };
  return {
    state: "failed",
    detail: `Nothing was sent to ${email}: the mail server could not be used, and the service's log says why. Send the link yourself.`,
  };
}

function letter({ accountName, by, link, expiresAt, language, email }: InvitationToMail): Letter {
  const say = words[language];
  const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(expiresAt);
  const paragraphs = [say.what(by, accountName), { words: say.join, url: link }, say.works(email, day), say.otherwise];
  return { language, subject: say.subject(accountName), paragraphs };
}

const words = {
  en: {
    subject: (account: string) => `Invitation to ${account} on Querent`,
    what: (by: string | null, account: string) =>
      `${by === null ? "You are invited" : `${by} invites you`} to the account “${account}” on Querent, which asks AI assistants questions and shows what they answer.`,
    join: "Join",
    works: (email: string, day: string) => `The link is for ${email}. It works once, and until ${day} (UTC).`,
    otherwise: "If you do not know who invites you, ignore this mail: without the link being opened, nothing happens.",
  },
  "zh-CN": {
    subject: (account: string) => `邀请您加入 Querent 上的“${account}”`,
    what: (by: string | null, account: string) =>
      `${by === null ? "您获邀" : `${by} 邀请您`}加入 Querent 上的账户“${account}”。Querent 向 AI 助手提问，并展示它们的回答。`,
    join: "加入",
    works: (email: string, day: string) => `此链接仅供 ${email} 使用，只能使用一次，有效期至 ${day}（UTC）。`,
    otherwise: "如果您不认识邀请人，请忽略此邮件：不打开链接，什么也不会发生。",
  },
} satisfies Record<Language, unknown>;
