import { connect } from "node:net";
import { checkAnswer, type HttpAnswer } from "./check-answer.ts";

/** Sends raw bytes over one connection, and returns the first response, checked against the contract. */
export async function exchange(
  address: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  request: { method: string; path: string } = { method: "GET", path: "/" },
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  socket.on("error", reject);
  socket.on("data", (chunk: Buffer) => {
    received.push(chunk);
    const answer = readAnswer(Buffer.concat(received), request.method === "HEAD");
    if (answer !== null) resolve(answer);
  });
  socket.on("close", () => reject(new Error(`closed after: ${Buffer.concat(received).toString().slice(0, 500)}`)));
  for (const chunk of [bytes].flat()) socket.write(chunk);
  try {
    const answer = await promise;
    checkAnswer(request, answer);
    return answer;
  } finally {
    socket.destroy();
  }
}

function readAnswer(bytes: Buffer, isHead: boolean): HttpAnswer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const status = Number(statusLine.split(" ")[1]);
  const length = Number(headers["content-length"] ?? 0);
  const body = bytes.subarray(end + 4);
  if (status < 200) return readAnswer(body, isHead);
  if (!isHead && body.length < length) return null;
  return { status, headers, text: body.subarray(0, isHead ? 0 : length).toString("utf8") };
}
