import { test } from "node:test";
import { checkIdempotence } from "./random-addresses.ts";

test("a canonical address is its own canonical form, for 100,000 random addresses", () => {
  checkIdempotence(100_000);
});
