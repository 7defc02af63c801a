import { join } from "node:path";
import { CredentialsError, FileStore, fixedKeys, roleKeys, S3Store, type ContentStore } from "../artifacts/index.ts";
import { ConfigError, type Config } from "./config.ts";

/** The store for artifacts: the configured bucket, or a folder in the data folder. */
export function openContentStore(config: Config, environment: NodeJS.ProcessEnv = process.env): ContentStore {
  const { artifactsS3Bucket: bucket, artifactsS3Region: region, artifactsS3Prefix: prefix } = config;
  if (bucket === null) {
    const { artifactsS3Endpoint, artifactsS3AccessKeyId, artifactsS3SecretAccessKey, artifactsS3Credentials } = config;
    const isOtherSet = [artifactsS3Endpoint, artifactsS3AccessKeyId, artifactsS3SecretAccessKey].some(
      (one) => one !== null,
    );
    if (isOtherSet || artifactsS3Credentials !== "keys")
      throw new ConfigError(["QUERENT_ARTIFACTS_S3_BUCKET is not set, and other QUERENT_ARTIFACTS_S3_ variables are."]);
    return new FileStore(join(config.dataDir, "artifacts"));
  }
  const endpoint =
    config.artifactsS3Endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return new S3Store({ endpoint, bucket, region, prefix, credentials: credentialsOf(config, environment) });
}

function credentialsOf(config: Config, environment: NodeJS.ProcessEnv) {
  const { artifactsS3AccessKeyId: accessKeyId, artifactsS3SecretAccessKey: secretAccessKey } = config;
  if (config.artifactsS3Credentials === "role") {
    if (accessKeyId !== null || secretAccessKey !== null)
      throw new ConfigError([
        "QUERENT_ARTIFACTS_S3_CREDENTIALS is `role`, and QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID or _SECRET_ACCESS_KEY is set: remove one of them.",
      ]);
    try {
      return roleKeys(environment, config.artifactsS3Region);
    } catch (error) {
      if (error instanceof CredentialsError) throw new ConfigError([error.message]);
      throw error;
    }
  }
  if (accessKeyId === null || secretAccessKey === null)
    throw new ConfigError([
      "QUERENT_ARTIFACTS_S3_BUCKET needs QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID and QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY, or QUERENT_ARTIFACTS_S3_CREDENTIALS=role.",
    ]);
  return fixedKeys({ accessKeyId, secretAccessKey });
}
