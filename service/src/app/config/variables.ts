/** The configuration: one table. Parsing, defaults, the reference page and the list printed at start are generated from it. */
import { resolve } from "node:path";
import { partitionPeriods } from "../../db/index.ts";
import {
  accessToken,
  certificates,
  countryProxies,
  databaseUrl,
  endpoints,
  integer,
  keyPrefix,
  list,
  mailSender,
  number,
  oneOf,
  optionalHostAndPort,
  optionalInteger,
  optionalPath,
  optionalText,
  optionalWebAddress,
  ranges,
  smtpServer,
  text,
} from "./readers.ts";

interface Variable<Value> {
  readonly name: string;
  /** Shown in the reference: the default, or the effect of leaving it out. */
  readonly defaultText: string;
  readonly unit: string;
  /** One sentence. */
  readonly about: string;
  /** Its value is never printed. */
  readonly secret?: true;
  /** Reads the text; throws a sentence that completes "NAME ...". */
  readonly parse: (text: string | undefined) => Value;
}

const variable = <Value>(definition: Variable<Value>) => definition;

export const variables = {
  port: variable({
    name: "QUERENT_PORT",
    defaultText: "8080",
    unit: "TCP port",
    about: "Port of the API; 0 picks a free one.",
    parse: integer(8080, 0, 65_535),
  }),
  host: variable({
    name: "QUERENT_HOST",
    defaultText: "127.0.0.1",
    unit: "address",
    about: "Address the API listens on; `0.0.0.0` or `::` for every interface.",
    parse: text("127.0.0.1"),
  }),
  managementPort: variable({
    name: "QUERENT_MANAGEMENT_PORT",
    defaultText: "none",
    unit: "TCP port",
    about:
      "Port of the probes (`/healthz`, `/startupz`, `/readyz`) and of `/metrics` without a token, for every role; 0 picks a free one. Only a supervisor's network should reach it.",
    parse: optionalInteger(0, 65_535),
  }),
  managementHost: variable({
    name: "QUERENT_MANAGEMENT_HOST",
    defaultText: "127.0.0.1",
    unit: "address",
    about: "Address the management port listens on; `0.0.0.0` or `::` for every interface.",
    parse: text("127.0.0.1"),
  }),
  dataDir: variable({
    name: "QUERENT_DATA_DIR",
    defaultText: "./data",
    unit: "folder",
    about: "Holds the embedded database, artifacts and the key file.",
    parse: (value) => resolve(text("./data")(value)),
  }),
  databaseUrl: variable({
    name: "DATABASE_URL",
    defaultText: "the embedded PostgreSQL",
    unit: "address",
    about: "A PostgreSQL server (15 or newer) to use instead of the embedded one; several processes may share it.",
    secret: true,
    parse: databaseUrl,
  }),
  databaseDirectUrl: variable({
    name: "QUERENT_DATABASE_DIRECT_URL",
    defaultText: "`DATABASE_URL`",
    unit: "address",
    about:
      "The PostgreSQL server itself, if `DATABASE_URL` leads to a connection pooler that pools transactions, such as PgBouncer: for notifications, locks, leases and migrations.",
    secret: true,
    parse: databaseUrl,
  }),
  databaseCa: variable({
    name: "QUERENT_DATABASE_CA",
    defaultText: "none",
    unit: "PEM file",
    about:
      "Certificate authorities of the PostgreSQL servers. The connections to all of them then use TLS, and a certificate that is not from these authorities, or for another host, is refused.",
    parse: certificates,
  }),
  databaseReadUrl: variable({
    name: "QUERENT_DATABASE_READ_URL",
    defaultText: "`DATABASE_URL`",
    unit: "address",
    about:
      "A streaming replica of the server, from which lists and exports are read. Their responses then state in `As-Of` what they show. While it is unusable, they are read from the server itself.",
    secret: true,
    parse: databaseUrl,
  }),
  databaseReadBehindMs: variable({
    name: "QUERENT_DATABASE_READ_BEHIND_MS",
    defaultText: "5000",
    unit: "ms",
    about: "How far the replica may be behind to be read.",
    parse: integer(5_000, 2_000, 3_600_000),
  }),
  databaseConnections: variable({
    name: "QUERENT_DATABASE_CONNECTIONS",
    defaultText: "20; with one role only: `api` 12, `worker` 16, `notifier` 10",
    unit: "connections",
    about:
      "Connections to the database that this process may open. With the defaults, two processes of each role fit into the 100 that PostgreSQL accepts.",
    parse: optionalInteger(3, 1000),
  }),
  mcp: variable({
    name: "QUERENT_MCP",
    defaultText: "`read`",
    unit: "`off`, `read` or `ask`",
    about:
      "What assistants can do at `/mcp` with a token: nothing, read, or also ask questions, which costs points. The scopes of the token apply as well.",
    parse: oneOf("read", ["off", "read", "ask"]),
  }),
  mcpSignIn: variable({
    name: "QUERENT_MCP_SIGN_IN",
    defaultText: "`on`",
    unit: "`on` or `off`",
    about:
      "Whether people can connect assistants to `/mcp` by signing in. `off`: assistants need an access token, and connections that exist do not work.",
    parse: oneOf("on", ["on", "off"]),
  }),
  migrate: variable({
    name: "QUERENT_MIGRATE",
    defaultText: "`apply`",
    unit: "`apply`, `wait` or `refuse`",
    about:
      "What a start does if the database lacks migrations of this version: applies them, waits until `querentd migrate` has, or ends with an error.",
    parse: oneOf("apply", ["apply", "wait", "refuse"]),
  }),
  accessToken: variable({
    name: "QUERENT_ACCESS_TOKEN",
    defaultText: "one is made at the first start",
    unit: "token",
    about: "Access token of the account `default`, for automation; it is added if the account does not have it.",
    secret: true,
    parse: accessToken,
  }),
  config: variable({
    name: "QUERENT_CONFIG",
    defaultText: "the built-in settings",
    unit: "file",
    about: "Platforms, their limits and prices, in YAML.",
    parse: optionalPath,
  }),
  standIns: variable({
    name: "QUERENT_STAND_INS",
    defaultText: "`on` with the embedded PostgreSQL, `off` with `DATABASE_URL`",
    unit: "`on` or `off`",
    about:
      "Whether an example page of this service, which no network is needed for, answers for `chatgpt-web` and `gemini-web` until you have set them up. Its answers have the provenance `sample`.",
    parse: (value) => (value === undefined ? null : oneOf("off", ["on", "off"])(value)),
  }),
  sampleDir: variable({
    name: "QUERENT_SAMPLE_DIR",
    defaultText: "the corpus that ships with the service",
    unit: "folder",
    about: "Documents that the `sample` platform answers from.",
    parse: optionalPath,
  }),
  masterKey: variable({
    name: "QUERENT_MASTER_KEY",
    defaultText: "`master.key` in the data folder, made at the first start",
    unit: "32 bytes, base64 or hex",
    about:
      "Key that signing secrets are encrypted with at rest; processes that share a database need the same one. While it is being replaced: several, separated by commas, the first of which encrypts.",
    secret: true,
    parse: optionalText,
  }),
  publicUrl: variable({
    name: "QUERENT_PUBLIC_URL",
    defaultText: "the address the API listens on",
    unit: "address",
    about: "Where this service is reached from outside: screenshots and share pages are given out with it.",
    parse: optionalWebAddress,
  }),
  artifactsS3Bucket: variable({
    name: "QUERENT_ARTIFACTS_S3_BUCKET",
    defaultText: "artifacts are kept in the data folder",
    unit: "bucket",
    about: "Bucket of an S3-compatible store to keep artifacts in; processes that share a database need one.",
    parse: optionalText,
  }),
  artifactsS3Endpoint: variable({
    name: "QUERENT_ARTIFACTS_S3_ENDPOINT",
    defaultText: "Amazon S3 in the region",
    unit: "address",
    about: "Address of the S3-compatible server; the bucket is put into the path.",
    parse: optionalWebAddress,
  }),
  artifactsS3Region: variable({
    name: "QUERENT_ARTIFACTS_S3_REGION",
    defaultText: "us-east-1",
    unit: "region",
    about: "Region that requests to the S3-compatible server are signed for.",
    parse: text("us-east-1"),
  }),
  artifactsS3Prefix: variable({
    name: "QUERENT_ARTIFACTS_S3_PREFIX",
    defaultText: "`querent/`",
    unit: "start of the keys",
    about: "What the keys of artifacts in the bucket begin with.",
    parse: keyPrefix,
  }),
  artifactsS3Credentials: variable({
    name: "QUERENT_ARTIFACTS_S3_CREDENTIALS",
    defaultText: "keys",
    unit: "`keys` or `role`",
    about:
      "`keys`: the two variables below. `role`: temporary keys of the role that AWS gives to the service account, container or instance.",
    parse: oneOf("keys", ["keys", "role"]),
  }),
  artifactsS3AccessKeyId: variable({
    name: "QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID",
    defaultText: "none",
    unit: "key id",
    about: "Access key of the S3-compatible server.",
    secret: true,
    parse: optionalText,
  }),
  artifactsS3SecretAccessKey: variable({
    name: "QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY",
    defaultText: "none",
    unit: "secret",
    about: "Secret of that access key.",
    secret: true,
    parse: optionalText,
  }),
  egressAllow: variable({
    name: "QUERENT_EGRESS_ALLOW",
    defaultText: "none",
    unit: "CIDR list",
    about: "Address ranges, otherwise refused, that notifications may be sent to, such as `127.0.0.0/8,10.1.0.0/16`.",
    parse: ranges,
  }),
  egressCa: variable({
    name: "QUERENT_EGRESS_CA",
    defaultText: "none",
    unit: "PEM file",
    about:
      "Certificate authorities that the certificates of receivers and of the mail server may come from, beside the built-in ones.",
    parse: certificates,
  }),
  smtpUrl: variable({
    name: "QUERENT_SMTP_URL",
    defaultText: "no mail is sent",
    unit: "address",
    about:
      "Mail server that scheduled reports are handed to: `smtps://user:password@host` with TLS at once (port 465), or `smtp://user:password@host` with STARTTLS (port 587). Its certificate is verified. `?tls=off` only for a relay on this machine, without a password.",
    secret: true,
    parse: smtpServer,
  }),
  mailFrom: variable({
    name: "QUERENT_MAIL_FROM",
    defaultText: "no mail is sent",
    unit: "mail address",
    about: 'From whom mail is, such as `"Querent <reports@example.com>"`.',
    parse: mailSender,
  }),
  browserEndpoints: variable({
    name: "QUERENT_BROWSER_ENDPOINTS",
    defaultText: "a browser of this machine",
    unit: "addresses, separated by commas",
    about:
      "Chromium browsers that run elsewhere, as `ws://`, `wss://`, `http://` or `https://` addresses of their DevTools protocol.",
    secret: true,
    parse: endpoints,
  }),
  browserPath: variable({
    name: "QUERENT_BROWSER_PATH",
    defaultText: "an installed Chrome or Chromium, Playwright's, or the one of the npm package, in this order",
    unit: "program",
    about: "The Chrome or Chromium to use, and no other.",
    parse: optionalPath,
  }),
  browserContexts: variable({
    name: "QUERENT_BROWSER_CONTEXTS",
    defaultText: "two a core, fewer where memory is short",
    unit: "contexts",
    about: "Web pages that this process works on at once.",
    parse: optionalInteger(1, 1000),
  }),
  browserEgressAllow: variable({
    name: "QUERENT_BROWSER_EGRESS_ALLOW",
    defaultText: "none",
    unit: "CIDR list",
    about:
      "Address ranges, otherwise refused, that web pages of recipes may reach; the service's own ports and the database's stay refused.",
    parse: ranges,
  }),
  browserProxyHost: variable({
    name: "QUERENT_BROWSER_PROXY_HOST",
    defaultText: "127.0.0.1",
    unit: "address",
    about:
      "Address of this machine that the browsers of QUERENT_BROWSER_ENDPOINTS can connect to: all that their pages ask for goes through here.",
    parse: text("127.0.0.1"),
  }),
  countryProxies: variable({
    name: "QUERENT_COUNTRY_PROXIES",
    defaultText: "none",
    unit: "`COUNTRY=address`, separated by commas",
    about:
      "HTTP proxies through which web platforms are asked with `options.country`, such as `DE=http://name:password@proxy.example:8080`. They must open tunnels (`CONNECT`) to addresses.",
    secret: true,
    parse: countryProxies,
  }),
  notificationBytesMax: variable({
    name: "QUERENT_NOTIFICATION_MAX_BYTES",
    defaultText: "262144",
    unit: "bytes",
    about: "Largest notification; above it the result is left out and `resultOmitted` is true.",
    parse: integer(262_144, 1024, 64 * 1024 ** 2),
  }),
  retentionDays: variable({
    name: "QUERENT_RETENTION_DAYS",
    defaultText: "7",
    unit: "days, fractions allowed",
    about: "How long results are kept after a task's end.",
    parse: number(7, 0, 3650),
  }),
  historyDays: variable({
    name: "QUERENT_HISTORY_DAYS",
    defaultText: "forever",
    unit: "days",
    about:
      "How long ended tasks, their ledger entries and deliveries are kept; then whole partitions are dropped. At least twice `QUERENT_RETENTION_DAYS` plus 14.",
    parse: optionalInteger(1, 36_500),
  }),
  auditDays: variable({
    name: "QUERENT_AUDIT_DAYS",
    defaultText: "400",
    unit: "days",
    about: "How long entries of the audit log are kept. The deletion is an entry itself.",
    parse: integer(400, 1, 36_500),
  }),
  historyPartition: variable({
    name: "QUERENT_HISTORY_PARTITION",
    defaultText: "month",
    unit: "`day`, `week` or `month`",
    about:
      "The time that a new partition of the history covers: `day`, `week` or `month`. `day` from some million tasks a day.",
    parse: oneOf("month", partitionPeriods),
  }),
  observationDays: variable({
    name: "QUERENT_OBSERVATION_DAYS",
    defaultText: "forever",
    unit: "days",
    about:
      "How long observations, which outlive results, are kept. `querentd account observations` sets another number of days for one account.",
    parse: optionalInteger(1, 36_500),
  }),
  exportObservations: variable({
    name: "QUERENT_EXPORT_OBSERVATIONS",
    defaultText: "false",
    unit: "`true` or `false`",
    about:
      "Whether new observations are exported every hour, as Parquet files with manifests, to the place of artifacts: for [a warehouse](../how-to/export-observations.md).",
    parse: (value) => oneOf("false", ["true", "false"])(value) === "true",
  }),
  batchItemsMax: variable({
    name: "QUERENT_MAX_BATCH_ITEMS",
    defaultText: "1000",
    unit: "items",
    about: "Items that one submission may have.",
    parse: integer(1000, 1, 100_000),
  }),
  requestsPerMinute: variable({
    name: "QUERENT_REQUESTS_PER_MINUTE",
    defaultText: "60000",
    unit: "requests",
    about: "Requests a minute that one account may send to one process; 0 for any number.",
    parse: integer(60_000, 0, 100_000_000),
  }),
  freeRequestsPerMinute: variable({
    name: "QUERENT_FREE_REQUESTS_PER_MINUTE",
    defaultText: "1200",
    unit: "requests",
    about:
      "Requests a minute that one account may send to one process, of those that cost no points and store, delete or compute something: imports, panels, entities, quotes, plans, tries, redeliveries; 0 for any number.",
    parse: integer(1200, 0, 100_000_000),
  }),
  storageRowsPerAccount: variable({
    name: "QUERENT_STORAGE_ROWS_PER_ACCOUNT",
    defaultText: "10000000",
    unit: "rows",
    about:
      "Rows that an account without a quota of its own may store without points: imported answers, panels, entities, shared reports, and tasks that failed or were canceled.",
    parse: integer(10_000_000, 0, 1_000_000_000_000),
  }),
  storageMibPerAccount: variable({
    name: "QUERENT_STORAGE_MIB_PER_ACCOUNT",
    defaultText: "20480",
    unit: "MiB",
    about: "Size of these rows that an account without a quota of its own may store.",
    parse: integer(20_480, 0, 1_000_000_000),
  }),
  artifactMibPerAccount: variable({
    name: "QUERENT_ARTIFACT_MIB_PER_ACCOUNT",
    defaultText: "204800",
    unit: "MiB",
    about:
      "Size of the pages, screenshots and other files of results from which on an account without a quota of its own can submit no tasks until some of them expire. Measured every hour.",
    parse: integer(204_800, 0, 1_000_000_000),
  }),
  pageRequestsPerMinute: variable({
    name: "QUERENT_PAGE_REQUESTS_PER_MINUTE",
    defaultText: "600",
    unit: "requests",
    about:
      "Requests a minute for shared pages and screenshots that one address may send to one process; 0 for any number.",
    parse: integer(600, 0, 100_000_000),
  }),
  wrongTokensPerMinute: variable({
    name: "QUERENT_WRONG_TOKENS_PER_MINUTE",
    defaultText: "60",
    unit: "requests",
    about:
      "Requests a minute with a missing or wrong token that one address may send to one process; those beyond get 429. Right tokens from the same address are not held up; 0 for any number.",
    parse: integer(60, 0, 100_000_000),
  }),
  signInsPerMinute: variable({
    name: "QUERENT_SIGN_INS_PER_MINUTE",
    defaultText: "30",
    unit: "requests",
    about:
      "Requests a minute to sign in, or to use a one-time link, that one address may send to one process; those beyond get 429. 0 for any number.",
    parse: integer(30, 0, 100_000_000),
  }),
  loginHours: variable({
    name: "QUERENT_LOGIN_HOURS",
    defaultText: "336",
    unit: "hours",
    about: "How long a person stays signed in at most; then the browser asks again.",
    parse: integer(336, 1, 8760),
  }),
  loginIdleHours: variable({
    name: "QUERENT_LOGIN_IDLE_HOURS",
    defaultText: "24",
    unit: "hours",
    about: "How long a person stays signed in without a request of the browser.",
    parse: integer(24, 1, 8760),
  }),
  consoleTokens: variable({
    name: "QUERENT_CONSOLE_TOKENS",
    defaultText: "`on`",
    unit: "`on` or `off`",
    about:
      "Whether people can use the console with an access token. With `off`, pages of the service are refused with one, and programs are not.",
    parse: oneOf("on", ["on", "off"]),
  }),
  signInProviders: variable({
    name: "QUERENT_SIGN_IN_PROVIDERS",
    defaultText: "none",
    unit: "file",
    about:
      "Identity providers at which people [sign in by OpenID Connect](../how-to/single-sign-on.md), and a proxy that signs them in, in YAML. Needs `QUERENT_PUBLIC_URL`.",
    parse: optionalPath,
  }),
  signInEgressAllow: variable({
    name: "QUERENT_SIGN_IN_EGRESS_ALLOW",
    defaultText: "none",
    unit: "CIDR list",
    about: "Address ranges, otherwise refused, at which identity providers may be, such as `10.1.0.0/16`.",
    parse: ranges,
  }),
  trustedProxies: variable({
    name: "QUERENT_TRUSTED_PROXIES",
    defaultText: "none",
    unit: "CIDR list",
    about:
      "Proxies in front of the API, such as `127.0.0.1/32,10.0.0.0/8`: the visitor's address is taken from their `X-Forwarded-For`, and from nobody else's.",
    parse: ranges,
  }),
  connectionsMax: variable({
    name: "QUERENT_CONNECTIONS",
    defaultText: "three quarters of the file descriptors that the process may have open, less 300",
    unit: "connections",
    about:
      "Connections to the API that one process has open at once; further connections are closed immediately. Three quarters may be event streams, an eighth requests that wait for the end of a task.",
    parse: optionalInteger(16, 1_000_000),
  }),
  streamsPerAccount: variable({
    name: "QUERENT_STREAMS_PER_ACCOUNT",
    defaultText: "100",
    unit: "streams",
    about: "Event streams (`GET /v1/events` as server-sent events) that one account may have open in one process.",
    parse: integer(100, 1, 1_000_000),
  }),
  waitsPerAccount: variable({
    name: "QUERENT_WAITS_PER_ACCOUNT",
    defaultText: "200",
    unit: "requests",
    about:
      "Requests with `Prefer: wait` of one account that one process holds until a task ends; those beyond are answered at once.",
    parse: integer(200, 1, 1_000_000),
  }),
  largeBodiesPerAccount: variable({
    name: "QUERENT_LARGE_BODIES_PER_ACCOUNT",
    defaultText: "1",
    unit: "requests",
    about:
      "Requests with a body above 256 KiB that one account may have in progress at the same time in one process; others wait up to 10 seconds for their turn.",
    parse: integer(1, 1, 1000),
  }),
  listsPerAccount: variable({
    name: "QUERENT_LISTS_PER_ACCOUNT",
    defaultText: "2",
    unit: "requests",
    about:
      "Requests for lists, usage and overviews that one account may have in progress at the same time in one process; others wait up to 10 seconds for their turn.",
    parse: integer(2, 1, 1000),
  }),
  figuresMemoryMiB: variable({
    name: "QUERENT_FIGURES_MEMORY",
    defaultText: "half of the memory of the machine or container, at most 2100",
    unit: "MiB",
    about:
      "Memory of the processes in which this process computes figures, reports, diffs, plans and changes of many answers. One account may use a third of it, or 700 MiB if that is more. A computation that needs more is refused.",
    parse: optionalInteger(256, 1_000_000),
  }),
  figuresSeconds: variable({
    name: "QUERENT_FIGURES_SECONDS",
    defaultText: "60",
    unit: "seconds",
    about:
      "How long one computation of figures, a report, a diff, a plan or changes may take; one that takes longer is refused with what to narrow. A report as a zip may take ten minutes, because it is computed while it is sent.",
    parse: integer(60, 1, 3600),
  }),
  workerSlots: variable({
    name: "QUERENT_WORKER_SLOTS",
    defaultText: "1000",
    unit: "tasks",
    about: "Tasks that this process runs at once, over all platforms.",
    parse: integer(1000, 1, 100_000),
  }),
  accountSlots: variable({
    name: "QUERENT_ACCOUNT_SLOTS",
    defaultText: "half of `QUERENT_WORKER_SLOTS`",
    unit: "tasks",
    about:
      "Tasks of one account that this process runs at once; as many as `QUERENT_WORKER_SLOTS` where one account may take them all.",
    parse: optionalInteger(1, 100_000),
  }),
  workerPlatforms: variable({
    name: "QUERENT_WORKER_PLATFORMS",
    defaultText: "all that this worker can ask",
    unit: "`api`, `web`, or platform codes, separated by commas",
    about:
      "Platforms whose tasks this worker runs: `web` for those that are web pages, `api` for all others. It leaves the rest to other workers.",
    parse: list,
  }),
  peerAddress: variable({
    name: "QUERENT_PEER_ADDRESS",
    defaultText: "the first address of this machine that is not loopback, and a free port",
    unit: "host:port",
    about:
      "Address at which the other workers reach this one while the database is away, so that they don't take over each other's tasks; it listens on this port. Not used with the embedded database.",
    parse: optionalHostAndPort,
  }),
  drainSeconds: variable({
    name: "QUERENT_DRAIN_SECONDS",
    defaultText: "5",
    unit: "seconds",
    about:
      "How long a stop lets running tasks end, and then deliveries in flight (20 at most), before it hands them back to the queue.",
    parse: number(5, 0, 3600),
  }),
  traceContents: variable({
    name: "QUERENT_TRACE_CONTENTS",
    defaultText: "false",
    unit: "`true` or `false`",
    about: "Whether [traces](../how-to/monitor.md#traces) contain questions and answers.",
    parse: (value) => oneOf("false", ["true", "false"])(value) === "true",
  }),
  traceWebhooks: variable({
    name: "QUERENT_TRACE_WEBHOOKS",
    defaultText: "false",
    unit: "`true` or `false`",
    about: "Whether webhooks of traced tasks have the header `traceparent`, so that receivers can continue the trace.",
    parse: (value) => oneOf("false", ["true", "false"])(value) === "true",
  }),
  logLevel: variable({
    name: "QUERENT_LOG_LEVEL",
    defaultText: "info",
    unit: "`debug`, `info`, `warn`, `error` or `silent`",
    about: "What is logged, as JSON lines on standard error.",
    parse: oneOf("info", ["debug", "info", "warn", "error", "silent"]),
  }),
} as const;
