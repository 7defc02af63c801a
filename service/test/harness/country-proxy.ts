import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { after } from "node:test";

/** A proxy that opens tunnels for whoever knows its password. */
export async function startCountryProxy() {
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    socket.on("error", () => socket.destroy());
    if (request.headers["proxy-authorization"] !== `Basic ${Buffer.from("name:pass,word").toString("base64")}`) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    tunnels.push(request.url ?? "");
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\nX-Exit: DE\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.once("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return { tunnels, settings: `DE=http://name:pass%2Cword@127.0.0.1:${port}`, port };
}
