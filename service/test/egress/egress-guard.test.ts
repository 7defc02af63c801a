import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import { writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { isPublicAddress, parseAllowedRanges } from "../../src/egress/addresses.ts";
import { EgressGuard, type NameResolver } from "../../src/egress/index.ts";
import { ProblemError } from "../../src/api/problem-error.ts";
import { startReceiver } from "../harness/receiver.ts";

const guard = new EgressGuard();
const refusedV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["168.63.129.16", 32],
] as const;

const toNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const toBytes = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
const hex4 = (value: number) => value.toString(16).padStart(4, "0");

const refusedAddress = fc
  .constantFrom(...refusedV4)
  .chain(([base, bits]) => fc.nat({ max: 2 ** (32 - bits) - 1 }).map((offset) => toNumber(base) + offset));

/** Every way the URL standard lets an IPv4 address be spelled. */
function spellings(value: number): string[] {
  const bytes = toBytes(value);
  const [a, b, c, d] = bytes as [number, number, number, number];
  return [
    bytes.join("."),
    `${bytes.join(".")}.`,
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    bytes.join("%2e"),
    bytes.join("\u3002"),
    [...bytes.join(".")]
      .map((character) => (/\d/.test(character) ? String.fromCodePoint(0xff10 + Number(character)) : character))
      .join(""),
  ];
}

/** Every IPv6 form that carries an IPv4 address inside. */
function embeddings(value: number): string[] {
  const high = hex4(Math.floor(value / 65536));
  const low = hex4(value % 65536);
  const dotted = toBytes(value).join(".");
  return [
    `::ffff:${dotted}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::${dotted}`,
    `::${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${dotted}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
    `2001::${high}:${low}`,
    `2a00:1450::5efe:${high}:${low}`,
    `2a00:1450::200:5efe:${high}:${low}`,
    `fe80::5efe:${high}:${low}`,
  ];
}

test("an address in a refused range is refused in every spelling", () => {
  fc.assert(
    fc.property(refusedAddress, fc.nat({ max: 11 }), (value, which) => {
      const spelling = spellings(value)[which] ?? "";
      assert.equal(guard.checkAddress(`https://${spelling}/hook`).ok, false, spelling);
    }),
    { numRuns: 3_000 },
  );
});

test("an IPv6 address that embeds IPv4 is refused, whatever it embeds", () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), (value) => {
      for (const address of embeddings(value)) {
        assert.equal(guard.checkAddress(`https://[${address}]/hook`).ok, false, address);
        assert.equal(isPublicAddress(address), false, address);
      }
    }),
    { numRuns: 500 },
  );
});

test("special IPv6 addresses are refused and public ones taken", () => {
  for (const address of [
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "2001:2::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "fec0::1",
    "fe80::1%eth0",
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
  for (const address of [
    "2a00:1450:4001:82b::200e",
    "2606:4700::1111",
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "223.255.255.255",
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test("only well-formed HTTPS addresses of public hosts are taken", () => {
  const refused = [
    "",
    "hook",
    "//example.com",
    "http://example.com",
    "ftp://example.com",
    "https://",
    "https://user@example.com",
    "https://:pw@example.com",
    "https://localhost",
    "https://LOCALHOST",
    "https://localhost.",
    "https://a.localhost/",
    "https://intranet",
    "https://db.internal/x",
    "https://printer.local",
    "https://metadata.google.internal/",
    "https://exa mple.com",
    "https://a..example.com",
    `https://${"a".repeat(64)}.example.com`,
    "https://example.com:0/",
    `https://example.com/${"a".repeat(2048)}`,
    "https://router.home.arpa",
    "https://-a-.example.com",
  ];
  for (const url of refused) assert.equal(guard.checkAddress(url).ok, false, url);
  const taken = [
    "https://example.com",
    "https://example.com:8443/a?b=c",
    "https://EXAMPLE.com./",
    "https://bücher.example.com/",
    "https://a_b.example.com",
    "https://[2606:4700::1111]/",
    "https://8.8.8.8/",
  ];
  for (const url of taken) assert.equal(guard.checkAddress(url).ok, true, url);
});

test("the check never throws, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
        fc.webUrl(),
      ),
      (text) => void guard.checkAddress(text),
    ),
  );
});

test("what the operator allows is taken: ranges, loopback names with a loopback range, internal names with any", () => {
  const loopback = new EgressGuard({ allow: "127.0.0.0/8" });
  assert.ok(loopback.checkAddress("https://127.0.0.1:9443/").ok);
  assert.ok(loopback.checkAddress("https://localhost:9443/").ok);
  assert.ok(!loopback.checkAddress("https://10.0.0.1/").ok);
  assert.ok(!loopback.checkAddress("https://[::ffff:127.0.0.1]/").ok);
  const inner = new EgressGuard({ allow: " 10.1.0.0/16 , fd00::/8," });
  assert.ok(inner.checkAddress("https://10.1.2.3/").ok);
  assert.ok(inner.checkAddress("https://[fd12::1]/").ok);
  assert.ok(inner.checkAddress("https://receiver/").ok);
  assert.ok(!inner.checkAddress("https://10.2.0.1/").ok);
  assert.ok(!inner.checkAddress("https://localhost/").ok);
});

test("an allow-list or authority file that can't be read is an error that names its variable", () => {
  for (const allow of [
    "10.0.0.0/33",
    "10.0.0/8",
    "example.com",
    "10.0.0.0/8/9",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/-1",
  ]) {
    assert.throws(() => new EgressGuard({ allow }), /QUERENT_EGRESS_ALLOW: ".+" is not an address range/, allow);
  }
  assert.ok(parseAllowedRanges("").isEmpty);
  assert.throws(() => new EgressGuard({ caFile: "/nowhere/ca.pem" }), /QUERENT_EGRESS_CA: .*\/nowhere\/ca\.pem/);
  const notPem = join(mkdtempSync(join(tmpdir(), "querent-")), "x.pem");
  writeFileSync(notPem, "hello");
  assert.throws(() => new EgressGuard({ caFile: notPem }), /QUERENT_EGRESS_CA: .*holds no PEM/);
});

test("a refused address is answered as a validation problem that tells nothing of the network", async () => {
  const resolver = fakeResolver({ "hook.example.com": [["10.0.0.7"]] });
  const guarded = new EgressGuard({ createResolver: () => resolver, hostsFile: "/dev/null" });
  await assert.rejects(guarded.requireResolvedAddress("https://hook.example.com/", "/url"), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.equal(error.code, "validation_failed");
    assert.equal(error.errors?.[0]?.code, "address_not_allowed");
    assert.equal(error.errors[0].pointer, "/url");
    assert.doesNotMatch(JSON.stringify([error.message, error.errors]), /10\.0|resolve/);
    return true;
  });
  // What does not resolve now may later; it is checked again at each sending.
  await guarded.requireResolvedAddress("https://unknown.example.com/", "/url");
});

test("a name is refused when only one of its addresses is", async () => {
  const resolver = fakeResolver({
    "a.example.com": [["8.8.8.8", "127.0.0.1"]],
    "b.example.com": [["8.8.8.8"], ["::1"]],
    "c.example.com": [["8.8.8.8"], ["2606:4700::1"]],
  });
  const guarded = new EgressGuard({ createResolver: () => resolver, hostsFile: "/dev/null" });
  await assert.rejects(guarded.resolveGuarded("a.example.com"), { fault: "address" });
  await assert.rejects(guarded.resolveGuarded("b.example.com"), { fault: "address" });
  assert.deepEqual(await guarded.resolveGuarded("c.example.com"), ["8.8.8.8", "2606:4700::1"]);
});

test("the hosts file is read, and its addresses are checked too", async () => {
  const hostsFile = join(mkdtempSync(join(tmpdir(), "querent-")), "hosts");
  writeFileSync(hostsFile, "# comment\n10.9.9.9 Receiver.example.com other # x\n8.8.4.4\tpublic.example.com\n");
  const guarded = new EgressGuard({ hostsFile, createResolver: () => fakeResolver({}) });
  await assert.rejects(guarded.resolveGuarded("receiver.example.com"), { fault: "address" });
  assert.deepEqual(await guarded.resolveGuarded("public.example.com"), ["8.8.4.4"]);
});

test("localhost is the loopback address that is allowed, though the hosts file lists the other too", async () => {
  const hostsFile = join(mkdtempSync(join(tmpdir(), "querent-")), "hosts");
  writeFileSync(
    hostsFile,
    "127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.0.1 both.example.com\n::1 both.example.com\n",
  );
  const found = async (allow: string, name = "localhost") =>
    new EgressGuard({ allow, hostsFile, createResolver: () => fakeResolver({}) }).resolveGuarded(name);
  assert.deepEqual(await found("127.0.0.0/8"), ["127.0.0.1"]);
  assert.deepEqual(await found("::1"), ["::1"]);
  assert.deepEqual(await found("127.0.0.0/8,::1"), ["127.0.0.1", "::1"]);
  await assert.rejects(found("10.0.0.0/8"), { fault: "address" });
  // Loopback names alone: for any other, one address that is refused refuses the name.
  await assert.rejects(found("127.0.0.0/8", "both.example.com"), { fault: "address" });
});

test("a name server that never answers costs the DNS time and no more", async () => {
  const silent: NameResolver = {
    resolve4: () => new Promise(() => {}),
    resolve6: () => new Promise(() => {}),
    cancel: () => {},
  };
  const guarded = new EgressGuard({ createResolver: () => silent, dnsTimeoutMs: 30, hostsFile: "/dev/null" });
  await assert.rejects(guarded.resolveGuarded("a.example.com"), { fault: "dns" });
});

test("a name that is rebound between look-ups never gets a connection to what it was rebound to", async () => {
  await using receiver = await startReceiver();
  await using names = await startNameServer();
  const port = Number(new URL(receiver.url()).port);
  // 127.0.0.1 stands for a public address here, 127.0.0.2 for an inner one that must not be reached.
  const guarded = new EgressGuard({
    allow: "127.0.0.1/32",
    caFile: receiver.caFile,
    hostsFile: "/dev/null",
    createResolver: () => {
      const resolver = new dns.Resolver({ timeout: 1_000, tries: 1 });
      resolver.setServers([`127.0.0.1:${names.port}`]);
      return resolver;
    },
  });
  names.answer = () => "127.0.0.1";
  const socket = await guarded.connect({ hostname: "rebind.example.com", port });
  assert.equal(socket.remoteAddress, "127.0.0.1");
  socket.destroy();
  let asked = 0;
  names.answer = () => (asked++ % 2 === 0 ? "127.0.0.1" : "127.0.0.2");
  const reached = new Set<string | undefined>();
  for (let i = 0; i < 20; i++) {
    try {
      const made = await guarded.connect({ hostname: "rebind.example.com", port });
      reached.add(made.remoteAddress);
      made.destroy();
    } catch (error) {
      assert.equal((error as { fault?: string }).fault, "address");
    }
  }
  assert.deepEqual([...reached], ["127.0.0.1"]);
  assert.ok(asked >= 20);
});

test("the certificate must be for the name in the address, whatever address it resolved to", async () => {
  await using receiver = await startReceiver();
  const port = Number(new URL(receiver.url()).port);
  const resolver = fakeResolver({ "a.example.com": [["127.0.0.1"]], "other.example.org": [["127.0.0.1"]] });
  const guarded = new EgressGuard({
    allow: "127.0.0.1",
    caFile: receiver.caFile,
    createResolver: () => resolver,
    hostsFile: "/dev/null",
  });
  (await guarded.connect({ hostname: "a.example.com", port })).destroy();
  (await guarded.connect({ hostname: "127.0.0.1", port })).destroy();
  await assert.rejects(guarded.connect({ hostname: "other.example.org", port }), { fault: "tls" });
  const distrustful = new EgressGuard({ allow: "127.0.0.1" });
  await assert.rejects(distrustful.connect({ hostname: "127.0.0.1", port }), { fault: "tls" });
});

function fakeResolver(names: Record<string, [string[], string[]?]>): NameResolver {
  const find = (index: 0 | 1) => async (name: string) => {
    const addresses = names[name]?.[index];
    if (addresses === undefined) throw Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
    return addresses;
  };
  return { resolve4: find(0), resolve6: find(1), cancel: () => {} };
}

/** A name server on loopback that answers A as told, with a TTL of 0, and everything else with nothing. */
async function startNameServer() {
  const socket = createSocket("udp4");
  const server = {
    port: 0,
    answer: (_name: string): string => "127.0.0.1",
    [Symbol.asyncDispose]: async () => void socket.close(),
  };
  socket.on("message", (query, from) => {
    let end = 12;
    const labels: string[] = [];
    while (query[end] !== 0) {
      const length = query[end] ?? 0;
      labels.push(query.toString("latin1", end + 1, end + 1 + length));
      end += 1 + length;
    }
    const type = query.readUInt16BE(end + 1);
    const question = query.subarray(12, end + 5);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(type === 1 ? 1 : 0, 6);
    const record =
      type === 1
        ? Buffer.from([
            0xc0,
            12,
            0,
            1,
            0,
            1,
            0,
            0,
            0,
            0,
            0,
            4,
            ...server.answer(labels.join(".")).split(".").map(Number),
          ])
        : Buffer.alloc(0);
    socket.send(Buffer.concat([header, question, record]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  server.port = socket.address().port;
  return server;
}
