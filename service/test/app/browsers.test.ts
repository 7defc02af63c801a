import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { isOwnAddress } from "../../src/app/browsers.ts";

test("every spelling of an address of this machine is known for one", () => {
  const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  for (const address of [
    "127.0.0.1",
    "127.8.9.10",
    "0.0.0.0",
    "0.1.2.3",
    "::",
    "::1",
    "0:0:0:0:0:0:0:0",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:0.0.0.0",
    "::127.0.0.1",
    "[::]",
    ...own,
  ])
    // prettier-ignore
    assert.ok(isOwnAddress(address), address);
  for (const address of ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34"])
    assert.equal(isOwnAddress(address), false, address);
});
