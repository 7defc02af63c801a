/** Files that belong to results: screenshots, pages, snapshots. */
export { insertArtifacts, listArtifacts, type Artifact, type ArtifactKind } from "./artifact-rows.ts";
export { checkContents } from "./sweep-contents.ts";
export { artifactBytesMax, ContentFault, type ContentStore, FileStore } from "./file-store.ts";
export { keepContent } from "./artifact-rows.ts";
export { measureContents } from "./artifact-rows.ts";
export { PageRenderer } from "./page-renderer.ts";
export { printer, type Print, type PrintedPage } from "./print.ts";
export { screenshotter } from "./screenshot.ts";
export { publicToken, readPublicToken, type AddressPurpose } from "./public-routes.ts";
export { publicRoutes } from "./public-routes.ts";
export { readForReply } from "./artifact-rows.ts";
export { CredentialsError, fixedKeys, roleKeys } from "./s3-credentials.ts";
export { S3Store, type S3Settings } from "./s3-store.ts";
export { sweepContents } from "./sweep-contents.ts";
