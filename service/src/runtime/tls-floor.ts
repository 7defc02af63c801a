import tls from "node:tls";

const floor = "TLSv1.2";

/**
 * Requires TLS 1.2 or later of every connection that the process makes: to platforms, receivers of webhooks, S3 and PostgreSQL. Node's own
 * default is the same, but its options lower it (`--tls-min-v1.0`), and so does an environment that was set up for another program.
 */
export function requireTls12(): void {
  if (tls.DEFAULT_MIN_VERSION < floor) tls.DEFAULT_MIN_VERSION = floor;
}
