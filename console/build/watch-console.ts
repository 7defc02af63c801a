/**
 * The console for whoever works on it: rebuilt whenever a source changes, and shown at once. A changed style is swapped in the open
 * page; anything else reloads it. All other requests go to a running service, and the page has that service's headers, so that its
 * content security policy holds here as it does there.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { context } from "esbuild";
import { buildOptions, builtFrom, type BuiltConsole, type ConsoleFile } from "./build-console.ts";
import { liveReload } from "./live-reload.ts";

export interface WatchedConsole extends AsyncDisposable {
  /** Where the console is open. */
  readonly url: string;
}

interface WatchOptions {
  /** The address of a running service. */
  readonly service: string;
  /** 0: any free port. */
  readonly port: number;
  /** The folder of the console's sources; that of this file if not given. */
  readonly root?: string;
  readonly log: (line: string) => void;
}

const base = "/console";
/** Longer than the service holds a request that waits for something new. */
const timeoutMs = 120_000;
const reloadScript = "live-reload.js";
const changesPath = `${base}/changes`;

export async function watchConsole({ service, port, root, log }: WatchOptions): Promise<WatchedConsole> {
  let built: BuiltConsole | undefined;
  /** The files of every build: a page that was not reloaded goes on with the scripts that it has begun with. */
  const assets = new Map<string, ConsoleFile>();
  const pages = new Set<ServerResponse>();
  const first = Promise.withResolvers<void>();

  const options = buildOptions(base);
  const building = await context({
    ...options,
    ...(root === undefined ? {} : { absWorkingDir: root }),
    minify: false,
    logLevel: "warning",
    plugins: [
      ...options.plugins,
      {
        name: "show",
        setup: (build) =>
          build.onEnd(async ({ errors, outputFiles, metafile }) => {
            // The errors are on the terminal, and the page stays as it was.
            if (errors.length === 0 && outputFiles !== undefined && metafile !== undefined) {
              built = await builtFrom({ outputFiles, metafile }, base, [reloadScript]);
              for (const [path, file] of built.assets) assets.set(path, file);
              for (const page of pages) page.write(changeOf(built));
              log(`Built ${new Date().toLocaleTimeString()}`);
            }
            first.resolve();
          }),
      },
    ],
  });

  const server = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
    if (pathname === changesPath) return listen(response);
    if (pathname === `${base}/${reloadScript}`)
      return send(response, { "content-type": "text/javascript; charset=utf-8" }, liveReload(changesPath));
    const asset = assets.get(pathname.slice(base.length + 1));
    if (asset !== undefined) return send(response, { "content-type": asset.type }, asset.body);
    const isPage = pathname === base || (pathname.startsWith(`${base}/`) && !pathname.startsWith(`${base}/assets/`));
    if (isPage && built === undefined)
      return send(response, {}, "The console can't be built: see the terminal.\n", 503);
    passOn(service, incoming, response, isPage ? built?.index : undefined);
  });

  /** Keeps an open page informed; the first message says what is current, as after this process was restarted. */
  function listen(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    if (built !== undefined) response.write(changeOf(built));
    pages.add(response);
    response.on("close", () => pages.delete(response));
  }

  await building.watch();
  await first.promise;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    async [Symbol.asyncDispose]() {
      await building.dispose();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Asks the service. A page of the console keeps the headers of its answer, and gets the body from here. */
function passOn(
  service: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  index: ConsoleFile | undefined,
): void {
  const { host: _host, ...headers } = incoming.headers;
  const asked = request(
    new URL(incoming.url ?? "/", service),
    { method: incoming.method, headers, timeout: timeoutMs },
    (answer) => {
      if (index !== undefined && answer.statusCode === 200) {
        answer.resume();
        const { "content-encoding": _encoding, "content-length": _length, ...kept } = answer.headers;
        send(response, { ...kept, "cache-control": "no-store" }, index.body);
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  asked.on("timeout", () => asked.destroy(new Error("timed out")));
  asked.on("error", ({ message }) => {
    if (response.headersSent) response.destroy();
    else send(response, {}, `The service at ${service} can't be reached: ${message}\n`, 502);
  });
  response.on("close", () => asked.destroy());
  incoming.pipe(asked);
}

/**
 * What the open pages compare themselves with. A style changes the names of the scripts that import it, and so the order of their
 * imports: what counts is their lines.
 */
function changeOf({ assets }: BuiltConsole): string {
  const files = [...assets.values()];
  const styles = files.filter(({ path }) => path.endsWith(".css")).map(({ path }) => `${base}/${path}`);
  const texts = files.filter(({ path }) => path.endsWith(".js")).map(({ body }) => body.toString());
  const lines = texts
    .join("\n")
    .replaceAll(/-[A-Z0-9]{8}\.js/g, ".js")
    .split("\n")
    .sort()
    .join("\n");
  const scripts = createHash("sha256").update(lines).digest("hex");
  return `data: ${JSON.stringify({ styles, scripts })}\n\n`;
}

function send(response: ServerResponse, headers: OutgoingHttpHeaders, body: Buffer | string, status = 200): void {
  response.writeHead(status, { "cache-control": "no-store", ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

if (import.meta.main) {
  const service = process.env["QUERENT_URL"] ?? "http://127.0.0.1:8080";
  const port = Number(process.env["CONSOLE_PORT"] ?? 8090);
  const { url } = await watchConsole({ service, port, log: (line) => process.stdout.write(`${line}\n`) });
  process.stdout.write(`The console is at ${url}; everything else is asked of ${service}\n`);
}
