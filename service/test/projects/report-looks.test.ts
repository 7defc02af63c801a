/** The looks of a project's reports: what is taken as a logo, where they are shown, who may change them, and what they never touch. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import type { EntityRecord, PanelReport, ReportLooks, ReportShare } from "@querent/contract";
import { readableColor } from "@querent/client";
import { LogoRefused, readLogo } from "../../src/projects/read-logo.ts";
import { composed } from "../../src/mail/letter.ts";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { runPanel } from "../insight/fixture.ts";
import { createPanelIn, createProject, tokenWith } from "./fixture.ts";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * Math.min(height, 10)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

const jpeg = (width: number, height: number) => {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]),
    frame,
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 1, 2, 3, 0xff, 0xd9]),
  ]);
};

function webp(form: "VP8 " | "VP8L" | "VP8X", data: Buffer): Buffer {
  const bytes = Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WEBP", "latin1"),
    Buffer.from(form, "latin1"),
    Buffer.alloc(4),
    data,
  ]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt32LE(data.length, 16);
  return bytes;
}

suite("a logo", () => {
  test("is what its content is: PNG, JPEG and the three forms of WebP", () => {
    const lossy = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 100, 0, 50, 0]);
    const lossless = Buffer.alloc(10);
    lossless[0] = 0x2f;
    lossless.writeUInt32LE(99 | (49 << 14), 1);
    const extended = Buffer.from([0, 0, 0, 0, 99, 0, 0, 49, 0, 0]);
    const files = [
      ["image/png", png(100, 50)],
      ["image/jpeg", jpeg(100, 50)],
      ["image/webp", webp("VP8 ", lossy)],
      ["image/webp", webp("VP8L", lossless)],
      ["image/webp", webp("VP8X", extended)],
    ] as const;
    for (const [type, bytes] of files) assert.deepEqual(readLogo(bytes), { type, width: 100, height: 50, bytes });
  });

  test("is nothing else, whatever it says it is, and none that is cut off, damaged, too large or has something behind it", () => {
    const whole = png(10, 10);
    const damaged = Buffer.from(whole);
    damaged[20] = 1;
    const refusedFiles = [
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.from("GIF89a\x01\0\x01\0", "latin1"),
      Buffer.from("<!doctype html><script>alert(1)</script>"),
      whole.subarray(0, -1),
      damaged,
      Buffer.concat([whole, Buffer.from("<script>")]),
      png(2001, 1),
      png(0, 10),
      jpeg(10, 5000),
      jpeg(10, 10).subarray(0, -1),
      Buffer.concat([png(10, 10), Buffer.alloc(256 * 1024)]),
      webp("VP8 ", Buffer.alloc(10)),
    ];
    for (const bytes of refusedFiles)
      assert.throws(() => readLogo(bytes), LogoRefused, bytes.toString("latin1", 0, 60));
    for (let end = 0; end < whole.length; end++) assert.throws(() => readLogo(whole.subarray(0, end)), LogoRefused);
    // Each bit of a picture is covered by a checksum or by its form.
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.throws(() => readLogo(flipped), LogoRefused);
    }
  });
});

suite("a colour", () => {
  const contrast = (one: string, other: string) => {
    const luminance = (color: string) =>
      [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
        const part = Number.parseInt(color.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
        return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      }, 0);
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };

  test("is changed as far as text in it needs to be read, on both papers", () => {
    assert.equal(readableColor("#0b5c7a", "#ffffff"), "#0b5c7a");
    assert.notEqual(readableColor("#0b5c7a", "#171b21"), "#0b5c7a");
    for (let n = 0; n < 4096; n++) {
      const color = `#${[n >> 8, (n >> 4) & 15, n & 15].map((part) => (part * 17).toString(16).padStart(2, "0")).join("")}`;
      for (const paper of ["#ffffff", "#171b21"]) {
        const readable = readableColor(color, paper);
        assert.ok(contrast(readable, paper) >= 4.5, `${color} on ${paper}: ${readable}`);
      }
    }
  });
});

suite("the looks of a project's reports", async () => {
  const service = await startTestService();
  const account = await service.account();
  const { projectId } = await createProject(account, "Northwind");
  const hostile = `Northwind "><script>alert(1)</script>`;
  const logo = png(120, 40).toString("base64");
  const put = (who: Pick<TestAccount, "call">, id: string, body: object) =>
    who.call<ReportLooks>("PUT", `/v1/projects/${id}/looks`, { body });
  const read = async (who: Pick<TestAccount, "call">, id: string) =>
    (await who.call<ReportLooks>("GET", `/v1/projects/${id}/looks`)).body;
  const none = { name: null, color: null, logo: null };
  const { panelId } = await createPanelIn(account, projectId, {
    prompts: [{ text: "Which? brands=Acme_Mills:1@1", promptId: "p1" }],
  });
  assert.equal(
    (
      await account.call<EntityRecord>("POST", `/v1/entities?project=${projectId}`, {
        body: { name: "Acme Mills", relation: "own" },
      })
    ).status,
    201,
  );
  assert.equal((await runPanel(account, panelId)).status, 202);
  await until("the answer is observed", async () => {
    const { rows } = await service.database.query("select from observations where panel_id = $1", [panelId]);
    return rows.length === 1;
  });
  const report = `/v1/panels/${panelId}/report`;
  const window = `from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z`;

  test("stand at the top of the page, in it, and in no other project's", async () => {
    assert.deepEqual(await read(account, projectId), none);
    const before = await account.call<ReportShare>("POST", `${report}/shares`, { body: {} });
    const set = await put(account, projectId, { name: ` ${hostile} `, color: "#FFE100", logo });
    assert.equal(set.status, 200, set.text);
    assert.deepEqual(set.body, {
      name: hostile,
      color: "#ffe100",
      logo: { type: "image/png", width: 120, height: 40, data: logo },
    });
    assert.deepEqual(await read(account, projectId), set.body);
    assert.deepEqual(await read(account, account.accountId), none);
    const { text, headers } = await account.get<string>(`${report}?format=html`);
    assert.ok(
      text.includes(
        `<img src="data:image/png;base64,${logo}" alt="" width="120" height="40"><span dir="auto">Northwind ">&#x3C;script>`,
      ),
      "the logo",
    );
    assert.doesNotMatch(text, /<script/);
    assert.match(String(headers["content-security-policy"]), /img-src data:;/);
    assert.match(text, /style-src &#x27;sha256-[\w+/=]+&#x27;; img-src data:; base-uri/);
    // Yellow on white is not read.
    assert.match(text, new RegExp(`:root\\{--accent:${readableColor("#ffe100", "#ffffff")}\\}`));
    assert.doesNotMatch(text.replace(/<a [^>]*>/g, ""), /(src|href)="https?:|url\(/);
    const shared = await account.call<ReportShare>("POST", `${report}/shares`, { body: {} });
    const open = async ({ url }: ReportShare) => (await service.call("GET", new URL(url ?? "").pathname)).text;
    assert.match(await open(shared.body), /data:image\/png/);
    // As it was when it was shared.
    assert.doesNotMatch(await open(before.body), /<img/);
  });

  test("are in nothing of what is computed or signed", async () => {
    const zip = async () => (await account.get(`${report}?format=zip&${window}`)).text;
    const json = async () => (await account.get<PanelReport>(`${report}?${window}`)).text;
    const [zipWith, jsonWith] = [await zip(), await json()];
    await put(account, projectId, {});
    assert.deepEqual(await read(account, projectId), none);
    assert.equal(await zip(), zipWith);
    assert.equal(await json(), jsonWith);
    assert.doesNotMatch((await account.get<string>(`${report}?format=html`)).text, /class="brand"/);
  });

  test("are refused with the reason, and then nothing is stored", async () => {
    await put(account, projectId, { name: "Northwind" });
    invalidAt(await put(account, projectId, { logo: Buffer.from("<svg/>").toString("base64") }), {
      "/logo": "malformed",
    });
    invalidAt(await put(account, projectId, { logo: "https://evil.example/a.png" }), { "/logo": "malformed" });
    invalidAt(await put(account, projectId, { name: "a\u0007b", logo: "!" }), {
      "/name": "malformed",
      "/logo": "malformed",
    });
    for (const color of ["red", "#fff", "#12345g", "#123456;background:url(//evil.example)"])
      refused(await put(account, projectId, { color }), "validation_failed");
    refused(await put(account, projectId, { logo: "A".repeat(350_000) }), "validation_failed");
    refused(await put(account, projectId, { logo: "A".repeat(400_000) }), "payload_too_large");
    assert.deepEqual(await read(account, projectId), { ...none, name: "Northwind" });
  });

  test("are changed by whoever may edit the project's panels, seen by its clients, and not there for others", async () => {
    const other = await createProject(account, "Southwind");
    const editor = await tokenWith(service, account, ["panels:write", "panels:read"], [projectId]);
    const client = await tokenWith(service, account, ["reports:read"], [projectId]);
    assert.equal((await put(editor, projectId, { name: "By the editor" })).status, 200);
    assert.deepEqual(await read(client, projectId), { ...none, name: "By the editor" });
    refused(await put(client, projectId, {}), "scope_missing");
    for (const foreign of [other.projectId, account.accountId]) {
      refused(await put(editor, foreign, { name: "Mine" }), "not_found");
      refused(await client.call("GET", `/v1/projects/${foreign}/looks`), "not_found");
    }
    const stranger = await service.account();
    refused(await put(stranger, projectId, { name: "Mine" }), "not_found");
    refused(await stranger.get(`/v1/projects/${projectId}/looks`), "not_found");
    await put(account, other.projectId, { name: "Southwind" });
    assert.equal((await account.call("DELETE", `/v1/projects/${other.projectId}`)).status, 204);
    const { rows } = await service.database.query("select from report_looks where project_id = $1", [other.projectId]);
    assert.equal(rows.length, 0);
  });

  test("stand in mails, with the logo as a part of the mail", () => {
    const looks: ReportLooks = {
      name: hostile,
      color: "#ffe100",
      logo: { type: "image/png", width: 120, height: 40, data: logo },
    };
    const letter = {
      language: "en",
      subject: "Report",
      paragraphs: ["Hello"],
      looks,
    };
    const { html, text, attachments } = composed("d1", letter);
    assert.match(html, /border-top:4px solid #ffe100.*<img src="cid:logo-d1@querent" alt="" height="40" width="120"/s);
    assert.doesNotMatch(html, /<script|src="http/);
    assert.equal(text, "Hello\n");
    assert.deepEqual(
      attachments.map(({ name, type, cid }) => ({ name, type, cid })),
      [{ name: "logo.png", type: "image/png", cid: "logo-d1@querent" }],
    );
    assert.deepEqual(composed("d1", { ...letter, looks: { name: null, color: null, logo: null } }).attachments, []);
  });
});
