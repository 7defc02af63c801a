import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readRetryAfter } from "../../src/kernel/retry-after.ts";

const now = new Date("2026-11-06T08:49:37Z");
const imf = (ms: number) => new Date(ms).toUTCString();

test("Retry-After is read as seconds, or as a date in any form that RFC 9110 obliges recipients to accept", () => {
  assert.equal(readRetryAfter("120", now), 120_000);
  assert.equal(readRetryAfter(" 7 ", now), 7_000);
  assert.equal(readRetryAfter("007", now), 7_000);
  assert.equal(readRetryAfter("Fri, 06 Nov 2026 08:50:37 GMT", now), 60_000);
  assert.equal(readRetryAfter("Friday, 06-Nov-26 08:50:37 GMT", now), 60_000);
  assert.equal(readRetryAfter("Fri Nov  6 08:50:37 2026", now), 60_000);
  assert.equal(readRetryAfter("Mon, 29 Feb 2028 00:00:00 GMT", now), Date.UTC(2028, 1, 29) - now.getTime());
  assert.equal(readRetryAfter("Thu, 31 Dec 2026 23:59:60 GMT", now), Date.UTC(2027, 0, 1) - now.getTime());
  // 76 is 2076, which is not more than 50 years ahead; 77 is 1977.
  assert.equal(readRetryAfter("Friday, 06-Nov-76 08:49:37 GMT", now), Date.UTC(2076, 10, 6, 8, 49, 37) - now.getTime());
  assert.equal(readRetryAfter("Sunday, 06-Nov-77 08:49:37 GMT", now), null);
});

test("a value that asks for no wait, or that the standard doesn't define, is the absence of the header", () => {
  for (const value of [
    undefined,
    "",
    " ",
    "0",
    "000",
    "-1",
    "-5",
    "+5",
    "1.5",
    "0.5",
    "1e9",
    "0x10",
    "Infinity",
    "NaN",
    "5, 5",
    "5,5",
    "5 5",
    "5;5",
    "5s",
    "soon",
    "99999999999999",
    "٥",
    "2026-12-06",
    "2026-12-06T08:49:37Z",
    "Fri, 06 Nov 2026 08:49:37 GMT",
    "Fri, 06 Nov 2026 08:00:00 GMT",
    "Fri, 06 Nov 2026 09:49:37",
    "Fri, 06 Nov 2026 09:49:37 UTC",
    "Fri, 06 Nov 2026 09:49:37 +0000",
    "Fri, 6 Nov 2026 09:49:37 GMT",
    "Fri, 06 November 2026 09:49:37 GMT",
    "Fri, 31 Feb 2027 09:49:37 GMT",
    "Fri, 00 Dec 2026 09:49:37 GMT",
    "Fri, 06 Dec 2026 24:00:00 GMT",
    "Fri, 06 Dec 2026 09:60:00 GMT",
    "06 Dec 2026 09:49:37 GMT",
    "Fri Dec 6 09:49:37 2026",
    "Fri, 06 Dec 2026 09:49:37 GMT, Fri, 06 Dec 2026 09:49:37 GMT",
    "120, Fri, 06 Dec 2026 09:49:37 GMT",
  ])
    assert.equal(readRetryAfter(value, now), null, value);
});

test("every date of the next century is read to the second, and every earlier one is absent", () => {
  const century = 100 * 365 * 86_400_000;
  fc.assert(
    fc.property(fc.integer({ min: -century, max: century }), (offset) => {
      const at = Math.floor((now.getTime() + offset) / 1000) * 1000;
      const expected = at > now.getTime() ? at - now.getTime() : null;
      assert.equal(readRetryAfter(imf(at), now), expected);
    }),
  );
});

test("whatever it holds, it is a wait above zero or none", () => {
  const pieces = fc.constantFrom(
    "-",
    "0",
    "5",
    ",",
    " ",
    ".",
    "e",
    "Fri",
    "Nov",
    "2026",
    "GMT",
    ":",
    "08",
    "06",
    "\u0000",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((each) => each.join("")),
      ),
      (value) => {
        const wait = readRetryAfter(value, now);
        assert.ok(wait === null || (wait > 0 && Number.isFinite(wait)), `${value}: ${wait}`);
      },
    ),
  );
});
