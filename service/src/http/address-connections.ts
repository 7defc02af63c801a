import { BlockList, isIPv6, type Server, type Socket } from "node:net";

/**
 * Limits the open connections of one address: without a token, one machine could otherwise hold all of them. Those above the limit
 * are closed when they are accepted. This machine's own addresses and trusted proxies, behind which are many visitors, have no limit.
 */
export function limitAddresses(server: Server, max: number, trustedProxies: readonly string[]): void {
  const exempt = rangesOf(["127.0.0.0/8", "::1/128", ...trustedProxies]);
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || exempt.check(address, isIPv6(address) ? "ipv6" : "ipv4")) return;
    const count = (counts.get(address) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    counts.set(address, count);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  });
}

/** IPv4 addresses of sockets that accept both kinds (`::ffff:10.0.0.1`) match their IPv4 ranges. */
function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    list.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return list;
}
