export { EgressFault, EgressGuard, isOutOfSockets, type EgressOptions, type NameResolver } from "./egress-guard.ts";
