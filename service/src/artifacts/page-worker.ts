/** The worker's side of `PageRenderer`: renders one page after the other. */
import { parentPort } from "node:worker_threads";
import { renderPage, type PageInput } from "../answers/page/render-page.ts";

parentPort?.on("message", (input: PageInput) => {
  parentPort?.postMessage(renderPage(input, { plain: false }), []);
});
