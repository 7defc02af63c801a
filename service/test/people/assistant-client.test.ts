import assert from "node:assert/strict";
import { test } from "node:test";
import { clientHostOf, redirectOf, shownName } from "../../src/people/assistant-client.ts";

test("a name is shown on one line, without what could rearrange it or hide in it", () => {
  assert.equal(shownName("  Claude\n\tDesktop  "), "Claude Desktop");
  assert.equal(shownName("\u202Eedualc\u202C \u2066x\u2069"), "edualc x");
  assert.equal(shownName("Cla\u200Bu\u00ADde\uFEFF\u2060"), "Claude");
  assert.equal(shownName("a\u0000b\u0007c\u2028d\u2029e"), "abc d e");
  assert.equal(shownName(`Z${"\u0301".repeat(200)}algo`).length <= 8, true);
  assert.equal([...shownName("𝕎".repeat(5000))].length, 80);
  assert.equal(shownName("\u202E\u200B"), "");
  assert.equal(shownName("\uD800lone"), "lone");
  assert.equal(shownName("<b>助手</b>"), "<b>助手</b>");
});

test("a redirect is named by its host, in the letters that are sent, or by its scheme", () => {
  assert.deepEqual(redirectOf("https://claude.ai/api/mcp/auth_callback"), { host: "claude.ai", kind: "web" });
  assert.deepEqual(redirectOf("https://clаude.ai/x"), { host: "xn--clude-5ve.ai", kind: "web" });
  assert.deepEqual(redirectOf("https://claude.ai:8443/"), { host: "claude.ai:8443", kind: "web" });
  assert.deepEqual(redirectOf("https://claude.ai@evil.example/"), { host: "evil.example", kind: "web" });
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.deepEqual(redirectOf(`http://${host}:8080/callback`), { host, kind: "device" });
  assert.deepEqual(redirectOf("cursor://anysphere.cursor-retrieval/oauth"), { host: "cursor:", kind: "app" });
  assert.equal(clientHostOf("https://claude.ai/oauth/client.json"), "claude.ai");
  assert.equal(clientHostOf("3a5c"), null);
});
