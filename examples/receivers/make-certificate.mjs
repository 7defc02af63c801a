/**
 * Creates a certificate for a receiver on this machine: `receiver-cert.pem` and `receiver-key.pem` in the current folder,
 * for localhost and 127.0.0.1, valid for 30 days. For development only.
 *
 *   node examples/receivers/make-certificate.mjs
 *
 * The same with OpenSSL:
 *
 *   openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
 *     -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout receiver-key.pem -out receiver-cert.pem
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { writeFileSync } from "node:fs";

// A certificate is DER: nested elements of a tag, a length and the content.
const der = (tag, ...parts) => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts) => der(0x30, ...parts);
const time = (date) => der(0x17, date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, "") + "Z");
const extension = (oid, critical, value) =>
  sequence(der(0x06, oid), ...(critical ? [der(0x01, [0xff])] : []), der(0x04, value));

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const ecdsaWithSha256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const commonName = sequence(der(0x31, sequence(der(0x06, [0x55, 0x04, 0x03]), der(0x0c, "Querent test receiver"))));
const serial = randomBytes(16);
serial[0] = (serial[0] & 0x7f) | 0x40;
const now = Date.now();

const certificate = sequence(
  der(0xa0, der(0x02, [2])), // version 3
  der(0x02, serial),
  ecdsaWithSha256,
  commonName,
  sequence(time(new Date(now - 3_600_000)), time(new Date(now + 30 * 86_400_000))),
  commonName,
  publicKey.export({ type: "spki", format: "der" }),
  der(
    0xa3,
    sequence(
      extension([0x55, 0x1d, 0x13], true, sequence(der(0x01, [0xff]))), // is a certificate authority
      extension([0x55, 0x1d, 0x11], false, sequence(der(0x82, "localhost"), der(0x87, [127, 0, 0, 1]))),
    ),
  ),
);
const signed = sequence(certificate, ecdsaWithSha256, der(0x03, [0], sign("sha256", certificate, privateKey)));

const lines = signed.toString("base64").match(/.{1,64}/g) ?? [];
writeFileSync("receiver-key.pem", privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
writeFileSync("receiver-cert.pem", `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`);
console.log("Created receiver-cert.pem and receiver-key.pem.");
