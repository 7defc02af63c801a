/** An authenticator in software, with the browser before it: it makes passkeys and answers with them, as it should or as an attacker would. */
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import type { NewPasskey, PasskeyAnswer } from "@querent/contract";

export interface Passkey {
  readonly credentialId: string;
  readonly userHandle: string;
  readonly rpId: string;
  readonly privateKey: KeyObject;
  counter: number;
}

/** What differs from what an honest browser and authenticator say. */
export interface Tampering {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly signWith?: KeyObject;
  /** A statement of a manufacturer in the new passkey. */
  readonly statement?: { readonly fmt: string; readonly attStmt: Readonly<Record<string, CborValue>> };
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}
interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();
const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");

/** Makes a passkey for what the service asks. */
export function makePasskey(
  asked: object,
  origin: string,
  tampering: Tampering = {},
): { passkey: Passkey; sent: NewPasskey } {
  const options = asked as CreationOptions;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const cose = cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
  const counter = tampering.counter ?? 0;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const data = authenticatorData(options.rp.id, counter, tampering, [Buffer.alloc(16), length, id, cose]);
  const attestation = cbor(
    new Map<string, CborValue>([
      ["fmt", tampering.statement?.fmt ?? "none"],
      ["attStmt", new Map(Object.entries(tampering.statement?.attStmt ?? {}))],
      ["authData", data],
    ]),
  );
  const passkey = { credentialId: b64(id), userHandle: options.user.id, rpId: options.rp.id, privateKey, counter };
  const clientData = clientDataOf("webauthn.create", options.challenge, origin, tampering);
  return {
    passkey,
    sent: {
      credentialId: passkey.credentialId,
      clientData: b64(clientData),
      attestation: b64(attestation),
      transports: ["internal"],
      name: "Test",
    },
  };
}

/** Answers what the service asks. The counter of a passkey that counts goes on. */
export function answerWith(passkey: Passkey, asked: object, origin: string, tampering: Tampering = {}): PasskeyAnswer {
  const options = asked as RequestOptions;
  if (passkey.counter > 0) passkey.counter++;
  const data = authenticatorData(passkey.rpId, tampering.counter ?? passkey.counter, tampering);
  const clientData = clientDataOf("webauthn.get", options.challenge, origin, tampering);
  const signature = createSign("sha256")
    .update(Buffer.concat([data, hash(clientData)]))
    .sign(tampering.signWith ?? passkey.privateKey);
  return {
    credentialId: passkey.credentialId,
    clientData: b64(clientData),
    authenticatorData: b64(data),
    signature: b64(signature),
    userHandle: tampering.userHandle === undefined ? passkey.userHandle : tampering.userHandle,
  };
}

const clientDataOf = (type: string, challenge: string, origin: string, tampering: Tampering) =>
  Buffer.from(
    JSON.stringify({
      type: tampering.type ?? type,
      challenge: tampering.challenge ?? challenge,
      origin: tampering.origin ?? origin,
      crossOrigin: false,
    }),
  );

function authenticatorData(
  rpId: string,
  counter: number,
  { rpId: other, userVerified = true, userPresent = true }: Tampering,
  attested: readonly Buffer[] = [],
): Buffer {
  const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | (attested.length > 0 ? 64 : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([hash(other ?? rpId), Buffer.from([flags]), count, ...attested]);
}

type CborValue = number | string | Buffer | readonly CborValue[] | ReadonlyMap<number | string, CborValue>;

/** CBOR (RFC 8949), as far as authenticators use it. */
export function cbor(value: CborValue): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
  const items = value as readonly CborValue[];
  return Buffer.concat([head(4, items.length), ...items.map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
