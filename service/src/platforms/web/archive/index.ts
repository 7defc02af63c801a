/** A web archive of the page, as evidence of an answer. */
export { recordTraffic, type TrafficRecorder } from "./record-traffic.ts";
export { recordingOf } from "./recording.ts";
export { waczMediaType, writeWacz, type Recording } from "./write-wacz.ts";
