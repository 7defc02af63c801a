export {
  EgressFault,
  EgressGuard,
  isOutOfSockets,
  type AddressCheck,
  type EgressOptions,
  type NameResolver,
} from "./egress-guard.ts";
