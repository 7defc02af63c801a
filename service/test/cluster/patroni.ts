/**
 * A replicated PostgreSQL of Debian's packages, on loopback addresses: three etcd, three members under Patroni with synchronous
 * replication, and HAProxy, which leads to the primary. The settings are those of docs/how-to/high-availability.md.
 */
import { randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { until } from "../harness/wait.ts";
import { startHosts, type Hosts } from "./hosts.ts";

export const members = ["a", "b", "c"] as const;
export type PatroniMember = (typeof members)[number];

/** A leader that has not renewed its key for this long is replaced. */
export const ttlSeconds = 20;

export interface Patroni {
  /** Leads to the primary. */
  readonly url: string;
  /** What a TCP proxy connects to. */
  readonly address: { readonly host: string; readonly port: number };
  readonly hosts: Hosts;
  /** The member that accepts writes; null while there is none. */
  primary(): Promise<PatroniMember | null>;
  /** Waits until there is a primary, and every other member follows it; one of them synchronously. */
  whole(): Promise<PatroniMember>;
  /** Starts a member's host again after it was killed. */
  restart(member: PatroniMember): void;
  /** Hands the primary's role over to a synchronous standby. */
  switchover(): Promise<void>;
  /** The ends of all logs, to find out why something failed. */
  logs(): string;
  close(): Promise<void>;
}

const postgresBin = "/usr/lib/postgresql/15/bin";
const programs = {
  patroni: "/usr/bin/patroni",
  "python3-etcd": "/usr/lib/python3/dist-packages/etcd",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  "postgresql-15": `${postgresBin}/initdb`,
};

/** Why there can be no cluster here, or false. */
export function whyNoCluster(): string | false {
  if (process.platform !== "linux") return "the cluster runs on Linux";
  const missing = Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return false;
  return `the cluster needs Debian's packages: apt-get install ${missing.join(" ")}, or .ci/cluster as root`;
}

/** Addresses of this machine that nothing else uses, so that every program keeps its usual port. */
function randomNetwork(): string {
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

export async function startPatroni(): Promise<Patroni> {
  const hosts = startHosts();
  try {
    return await startOn(hosts, randomNetwork());
  } catch (error) {
    const logs = logsOf(hosts);
    await hosts.close();
    throw new Error(`The cluster did not start:\n${logs}`, { cause: error });
  }
}

async function startOn(hosts: Hosts, network: string): Promise<Patroni> {
  const addressOf = (member: PatroniMember) => `${network}.${members.indexOf(member) + 11}`;
  const entrance = `${network}.1`;
  startEtcd(hosts, network);
  for (const member of members) {
    const folder = hosts.add(member);
    const config = patroniConfig({ member, address: addressOf(member), network, folder });
    writeFileSync(join(folder, "patroni.json"), JSON.stringify(config));
  }
  const run = (member: PatroniMember) => hosts.start(member, [programs.patroni, "patroni.json"]);
  for (const member of members) run(member);
  writeFileSync(join(hosts.add("haproxy"), "haproxy.cfg"), haproxyConfig(entrance, addressOf));
  hosts.start("haproxy", [programs.haproxy, "-f", "haproxy.cfg"]);

  const ask = async (member: PatroniMember, path: string, init: RequestInit = {}) =>
    fetch(`http://${addressOf(member)}:8008${path}`, { ...init, signal: AbortSignal.timeout(3000) }).catch(() => null);
  const isA = async (member: PatroniMember, role: string) => (await ask(member, `/${role}`))?.status === 200;
  const patroni: Patroni = {
    url: `postgresql://postgres:postgres@${entrance}:5432/postgres`,
    address: { host: entrance, port: 5432 },
    hosts,
    primary: () =>
      // The first that says so: a host that stands still does not reply.
      Promise.any(
        members.map(async (member) => {
          if (!(await isA(member, "primary"))) throw new Error(`${member} is not the primary`);
          return member;
        }),
      ).catch(() => null),
    whole: () =>
      until("a primary with two standbys, one of them synchronous", async () => {
        const primary = await patroni.primary();
        if (primary === null) return null;
        const standbys = members.filter((member) => member !== primary);
        const follow = await Promise.all(standbys.map((member) => isA(member, "replica")));
        // What the primary itself waits for at each commit.
        const [leader] = await query<{ standbys: number; synchronous: number }>(
          `postgresql://postgres:postgres@${addressOf(primary)}:5432/postgres`,
          `select count(*)::int as standbys, (count(*) filter (where sync_state = 'sync'))::int as synchronous
             from pg_stat_replication where state = 'streaming'`,
        ).catch(() => []);
        const isWhole = follow.every(Boolean) && leader?.standbys === 2 && leader.synchronous === 1;
        return isWhole ? primary : null;
      }),
    restart: run,
    async switchover() {
      const leader = await until("a primary", () => patroni.primary());
      const reply = await ask(leader, "/switchover", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ leader }),
      });
      // Patroni replies once the new primary is there; a busy machine takes longer than this waits.
      if (reply !== null && reply.status !== 200) throw new Error(`no switchover: ${await reply.text()}`);
      await until("another primary", async () => ![leader, null].includes(await patroni.primary()));
    },
    logs: () => logsOf(hosts),
    close: () => hosts.close(),
  };
  await patroni.whole();
  return patroni;
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  timeoutMs = 10_000,
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    // Not awaited: a server that is stopped does not close its side.
    void client.end().catch(() => {});
  }
}

function logsOf(hosts: Hosts): string {
  return ["etcd1", "a", "b", "c", "haproxy"]
    .map((host) => {
      const log = join(hosts.folder, host, "log");
      return `── ${host}\n${existsSync(log) ? readFileSync(log, "utf8").slice(-4000) : ""}`;
    })
    .join("\n");
}

function startEtcd(hosts: Hosts, network: string): void {
  const urlOf = (index: number, port: number) => `http://${network}.${index + 20}:${port}`;
  for (const index of [1, 2, 3]) {
    hosts.add(`etcd${index}`);
    hosts.start(`etcd${index}`, [
      programs["etcd-server"],
      `--name=etcd${index}`,
      "--data-dir=data",
      `--listen-client-urls=${urlOf(index, 2379)}`,
      `--advertise-client-urls=${urlOf(index, 2379)}`,
      `--listen-peer-urls=${urlOf(index, 2380)}`,
      `--initial-advertise-peer-urls=${urlOf(index, 2380)}`,
      `--initial-cluster=${[1, 2, 3].map((each) => `etcd${each}=${urlOf(each, 2380)}`).join(",")}`,
      "--enable-v2=true",
      // For a machine that is busy with other tests: etcd's defaults are for one that is not.
      "--heartbeat-interval=300",
      "--election-timeout=3000",
      "--log-level=warn",
    ]);
  }
}

function patroniConfig(of: { member: PatroniMember; address: string; network: string; folder: string }): object {
  const user = (username: string) => ({ username, password: username });
  return {
    scope: "querent",
    name: of.member,
    restapi: { listen: `${of.address}:8008`, connect_address: `${of.address}:8008` },
    // Version 2 of the protocol: with version 3, Patroni before 3.0.3 overwrites the key of another leader after a pause.
    etcd: { hosts: [1, 2, 3].map((index) => `${of.network}.${index + 20}:2379`) },
    bootstrap: {
      dcs: {
        // ttl is at least loop_wait + 2 * retry_timeout.
        ttl: ttlSeconds,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, hot_standby: "on", wal_keep_size: "256MB" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: ["local all all trust", "host all all 127.0.0.0/8 md5", "host replication all 127.0.0.0/8 md5"],
    },
    postgresql: {
      listen: `${of.address}:5432`,
      connect_address: `${of.address}:5432`,
      data_dir: join(of.folder, "data"),
      bin_dir: postgresBin,
      pgpass: join(of.folder, "pgpass"),
      authentication: { superuser: user("postgres"), replication: user("replicator"), rewind: user("rewind") },
      // The hosts are killed, not the machine: what the kernel has is safe.
      parameters: { unix_socket_directories: of.folder, fsync: "off" },
    },
    watchdog: { mode: "off" },
  };
}

function haproxyConfig(entrance: string, addressOf: (member: PatroniMember) => string): string {
  return `
defaults
    mode tcp
    retries 2
    timeout connect 4s
    timeout client 30m
    timeout server 30m
    timeout check 5s
    option clitcpka
    option srvtcpka
listen primary
    bind ${entrance}:5432
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map((member) => `    server ${member} ${addressOf(member)}:5432 check port 8008`).join("\n")}
`;
}
