export { demoAccount, demoPoints, deleteDemonstration, makeDemonstration } from "./demonstration.ts";
export { demoTruth } from "./demo-truth.ts";
export { fillDemo, findDemo, removeDemo } from "./fill-demo.ts";
export { demonstrationRoutes } from "./routes.ts";
