/** Evidence files: an answer in a zip that proves who recorded it and that it was not changed. */
export { generateKeyPair, publicKeyOf, readPublicKeys, type PublicKey } from "./keys.ts";
export { formatName, manifestName, signatureName, type EvidenceManifest, type ManifestFile } from "./manifest.ts";
export { sealName, sealSignatureName, writeSeal, type Seal } from "./seal.ts";
export { verifyEvidence, type RefusalReason, type Verdict } from "./verify-evidence.ts";
export { EvidenceFileError, verifyEvidenceFile } from "./verify-evidence-file.ts";
export { writeEvidence, type EvidenceFile } from "./write-evidence.ts";
