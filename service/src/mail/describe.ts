import type { Mailer, MailOutcome } from "./mailer.ts";

/** In sentences for the operator: what happened to a message, or to the check of the server, and what to do. */
export function describeOutcome(
  outcome: MailOutcome,
  { server, from, missing }: Pick<Mailer, "server" | "from" | "missing">,
): string {
  const place = server === null ? "the mail server" : `${server.host}:${server.port}`;
  if (outcome.kind === "stopped") return "The process is stopping. Try again.";
  if (outcome.kind === "accepted") return `${place} has taken it.`;
  if (outcome.kind === "faulted") {
    const { why, stage } = outcome;
    if (why === "not_set_up") return missing ?? "No mail can be sent with these settings.";
    if (why === "dns")
      return `The name ${server?.host ?? ""} could not be resolved. Check the host in QUERENT_SMTP_URL.`;
    if (why === "connect")
      return `Nothing answers at ${place}. Check host and port in QUERENT_SMTP_URL, and that a firewall lets this machine connect there.`;
    if (why === "tls") return tlsAdvice(place, server?.tls ?? "implicit");
    if (why === "timeout")
      return `${place} took too long${stage === "message" ? " to take the message. It may have taken it nevertheless" : ""}. ${slow(server?.tls)}`;
    if (why === "malformed") return `${place} does not answer as a mail server does. ${slow(server?.tls)}`;
    return stage === "message"
      ? `${place} closed the connection before it said whether it has taken the message. It may have.`
      : `${place} closed the connection. ${slow(server?.tls)}`;
  }
  const reply = `${place} replied: ${outcome.reply}`;
  const isForNow = outcome.status < 500 && outcome.stage !== "sign_in";
  if (isForNow) return `${reply}. It does not take it for now, which may pass: try again in some minutes.`;
  if (outcome.stage === "sign_in")
    return `${reply}. Check the user name and the password in QUERENT_SMTP_URL; many providers want a password for applications.`;
  if (outcome.stage === "sender")
    return `${reply}. It does not take mail from ${from ?? "the sender"}: check QUERENT_MAIL_FROM, and whether the provider knows this address as yours.`;
  if (outcome.stage === "recipient")
    return `${reply}. It does not take mail for this recipient: check the address, and whether the server takes mail for other domains from this machine.`;
  return `${reply}. It does not take this message.`;
}

/** A port that speaks TLS at once, and one that does not, look like silence or nonsense to each other. */
const slow = (tls: "implicit" | "starttls" | "off" | undefined) =>
  tls === "implicit"
    ? "If the port is 587 or 25, write smtp:// instead of smtps://."
    : "If the port is 465, write smtps:// instead of smtp://.";

const tlsAdvice = (place: string, tls: "implicit" | "starttls" | "off") =>
  tls === "starttls"
    ? `No trusted TLS with ${place}: it offers no STARTTLS, or its certificate is not of a known authority, expired, or of another name. Name the authority in QUERENT_EGRESS_CA, or write smtps:// for port 465. Nothing was sent.`
    : `No trusted TLS with ${place}: its certificate is not of a known authority, expired, or of another name, or the port is one without TLS. Name the authority in QUERENT_EGRESS_CA, or write smtp:// for port 587. Nothing was sent.`;
