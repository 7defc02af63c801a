export { describeOutcome } from "./describe.ts";
export { composed, type Letter, type Paragraph, type SubscribedLetter } from "./letter.ts";
export { Mailer, type MailerOptions, type MailOutcome, type MailStage, type Message } from "./mailer.ts";
export { readSender, readSmtpServer, type MailFrom, type SmtpServer } from "./settings.ts";
