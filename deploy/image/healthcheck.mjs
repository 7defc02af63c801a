/** The image's health check: ends with 0 while the process is ready. Prints what it found, for `docker inspect`. */
import { get } from "node:http";

const port = process.env.QUERENT_MANAGEMENT_PORT;
const request = get({ host: "127.0.0.1", port, path: "/readyz", timeout: 4000 }, (response) => {
  response.pipe(process.stdout);
  response.on("end", () => process.exit(response.statusCode === 200 ? 0 : 1));
});
request.on("timeout", () => process.exit(1));
request.on("error", ({ message }) => {
  process.stdout.write(message);
  process.exit(1);
});
