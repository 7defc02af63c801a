/** Signing in to a web platform: an operator sees and operates a page in a browser of the service, or in that of a command. */
export { SignIns, type SignInsDeps } from "./sign-ins.ts";
export { signInRoutes, type SignInRouteDeps } from "./routes.ts";
export { openRemoteWindow, type RemoteQuestion, type RemoteWindow } from "./remote-window.ts";
