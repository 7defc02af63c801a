import { BlockList, isIP } from "node:net";

/** A test whether an address of a socket is in one of these ranges (`10.0.0.0/8`, `fd00::1`), which have to be readable. */
export type AddressTest = (address: string | null | undefined) => boolean;

/** IPv4 addresses of sockets that accept both kinds (`::ffff:10.0.0.1`) match their IPv4 ranges. */
export function addressTest(ranges: readonly string[]): AddressTest {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return (address) => {
    const family = isIP(address ?? "");
    return family !== 0 && list.check(address ?? "", family === 6 ? "ipv6" : "ipv4");
  };
}
