/** Signing in to a web platform: an operator sees and operates a page in a browser of the service. */
export { SignIns, type SignInsDeps } from "./sign-ins.ts";
export { signInRoutes, type SignInRouteDeps } from "./routes.ts";
