import { join } from "node:path";
import { FileStore, S3Store, type ContentStore } from "../artifacts/index.ts";
import { ConfigError, type Config } from "./config.ts";

/** The store for artifacts: the configured bucket, or a folder in the data folder. */
export function openContentStore(config: Config): ContentStore {
  const { artifactsS3Bucket: bucket, artifactsS3Region: region, artifactsS3Prefix: prefix } = config;
  const { artifactsS3AccessKeyId: accessKeyId, artifactsS3SecretAccessKey: secretAccessKey } = config;
  if (bucket === null) {
    if (config.artifactsS3Endpoint !== null || accessKeyId !== null || secretAccessKey !== null)
      throw new ConfigError(["QUERENT_ARTIFACTS_S3_BUCKET is not set, and other QUERENT_ARTIFACTS_S3_ variables are."]);
    return new FileStore(join(config.dataDir, "artifacts"));
  }
  if (accessKeyId === null || secretAccessKey === null) {
    throw new ConfigError([
      "QUERENT_ARTIFACTS_S3_BUCKET needs QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID and QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY.",
    ]);
  }
  const endpoint = config.artifactsS3Endpoint ?? `https://s3.${region}.amazonaws.com`;
  return new S3Store({ endpoint, bucket, region, prefix, accessKeyId, secretAccessKey });
}
