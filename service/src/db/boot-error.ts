/** A problem that the operator must fix before the service can start: one message that says what failed and what to do. */
export class BootError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BootError";
  }
}

/** The errno name of a system error ("ENOENT"); undefined for anything else. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A failed file operation in plain words. */
export function fileError(path: string, error: unknown): BootError {
  const reasons: Readonly<Record<string, string>> = {
    ENOSPC: "the disk is full. Free some space and start again",
    EDQUOT: "the disk quota is used up. Free some space and start again",
    EROFS: "the file system is read-only. Choose another data folder",
    EACCES: `user ${process.getuid?.() ?? ""} may not write there. Choose another data folder, or change its owner`,
    EPERM: `user ${process.getuid?.() ?? ""} may not do that there. Choose another data folder, or change its owner`,
    ENOTDIR: "a part of that path is a file, not a folder. Choose another data folder",
    EEXIST: "there is a file of that name. Choose another data folder",
  };
  const reason = reasons[errno(error) ?? ""] ?? (error instanceof Error ? error.message : String(error));
  return new BootError(`Can't use ${path}: ${reason}.`, error);
}
