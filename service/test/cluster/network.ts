/** The network between a process and the database, which a test cuts: nothing is refused or closed, it just no longer arrives. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Network extends AsyncDisposable {
  /** Leads to the server. */
  readonly address: { readonly host: string; readonly port: number };
  /** From now on nothing arrives in these directions, not even the end of a connection. */
  cut(...directions: readonly Direction[]): void;
  /** What was sent meanwhile arrives, as TCP repeats it. */
  mend(): void;
}

type Direction = "to the server" | "from the server";

interface Stream {
  readonly direction: Direction;
  readonly from: Socket;
  readonly to: Socket;
}

export async function startNetwork(server: { readonly host: string; readonly port: number }): Promise<Network> {
  const cut = new Set<Direction>();
  const streams = new Set<Stream>();
  const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...server, noDelay: true, allowHalfOpen: true });
    const pair: Stream[] = [
      { direction: "to the server", from: client, to: upstream },
      { direction: "from the server", from: upstream, to: client },
    ];
    const end = () => {
      for (const stream of pair) streams.delete(stream);
      client.destroy();
      upstream.destroy();
    };
    for (const stream of pair) {
      streams.add(stream);
      stream.from.on("error", end).on("close", end);
      if (cut.has(stream.direction)) stream.from.pause();
      else stream.from.pipe(stream.to);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    address: { host: "127.0.0.1", port: (listener.address() as AddressInfo).port },
    cut(...directions) {
      for (const direction of directions) cut.add(direction);
      for (const { direction, from, to } of streams) {
        if (!cut.has(direction)) continue;
        from.unpipe(to);
        from.pause();
      }
    },
    mend() {
      for (const { direction, from, to } of streams) if (cut.has(direction)) from.pipe(to);
      cut.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const { from } of streams) from.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
