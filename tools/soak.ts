/** npm run soak: the model-based tests for ten minutes, or for SOAK_SECONDS. SOAK_SEED and SOAK_PATH reproduce a failure. */
const seconds = (process.env["SOAK_SECONDS"] ??= "600");
process.argv.splice(2, 0, "service/test/model", `--test-timeout=${(Number(seconds) + 600) * 1000}`);
await import("./test.ts");
