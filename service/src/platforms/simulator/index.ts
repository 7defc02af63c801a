export { simulatorPlatform } from "./simulator-platform.ts";
