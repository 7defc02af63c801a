/** When panels run: time zones, both changes of 2026, what passed while no worker ran, and jitter. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { CompleteSchedule } from "@querent/contract";
import { checkSchedule, dueAt, nextSlot, nextSlots, passedSlots } from "../../src/panels/definitions/slots.ts";

const schedule = (cron: string, more: Partial<CompleteSchedule> = {}): CompleteSchedule => ({
  cron,
  timeZone: "Europe/Berlin",
  jitterSeconds: 0,
  catchUp: "latest",
  paused: false,
  ...more,
});
const at = (time: string) => new Date(`${time}Z`);
const texts = (times: readonly (Date | null)[]) => times.map((time) => time?.toISOString().slice(0, 16) ?? null);

suite("the times of a schedule", () => {
  test("on 29 March 2026 in Berlin, a time that is left out is moved forward, once", () => {
    assert.deepEqual(texts(nextSlots(schedule("30 2 * * *"), at("2026-03-28T00:00"), 4)), [
      "2026-03-28T01:30",
      "2026-03-29T01:00",
      "2026-03-30T00:30",
      "2026-03-31T00:30",
    ]);
  });

  test("on 25 October 2026 in Berlin, a time that occurs twice counts once", () => {
    assert.deepEqual(texts(nextSlots(schedule("30 2 * * *"), at("2026-10-24T00:00"), 4)), [
      "2026-10-24T00:30",
      "2026-10-25T00:30",
      "2026-10-26T01:30",
      "2026-10-27T01:30",
    ]);
  });

  test("each day around both changes of 2026 in Berlin has one time, whichever half hour it is", () => {
    for (let half = 0; half < 48; half++) {
      const times = schedule(`${(half % 2) * 30} ${Math.floor(half / 2)} * * *`);
      // The beginnings of two weeks in Berlin, before and after the change.
      for (const [from, to] of [
        ["2026-03-25T23:00:00", "2026-04-01T22:00:00"],
        ["2026-10-21T22:00:00", "2026-10-28T23:00:00"],
      ] as const) {
        const days: string[] = [];
        for (let slot = nextSlot(times, new Date(at(from).getTime() - 1)); slot !== null && slot < at(to);) {
          days.push(slot.toLocaleDateString("sv", { timeZone: "Europe/Berlin" }));
          slot = nextSlot(times, slot);
        }
        assert.equal(days.length, 7, times.cron);
        assert.equal(new Set(days).size, 7, times.cron);
      }
    }
  });

  test("a schedule without a time, with a zone that does not exist, or in another form is refused", () => {
    for (const cron of ["0 0 30 2 *", "60 * * * *", "0 24 * * *", "* * * *", "a b c d e", "0 0 0 0 0", "${x} * * * *"])
      assert.deepEqual(
        checkSchedule(schedule(cron)).map(({ pointer }) => pointer),
        ["/schedule/cron"],
        cron,
      );
    for (const timeZone of ["Mars/Phobos", "+02:00", "", "Europe/Berlin\n"])
      assert.deepEqual(
        checkSchedule(schedule("0 6 * * *", { timeZone })).map(({ pointer }) => pointer),
        ["/schedule/timeZone"],
        timeZone,
      );
    assert.deepEqual(checkSchedule(schedule("0 6 * * MON#1")), []);
  });
});

suite("times that passed while no worker ran", () => {
  const due = at("2026-10-23T04:00:00");
  const now = at("2026-10-27T09:00:00");
  const daily = (catchUp: CompleteSchedule["catchUp"]) => schedule("0 6 * * *", { catchUp });

  test("`latest` runs the last of them; the others are missed", () => {
    const passed = passedSlots(daily("latest"), due, now);
    assert.deepEqual(texts([passed.run, passed.next]), ["2026-10-27T05:00", "2026-10-28T05:00"]);
    assert.deepEqual(texts(passed.missed), [
      "2026-10-23T04:00",
      "2026-10-24T04:00",
      "2026-10-25T05:00",
      "2026-10-26T05:00",
    ]);
  });

  test("`all` runs them one after the other", () => {
    const ran: (Date | null)[] = [];
    for (let slot: Date | null = due; slot !== null && slot <= now;) {
      const passed = passedSlots(daily("all"), slot, now);
      ran.push(passed.run);
      assert.deepEqual(passed.missed, []);
      slot = passed.next;
    }
    assert.equal(ran.length, 5);
    assert.equal(new Set(texts(ran)).size, 5);
  });

  test("`skip` runs none that is more than 15 minutes late, and the last one if it is not", () => {
    const late = passedSlots(daily("skip"), due, now);
    assert.deepEqual([late.run, late.missed.length, ...texts([late.next])], [null, 5, "2026-10-28T05:00"]);
    const early = passedSlots(daily("skip"), due, at("2026-10-27T05:14:00"));
    assert.deepEqual([...texts([early.run]), early.missed.length], ["2026-10-27T05:00", 4]);
  });

  test("a year of minutes is decided at once, and the last 100 of them are named", () => {
    const passed = passedSlots(schedule("* * * * *"), at("2025-10-27T09:00:00"), now);
    assert.deepEqual(texts([passed.run, passed.next]), ["2026-10-27T09:00", "2026-10-27T09:01"]);
    assert.equal(passed.missed.length, 100);
  });
});

test("jitter only delays, by less than it says, and is the same whenever it is asked for", () => {
  const jittered = schedule("0 6 * * *", { jitterSeconds: 600 });
  const delays = nextSlots(jittered, at("2026-01-01T00:00"), 200).map((slot) => {
    const due = dueAt("panel", slot, jittered);
    assert.deepEqual(dueAt("panel", slot, jittered), due);
    return due.getTime() - slot.getTime();
  });
  assert.ok(delays.every((delay) => delay >= 0 && delay <= 600_000));
  assert.ok(new Set(delays).size > 190);
});
