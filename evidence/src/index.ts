/** Evidence files: an answer in a zip that proves who recorded it and that it was not changed. */
export { generateKeyPair, publicKeyOf, readPublicKeys, type PublicKey } from "./keys.ts";
export { formatName, manifestName, signatureName, type EvidenceManifest, type ManifestFile } from "./manifest.ts";
export { verifyPanelSeal, writePanelSeal, type SealDocument, type SignedPanelSeal } from "./panel-seal.ts";
export { readReportZip, writeReportZip, type ReadReport, type ReportFile, type ReportManifest } from "./report-zip.ts";
export { sealName, sealSignatureName, writeSeal, type Seal } from "./seal.ts";
export { verifyEvidence, type Verdict } from "./verify-evidence.ts";
export { EvidenceFileError, readBounded, readTrusted, verifyEvidenceFile } from "./verify-evidence-file.ts";
export type { RefusalReason, Refused } from "./verify-signed.ts";
export { writeZip } from "./write-zip.ts";
export { writeEvidence, type EvidenceFile } from "./write-evidence.ts";
