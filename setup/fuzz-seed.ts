/**
 * Loaded before every test file: property tests go the same ways in each run, so that a run says something of the change it
 * tests. FUZZ_SEED sets another seed; `random` a new one each time.
 */
import fc from "fast-check";

const given = process.env["FUZZ_SEED"] ?? "1";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });
