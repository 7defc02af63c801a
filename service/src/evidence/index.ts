/** What proves an answer: signed files, and the keys that they are signed with. */
export { publishedKeys, rotateSigningKey, signingKey } from "./evidence-keys.ts";
export { evidenceRoutes } from "./routes.ts";
export { sealTask } from "./seal-task.ts";
