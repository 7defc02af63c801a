export { parseAllowedRanges } from "./addresses.ts";
export { EgressFault, isOutOfSockets } from "./egress-guard.ts";
export { EgressGuard, type AddressCheck, type EgressOptions, type NameResolver } from "./egress-guard.ts";
export { guardedAgent } from "./guarded-agent.ts";
