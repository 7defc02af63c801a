export { parseAllowedRanges } from "./addresses.ts";
export {
  EgressFault,
  EgressGuard,
  isOutOfSockets,
  type AddressCheck,
  type EgressOptions,
  type NameResolver,
} from "./egress-guard.ts";
