import { domainToASCII } from "node:url";

/** An address to which mail can be sent, as it is written in the envelope, and as it is compared. */
export interface MailAddress {
  readonly text: string;
  readonly key: string;
}

/**
 * Null: it is not one, or one of the forms that no mailbox of people has, such as with quotes or an address literal. So an address needs
 * no escaping in a header or in an SMTP command, and is no name of a machine in an internal network.
 */
export function readMailAddress(text: string): MailAddress | null {
  const [, local = "", domain = ""] = /^([^@]+)@([^@]+)$/.exec(text.trim().normalize("NFC")) ?? [];
  if (local.length > 64 || !/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local)) return null;
  const ascii = domainToASCII(domain);
  if (ascii.length > 253 || !/^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/.test(ascii))
    return null;
  const address = `${local}@${ascii}`;
  return { text: address, key: address.toLowerCase() };
}
