/** The parts of the service. One process can run several. */
export const roles = ["api", "worker", "notifier"] as const;
export type Role = (typeof roles)[number];
