/** Evidence of an answer: signed files, and the keys they are signed with. */
export { publishedKeys, rotateSigningKey, sealedEvidenceKeys, signingKey } from "./evidence-keys.ts";
export { evidenceRoutes } from "./routes.ts";
export { sealTask } from "./seal-task.ts";
