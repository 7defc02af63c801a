import assert from "node:assert/strict";
import { test } from "node:test";
import { addressTest } from "../../src/kernel/address-ranges.ts";

test("an address is in a range however the socket writes it, and nothing that is no address is in any", () => {
  const isNamed = addressTest(["10.0.0.5", "192.168.0.0/30", "fd00::/8"]);
  for (const address of ["10.0.0.5", "::ffff:10.0.0.5", "::ffff:a00:5", "192.168.0.3", "::ffff:192.168.0.1", "fd12::1"])
    assert.equal(isNamed(address), true, address);
  for (const address of [
    ...["10.0.0.6", "::ffff:10.0.0.6", "192.168.0.4", "::10.0.0.5", "64:ff9b::10.0.0.5", "fe80::1", "::1"],
    ...["", "10.0.0.5 ", "10.0.0.5:80", "010.0.0.5", "localhost", "proxy", null, undefined],
  ])
    assert.equal(isNamed(address), false, String(address));
  assert.equal(addressTest([])("127.0.0.1"), false);
});
