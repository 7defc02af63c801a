/**
 * Codes of platforms that no service asks begin with this: those of the demonstration. The operator cannot configure a platform with
 * such a code, so an answer of one is known to be simulated wherever it is shown.
 */
export const simulatedPlatformPrefix = "simulated-" as const;
