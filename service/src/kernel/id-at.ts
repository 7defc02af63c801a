import { firstIdAt } from "./ids.ts";

/** A UUIDv7 of a time, whose other bits are those of another UUID: the same time and UUID always make the same id. */
export function idAt(time: Date, id: string): string {
  const hex = id.replaceAll("-", "");
  return `${firstIdAt(time).slice(0, 14)}7${hex.slice(13, 16)}-${variantDigit(hex)}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The first digit of the fourth group, whose two upper bits are the variant (RFC 9562, 4.1). */
const variantDigit = (hex: string) => (8 + (Number.parseInt(hex.charAt(16), 16) & 3)).toString(16);
