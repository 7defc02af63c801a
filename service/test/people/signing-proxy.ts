/** A reverse proxy that has signed somebody in, over real HTTP. It reaches the service from an address of its own, as one on another machine does. */
import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { checkAnswer } from "../harness/check-answer.ts";
import type { ServiceAnswer, TestService } from "../harness/service.ts";

type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface SigningProxy {
  /** Where browsers open the service by way of it. */
  readonly address: string;
  /** What it states in each request from now on. */
  states: HeaderPairs;
  /** What it does with headers of the same names that the client sends; as it should, it takes them out. */
  clients: "removes" | "keeps" | "joins";
  /** Takes the place of the service in helpers that send requests. */
  readonly asService: TestService;
  close(): Promise<void>;
}

/** Linux accepts every address of 127.0.0.0/8 as one of this machine's own. */
export const proxyAddress = "127.0.0.9";

/** To be started before the service, so that it is closed before the service looks for what is left open. */
export async function startSigningProxy(service: () => TestService): Promise<SigningProxy> {
  const agent = new Agent({ localAddress: proxyAddress });
  const server = createServer((incoming, response) => {
    const sent = headersOf(incoming, proxy);
    const target = new URL(service().address);
    const passed = request(
      {
        ...{ host: target.hostname, port: target.port, method: incoming.method, path: incoming.url },
        ...{ headers: sent.flat(), agent },
      },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.pipe(response);
      },
    );
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: SigningProxy = {
    address,
    states: [],
    clients: "removes",
    get asService() {
      const call: TestService["call"] = (method, path, options = {}) => send(address, method, path, options);
      return { ...service(), address, call };
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}

function headersOf({ rawHeaders }: IncomingMessage, { states, clients }: SigningProxy): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  const isStated = (name: string) => states.some(([stated]) => stated.toLowerCase() === name.toLowerCase());
  const others = pairs.filter(([name]) => !isStated(name));
  if (clients === "removes") return [...others, ...states.map(([name, value]): [string, string] => [name, value])];
  if (clients === "keeps") return [...pairs, ...states.map(([name, value]): [string, string] => [name, value])];
  const joined = states.map(([name, value]): [string, string] => {
    const own = pairs.filter(([sent]) => sent.toLowerCase() === name.toLowerCase()).map(([, one]) => one);
    return [name, [...own, value].join(", ")];
  });
  return [...others, ...joined];
}

/** Sends a request from an address of this machine, with headers as they stand: also several of one name. */
export async function send<Body>(
  address: string,
  method: string,
  path: string,
  {
    headers = {},
    body,
    more = [],
    from = "127.0.0.1",
  }: { headers?: Readonly<Record<string, string>>; body?: unknown; more?: HeaderPairs; from?: string } = {},
): Promise<ServiceAnswer<Body>> {
  const { host, hostname, port } = new URL(address);
  const payload = body === undefined ? null : JSON.stringify(body);
  const sent = request({
    ...{ host: hostname, port, method, path, localAddress: from, agent: false },
    headers: [
      ...Object.entries({ host, ...headers }).flat(),
      ...more.flat(),
      ...(payload === null
        ? []
        : ["content-type", "application/json", "content-length", String(Buffer.byteLength(payload))]),
    ],
  });
  sent.end(payload);
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  const received = await text(reply);
  const answer = {
    status: reply.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
    ),
    text: received,
  };
  checkAnswer({ method, path }, answer);
  const isJson = /^application\/(problem\+)?json\b/.test(answer.headers["content-type"] ?? "");
  return { ...answer, body: (isJson ? JSON.parse(received) : undefined) as Body };
}
