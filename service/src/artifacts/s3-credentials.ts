import { readFile } from "node:fs/promises";
import { load } from "cheerio";
import { request, type Dispatcher } from "undici";

/** The keys that requests are signed with. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Keys of a role are only valid with it. */
  readonly sessionToken?: string;
}

/** Where the keys come from. */
export interface S3Credentials {
  /** Throws a `CredentialsError` if there are none. */
  read(signal: AbortSignal): Promise<S3Keys>;
  /** Called when the server said that these keys are not valid, or no longer. True: others may be. */
  refused(keys: S3Keys): boolean;
}

/** The message is for the operator, and contains no secret. */
export class CredentialsError extends Error {
  override readonly name = "CredentialsError";
}

export const fixedKeys = (keys: S3Keys): S3Credentials => ({ read: async () => keys, refused: () => false });

interface RoleKeys extends S3Keys {
  readonly sessionToken: string;
  readonly expiresAt: number;
}

/** Keys are renewed this long before they expire. */
const renewBeforeMs = 5 * 60_000;
/** After a failure, keys that are still valid are used for this long before the next try. */
const retryAfterMs = 10_000;
const answerMs = 5_000;
const answerBytesMax = 64 * 1024;

/**
 * Temporary keys of the role that this process runs with: of a Kubernetes service account that is federated with AWS (IRSA), of an EKS
 * pod identity or an ECS task, or of an EC2 instance, in this order. The environment that AWS sets says which; without it, the instance
 * is asked. Sources: https://docs.aws.amazon.com/sdkref/latest/guide/feature-assume-role-credentials.html,
 * …/feature-container-credentials.html, …/feature-imds-credentials.html.
 */
export function roleKeys(environment: NodeJS.ProcessEnv, region: string): S3Credentials {
  const source = sourceOf(environment, region);
  let keys: RoleKeys | null = null;
  let renewing: Promise<RoleKeys> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  const renew = async (): Promise<RoleKeys> => {
    try {
      return (keys = await source());
    } catch (error) {
      failedAt = Date.now();
      if (keys !== null && keys.expiresAt > Date.now()) return keys;
      throw error;
    }
  };
  return {
    async read(signal) {
      signal.throwIfAborted();
      const isFresh = keys !== null && keys.expiresAt - renewBeforeMs > Date.now();
      const isResting = keys !== null && keys.expiresAt > Date.now() && failedAt + retryAfterMs > Date.now();
      if (keys !== null && (isFresh || isResting)) return keys;
      // All requests of the moment wait for one answer, which has a time limit of its own.
      renewing ??= renew().finally(() => (renewing = null));
      return renewing;
    },
    refused(used) {
      // What another request has renewed meanwhile may be valid.
      if (keys === used) keys = null;
      return true;
    },
  };
}

/** Reads a body to its end; null if it is larger than this. */
export async function readBounded(body: Dispatcher.ResponseData["body"], bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The code in an error of AWS, such as `ExpiredToken`; empty if there is none. */
export const errorCode = (text: string): string => /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? "";

/** Reads new keys. */
type Source = () => Promise<RoleKeys>;

function sourceOf(environment: NodeJS.ProcessEnv, region: string): Source {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile, AWS_ROLE_ARN: role } = environment;
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = environment;
  if (tokenFile !== undefined && role !== undefined) return ofWebIdentity({ environment, region, tokenFile, role });
  if (relative !== undefined) return ofContainer(new URL(relative, "http://169.254.170.2"), environment);
  if (full !== undefined) return ofContainer(containerAddress(full), environment);
  return ofInstance(environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254");
}

interface WebIdentity {
  readonly environment: NodeJS.ProcessEnv;
  readonly region: string;
  readonly tokenFile: string;
  readonly role: string;
}

/** A token of the service account, which Kubernetes renews in its file, is exchanged for keys. */
function ofWebIdentity({ environment, region, tokenFile, role }: WebIdentity): Source {
  const host = `sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  const address = environment["AWS_ENDPOINT_URL_STS"] ?? `https://${host}`;
  return async () => {
    const body = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: role,
      RoleSessionName: environment["AWS_ROLE_SESSION_NAME"] ?? "querent",
      WebIdentityToken: await readToken(tokenFile),
    });
    const text = await ask("AWS STS", address, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: body.toString(),
    });
    const answer = load(text, { xml: true });
    const member = (name: string) => answer(`Credentials > ${name}`).first().text();
    return checked("AWS STS", {
      AccessKeyId: member("AccessKeyId"),
      SecretAccessKey: member("SecretAccessKey"),
      Token: member("SessionToken"),
      Expiration: member("Expiration"),
    });
  };
}

/** What stands in for the instance in a container. */
function ofContainer(address: URL, environment: NodeJS.ProcessEnv): Source {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = environment;
  return async () => {
    const authorization = file === undefined ? token : await readToken(file);
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    return checked(
      "the container's credentials",
      json(await ask("the container's credentials", address.href, { headers })),
    );
  };
}

/** The token goes to nobody but an address of the machine or over HTTPS. */
function containerAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : null;
  const local = ["127.0.0.1", "[::1]", "localhost", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"];
  const isOwn = address?.protocol === "http:" && local.includes(address.hostname);
  if (address !== null && (isOwn || address.protocol === "https:")) return address;
  throw new CredentialsError(
    "AWS_CONTAINER_CREDENTIALS_FULL_URI must be an HTTPS address, or one of this machine or of the agent of Amazon ECS or EKS.",
  );
}

/** The role of the instance, by version 2 of its metadata service, which asks for a session first. */
function ofInstance(endpoint: string): Source {
  const from = "the metadata of the instance";
  const base = `${endpoint.replace(/\/+$/, "")}/latest`;
  return async () => {
    const session = await ask(from, `${base}/api/token`, {
      method: "PUT",
      headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" },
    });
    const headers = { "x-aws-ec2-metadata-token": session.trim() };
    const roles = `${base}/meta-data/iam/security-credentials/`;
    const role = (await ask(from, roles, { headers })).trim().split("\n")[0] ?? "";
    if (role === "") throw new CredentialsError("The instance has no role: attach an instance profile to it.");
    return checked(from, json(await ask(from, roles + encodeURIComponent(role), { headers })));
  };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new CredentialsError(`The token in ${file} can't be read.`, { cause: error });
  }
}

interface Question {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The text of an answer, never quoted in an error: it may contain keys. */
async function ask(from: string, address: string, { method = "GET", headers = {}, body }: Question): Promise<string> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await request(address, { method, headers, body: body ?? null, signal });
    const content = await readBounded(response.body, answerBytesMax);
    if (content === null) throw new CredentialsError(`${begin(from)} answered with too much.`);
    const text = content.toString("utf8");
    if (response.statusCode === 200) return text;
    throw new CredentialsError(`${begin(from)} answered with ${response.statusCode} ${errorCode(text)}`.trim() + ".");
  } catch (error) {
    if (error instanceof CredentialsError) throw error;
    throw new CredentialsError(`${begin(from)} did not answer at ${new URL(address).origin}.`, { cause: error });
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function checked(from: string, answer: unknown): RoleKeys {
  const member = (name: string) => {
    const value = (answer as Record<string, unknown> | null)?.[name];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const [accessKeyId, secretAccessKey] = [member("AccessKeyId"), member("SecretAccessKey")];
  const [sessionToken, expiresAt] = [member("Token"), Date.parse(member("Expiration") ?? "")];
  if (accessKeyId === null || secretAccessKey === null || sessionToken === null || !(expiresAt > Date.now()))
    throw new CredentialsError(`${begin(from)} gave no valid keys.`);
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt };
}

const begin = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
