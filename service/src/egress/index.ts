export { parseAllowedRanges } from "./addresses.ts";
export { EgressFault, isOutOfSockets } from "./egress-fault.ts";
export { EgressGuard, type AddressCheck, type EgressOptions, type NameResolver } from "./egress-guard.ts";
