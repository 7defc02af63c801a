export { demoPlatforms } from "./demo-panel.ts";
export { demoTruth } from "./demo-truth.ts";
export { fillDemo, findDemo, removeDemo } from "./fill-demo.ts";
