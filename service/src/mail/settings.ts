/** Where mail is handed over, and from whom it is: what the operator configures. */
import { readMailAddress } from "../kernel/mail-address.ts";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte (port 465). `starttls`: required before anything is sent. `off`: never, for a relay on this machine. */
  readonly tls: "implicit" | "starttls" | "off";
  /** Null: the server takes mail without signing in. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** From whom mail is. */
export interface MailFrom {
  /** Empty: none. */
  readonly name: string;
  readonly address: string;
}

const ports = { implicit: 465, starttls: 587, off: 25 } as const;

/** Reads `smtps://user:password@host`, `smtp://host:587` or `smtp://host:25?tls=off`. Throws a sentence that completes "NAME ...". */
export function readSmtpServer(value: string): SmtpServer {
  const url = URL.parse(value);
  const form = "must be an address like smtps://user:password@mail.example.com or smtp://mail.example.com:587.";
  if (
    url === null ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === "" ||
    !/^\/?$/.test(url.pathname) ||
    url.hash !== ""
  )
    throw new Error(form);
  const off = url.search === "?tls=off";
  if (url.search !== "" && !off) throw new Error("has a query other than `?tls=off`.");
  if (off && url.protocol === "smtps:") throw new Error("asks for TLS with smtps:// and for none with `?tls=off`.");
  const login = loginOf(url);
  if (off && login !== null)
    throw new Error("has a password, which `?tls=off` would send in the clear. Leave out one of them.");
  const tls = off ? "off" : url.protocol === "smtps:" ? "implicit" : "starttls";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: url.port === "" ? ports[tls] : Number(url.port), tls, login };
}

function loginOf({ username, password }: URL): SmtpServer["login"] {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") throw new Error("needs a user name and a password, or neither.");
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch (error) {
    throw new Error("has a `%` in the user name or password that is not an escape: write it as `%25`.", {
      cause: error,
    });
  }
}

/** Reads `reports@example.com` or `Name <reports@example.com>`. Throws a sentence that completes "NAME ...". */
export function readSender(value: string): MailFrom {
  const [, quoted, bracketed] = /^(.*?)\s*<([^<>]*)>$/.exec(value.trim()) ?? [];
  const address = readMailAddress(bracketed ?? value);
  const name = (quoted ?? "").replace(/^"(.*)"$/, "$1").trim();
  if (address === null || name.length > 100 || /[\p{C}"\\<>]/u.test(name))
    throw new Error('must be an address like reports@example.com or "Querent <reports@example.com>".');
  return { name, address: address.text };
}
